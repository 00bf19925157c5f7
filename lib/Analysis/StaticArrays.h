/// \file
/// The static __shared__ arrays of a kernel, as declarations that could be
/// written as parts of one dynamic block.
#pragma once

#include "Analysis/Facts.h"
#include "Analysis/HostPass.h"
#include "clang/AST/ASTContext.h"

namespace pipeline_rewrite {

/// Fills StaticArrays and ArraysStay of LoopFacts::Uses.
void describeStaticArrays(const clang::FunctionDecl *F, LoopFacts &Facts,
                          const clang::ASTContext &Context, const HostPass &Host);

} // namespace pipeline_rewrite
