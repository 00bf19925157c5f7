/// \file
/// Loops that already work on more than one slot.
#pragma once

#include "Analysis/StatementTree.h"

namespace pipeline_rewrite {

/// Sets UsesManualSlots if a shared array is both written and read through an
/// index that alternates from iteration to iteration (`slot ^= 1`,
/// `slot = 1 - slot`, `(slot + 1) % N`, `t & 1`).
void detectManualSlots(LoopFacts &Facts, const TreeContext &Tree);

/// The pointer parameter of a __device__ function that the loop fills from
/// another one and reads again, as it would a tile; empty if there is none.
std::string parameterTile(const LoopFacts &Facts);

/// True if a shared store gets its value from a global load, in the same
/// statement or through private variables that the loop assigns.
bool streamsGlobalToShared(const LoopFacts &Facts);

} // namespace pipeline_rewrite
