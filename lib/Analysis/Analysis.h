/// \file
/// AST -> facts: every K loop of a translation unit.
#pragma once

#include "Analysis/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Regex.h"
#include <map>

namespace pipeline_rewrite {

struct AnalysisOptions {
  /// Only functions whose name matches; empty: all.
  std::string KernelRegex;
  /// Values that the source leaves open, by name; they only fill in figures.
  std::map<std::string, int64_t> Assumed;
};

/// All K loops in files that are not system headers: loops that own a block
/// barrier and move data from global to shared memory. A loop in a template is
/// returned once per instantiation, or once as written if there is none;
/// entries of one source loop share File, Line and Column and are adjacent.
/// Order: by file, then by position.
std::vector<LoopFacts> findKLoops(clang::ASTContext &Context,
                                  const clang::Preprocessor &PP,
                                  const AnalysisOptions &Options);

/// The facts as indented text, for `--dump=facts`.
std::string dumpFacts(const LoopFacts &Facts);

} // namespace pipeline_rewrite
