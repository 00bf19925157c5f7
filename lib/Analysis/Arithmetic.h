/// \file
/// How much one iteration computes, and what its threads hold in registers.
#pragma once

#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// Sets MultiplyAdds, MultiplyAddsText, Math, TensorCore, AccumulatorBytes,
/// FragmentBytes and PointerCount. Multiply-adds are a*b+c in floating point,
/// and in integers where a factor is an array element, by each element of a
/// small vector; fma and dp4a calls; wmma's mma_sync; fma, dp4a and mma.sync in
/// inline assembly; and those of functions that are called. An inner loop whose
/// trip count is not known leaves MultiplyAdds empty.
void countArithmetic(LoopFacts &Facts, const clang::Stmt *Body,
                     const TreeContext &Tree);

} // namespace pipeline_rewrite
