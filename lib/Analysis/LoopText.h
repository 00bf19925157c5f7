/// \file
/// What the text of a loop holds that no syntax tree shows.
#pragma once

#include "Analysis/LoopFinder.h"
#include "Analysis/Names.h"
#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// The pragmas of a loop that starts at \p Loop: `#pragma`, `_Pragma` and macros
/// that expand to it, with nothing but comments behind them. May be empty.
/// \param From where the function starts.
TextRange pragmasBefore(const SourceText &Text, unsigned From, unsigned Loop,
                        const clang::LangOptions &Options, const MacroTable &Macros);

/// Enters the first word of the loop whose meaning depends on where it stands.
void describePlaceWords(LoopFacts &Facts, const clang::Stmt *Loop,
                        const SourceText &Text, const clang::LangOptions &Options,
                        const MacroTable &Macros);

/// Does \p S name anything that is declared in \p Body?
bool namesDeclarationsOf(const clang::DeclStmt *S, TextRange Body,
                         const SourceText &Text);

/// Enters where shared variables are named and not evaluated. What the rewrite
/// does not bind anyway is bound to the first slot, or spelled as that.
void describeUnevaluated(LoopFacts &Facts, const BarrierLoop &Loop,
                         llvm::ArrayRef<const clang::Stmt *> OtherKLoops,
                         const TreeContext &Tree);

} // namespace pipeline_rewrite
