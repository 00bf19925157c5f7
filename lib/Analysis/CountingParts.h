/// \file
/// Loops that count, whatever keyword spells them, as the parts of a `for`.
#pragma once

#include "Analysis/StatementTree.h"
#include "clang/AST/Stmt.h"

namespace pipeline_rewrite {

/// `Var = Init; while (Condition) { Body; Increment; }`.
struct CountingParts {
  const clang::VarDecl *Var = nullptr;
  const clang::Expr *Init = nullptr;
  const clang::Expr *Condition = nullptr;
  const clang::Expr *Increment = nullptr;
  bool AtLeastOnce = false; ///< `do`: the first round is not asked for
  /// Init is made of constants, indices and private variables, and these are
  /// StartUses: it is the same value as long as they are.
  bool StartFixed = false;
  llvm::SmallVector<const clang::VarDecl *, 2> StartUses;
};

/// Does \p S, or anything in it, write \p D by its name?
bool writesVariable(const clang::Stmt *S, const clang::ValueDecl *D);

/// The parts of \p Loop, where its counter starts at Init whenever the loop is
/// entered, and all that writes it afterwards is Increment, once and last in each
/// round. Whether it counts up to something is left to the caller.
std::optional<CountingParts> countingParts(const clang::Stmt *Loop,
                                           const TreeContext &Tree);

} // namespace pipeline_rewrite
