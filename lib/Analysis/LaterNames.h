/// \file
/// Names of namespaces that a stretch of the source does not know yet.
#pragma once

#include "clang/AST/ASTContext.h"
#include <set>
#include <string>

namespace pipeline_rewrite {

struct LaterNames {
  std::set<std::string> Names; ///< declared in whatever namespace, or as a friend
  bool Operators = false;      ///< operators of no class
  bool Using = false; ///< using declarations and directives, or other names of namespaces
};

/// What the translation unit declares behind \p Loc; before \p End, where that is valid.
LaterNames namesBehind(clang::SourceLocation Loc, clang::SourceLocation End,
                       const clang::ASTContext &Context);

} // namespace pipeline_rewrite
