/// \file
/// What a launch says: its block size, its bytes, its configuration struct; and
/// the kernel's own text, beside which a function that gives the bytes can stand.
#pragma once

#include "Analysis/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace pipeline_rewrite {

/// A runtime function that is handed a kernel: where its arguments are.
struct KernelCall {
  enum class Does { Nothing, Launch, LaunchByConfig, Query, SetAttribute };
  Does What = Does::Nothing;
  unsigned Kernel = 0;
  unsigned Block = 0, Bytes = 0; ///< or the config, the attribute's value
};

/// The functions of the CUDA runtime that are known here.
std::optional<KernelCall> lookUpKernelCall(llvm::StringRef Name);

/// Is the attribute that \p Call, cudaFuncSetAttribute or the like, sets the limit
/// of dynamic shared memory? None where it is no constant.
std::optional<bool> setsDynamicShared(const clang::CallExpr *Call);

/// Does \p Body do nothing with \p Var but read it?
bool isOnlyRead(const clang::VarDecl *Var, const clang::Stmt *Body);

/// Sets BlockX, BlockY and BlockZ, as far as \p E is constant.
void readDimensions(LaunchSite &Site, const clang::Expr *E,
                    const clang::ASTContext &Context);

/// Reads argument \p Index of \p Arguments as the bytes; it may be left out.
void readBytes(LaunchSite &Site, llvm::ArrayRef<const clang::Expr *> Arguments,
               unsigned Index, const clang::ASTContext &Context);

/// Reads the block size and the bytes that \p Body puts into the
/// cudaLaunchConfig_t whose address is \p Pointer.
void readLaunchConfig(LaunchSite &Site, const clang::Expr *Pointer,
                      const clang::Stmt *Body, const clang::ASTContext &Context);

/// Fills the definition, the template header and the local names of
/// LoopFacts::Uses, and notes declarations in other files as escapes.
void describeKernelText(const clang::FunctionDecl *F, LoopFacts &Facts,
                        const clang::ASTContext &Context);

} // namespace pipeline_rewrite
