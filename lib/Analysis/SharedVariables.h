/// \file
/// Declarations of shared memory.
#pragma once

#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// Describes every shared object that the loop mentions (Facts.Shared) and the
/// function's static total.
/// \param LoopRange tells whether a declaration stands inside the loop.
void describeSharedVariables(LoopFacts &Facts, const clang::FunctionDecl *F,
                             TextRange LoopRange, const TreeContext &Tree);

} // namespace pipeline_rewrite
