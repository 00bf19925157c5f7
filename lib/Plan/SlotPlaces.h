/// \file
/// Where further slots go in the dynamic block.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// What is wanted of the distance of slots.
struct StrideWish {
  uint64_t AtLeast = 0; ///< what another reading of the same text needs, bytes
  std::string Text; ///< one of strideTexts() of every reading; without AtLeast
};

/// The smallest stride with which \p Stages slots of \p Tiles touch neither each
/// other nor anything that the loop or its surroundings need; or the spelled one
/// that was wished for, if it does as well. None if no tile lies in the dynamic
/// block.
std::optional<BlockSlots> placeSlots(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles,
                                     unsigned Stages, const StrideWish &Wish = {});

/// The expressions of the author's that placeSlots() may take as the stride, the
/// most natural one first.
std::vector<std::string> strideTexts(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles);

} // namespace pipeline_rewrite
