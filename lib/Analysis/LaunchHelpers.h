/// \file
/// Launches by way of something of the author's own: a function that is handed the
/// kernel, or a macro that is given the bytes.
#pragma once

#include "Analysis/LaunchFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <string>
#include <variant>
#include <vector>

namespace pipeline_rewrite {

/// What a function does with the kernel that it is handed.
struct HelperLaunch {
  unsigned Bytes = 0; ///< the argument that is the launch's shared bytes, no more
  /// The block's size: an argument of the call, or what the function says itself.
  const clang::Expr *Block = nullptr;
};

/// Reads the function, method or lambda that \p Call hands the kernel \p Kernel, one
/// of its arguments, and those that it hands it on to. Unless their bodies are there,
/// do nothing with the kernel that is not known, and use one argument for the bytes
/// of all that they do and for nothing else: why not, as a clause about the function.
std::variant<HelperLaunch, std::string> readHelper(const clang::CallExpr *Call,
                                                   const clang::Expr *Kernel,
                                                   const clang::ASTContext &Context);

/// The uses of parameters through which \p E, spelled as an argument of macros,
/// came to where it stands.
std::vector<ParameterUse> parameterUses(const clang::Expr *E,
                                        const clang::ASTContext &Context);

} // namespace pipeline_rewrite
