/// \file
/// Launches above the kernel's definition: the function that gives the bytes has
/// to stand above them, where fewer names are known.
#pragma once

#include "Analysis/Facts.h"
#include "Analysis/LaunchPlaces.h"

namespace pipeline_rewrite {

/// Where the declaration begins that holds the last step of \p Path, if what is
/// put before it is in the scope, the file and the branches of `#if` of
/// \p Kernel, a definition.
std::optional<unsigned> placeAbove(const std::vector<AstStep> &Path,
                                   const clang::FunctionDecl *Kernel,
                                   const clang::ASTContext &Context);

/// Sets EarlyPlace and HiddenNames of LoopFacts::Uses, whose other parts are
/// known. \returns false where a template's bytes could not be spelled there.
bool describeEarlyPlace(const clang::FunctionDecl *F, LoopFacts &Facts,
                        unsigned Place, clang::ASTContext &Context);

} // namespace pipeline_rewrite
