/// \file
/// Where further slots go in the dynamic block.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// The smallest stride with which \p Stages slots of \p Tiles touch neither each
/// other nor anything that the loop or its surroundings need. None if no tile
/// lies in the dynamic block. \p AtLeast: what another reading of the same text
/// needs, bytes.
std::optional<BlockSlots> placeSlots(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles,
                                     unsigned Stages, uint64_t AtLeast = 0);

} // namespace pipeline_rewrite
