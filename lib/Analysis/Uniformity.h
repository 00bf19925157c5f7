/// \file
/// Which values may differ between the threads of one block.
#pragma once

#include "Analysis/MemoryModel.h"
#include "clang/AST/Stmt.h"

namespace pipeline_rewrite {

/// Flow-insensitive taint from threadIdx, lane queries, warp exchanges and
/// atomics through the variables of one function. Parameters, block and grid
/// indices are uniform; memory is as uniform as the address it is read from.
class Uniformity {
public:
  explicit Uniformity(const MemoryModel &Model, const clang::FunctionDecl *F);

  bool isThreadDependent(const clang::Expr *E) const;
  bool isThreadDependent(const clang::ValueDecl *D) const {
    return Tainted.contains(D) || mayBePointedTo(D);
  }

  /// True if all threads that enter `for (v = First; v < Last; v += Step)` run
  /// it equally often: what differs between threads in First and in Last is the
  /// same sum, and Step is uniform.
  bool hasUniformTrips(const clang::ForStmt *For) const;

  /// True if \p E is proved to be >= 0: thread and block indices, non-negative
  /// constants, and sums, products, quotients, remainders, shifts and masks of
  /// such values through variables that are never modified.
  bool isNonNegative(const clang::Expr *E) const;

private:
  bool spread(const clang::Stmt *S, bool UnderDivergence);
  bool taint(const clang::ValueDecl *D);
  bool taintTarget(const clang::Expr *Target);
  bool taintPointees(bool Written);
  bool mayBePointedTo(const clang::ValueDecl *D) const;
  bool spreadBranch(const clang::Stmt *Branch, const clang::Stmt *S);
  bool spreadAssignment(const clang::Stmt *S, bool UnderDivergence);
  bool spreadCall(const clang::CallExpr *Call, bool UnderDivergence);
  bool leavesDivergently(const clang::Stmt *S) const;
  bool isDivergentCall(const clang::CallExpr *Call) const;

  const MemoryModel &Model;
  llvm::DenseSet<const clang::ValueDecl *> Tainted;
  /// Something that differs is written through a pointer to who knows what.
  bool PointeesTainted = false;
};

} // namespace pipeline_rewrite
