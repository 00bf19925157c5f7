/// \file
/// What the rest of a function does with the variables of a K loop.
#pragma once

#include "Analysis/LoopFinder.h"
#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// Fills ReadAfterLoop of the variables, the outside uses and escapes of the
/// shared variables with the alignment that they rely on, and MemoryTouchedAfter.
/// \param OtherKLoops the further K loops of the same function.
void collectOutsideUses(LoopFacts &Facts, const BarrierLoop &Loop,
                        llvm::ArrayRef<const clang::Stmt *> OtherKLoops,
                        const TreeContext &Tree);

} // namespace pipeline_rewrite
