/// \file
/// Functions with bodies, and their barrier loops.
#pragma once

#include "Analysis/Effects.h"
#include "clang/AST/StmtCXX.h"

namespace pipeline_rewrite {

/// A loop that owns a block barrier (one that is not in a loop further in).
struct BarrierLoop {
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Loop = nullptr;
  std::vector<const clang::Stmt *> Ancestors; ///< outermost first, the loop last
};

/// A loop of any kind.
inline bool isLoop(const clang::Stmt *S) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(S);
}

/// Every function definition of the unit outside system headers: plain
/// functions, instantiations, and templates that nothing instantiates.
std::vector<const clang::FunctionDecl *> findFunctions(clang::ASTContext &C);

/// Does \p Call wait for the block, itself or in its callee?
bool isBarrierCall(const clang::CallExpr *Call, SummaryCache &Summaries,
                   const clang::ASTContext &Context);

std::vector<BarrierLoop> findBarrierLoops(const clang::FunctionDecl *F,
                                          SummaryCache &Summaries,
                                          const clang::ASTContext &Context);

} // namespace pipeline_rewrite
