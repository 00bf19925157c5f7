/// \file
/// The distance of slots in the dynamic block, spelled as its author would.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// An expression in the author's names and what it comes to in one reading.
struct SpelledSize {
  std::string Text;
  uint64_t Bytes = 0;
};

/// Spellings of a distance of at least \p Least and at most \p Most bytes that
/// leaves room for the parts of \p Tiles, the most natural one first. What each of
/// them leaves room for is to be checked: they are numbers that happen to fit.
std::vector<SpelledSize> spellStrides(const LoopFacts &Facts,
                                      const std::set<ObjectId> &Tiles,
                                      uint64_t Least, uint64_t Most);

/// \p Bytes, a place in the block, in the author's names; empty if there is no such
/// expression.
std::string spellPlace(const LoopFacts &Facts, uint64_t Bytes);

} // namespace pipeline_rewrite
