/// \file
/// What the source says about a loop's work, and what the time model makes of
/// it.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// Bytes of a tile: known, or what `--assume` makes of them; 0 else.
uint64_t tileBytesOf(const LoopFacts &Facts, const TilePlan &Tile);

/// Multiply-adds on tile data over bytes copied, for one iteration of a block.
struct LoopRatio {
  std::optional<double> Ratio; ///< two operations for each multiply-add
  std::string Derivation;      ///< the arithmetic; as far as it is known
  std::optional<TileWork> Work;
};
LoopRatio ratioOf(const LoopFacts &Facts, const std::vector<TilePlan> &Tiles,
                  unsigned Threads);

/// What could be done with the loop, as far as it fits.
struct Choices {
  bool Ldg = false, CpAsync = false, Prefetch = false;
  unsigned MaxAsyncStages = 2;
  bool AllowCliff = false;
};

/// The variants and stage counts of \p Choices with the model's prediction, the
/// best first. Empty where the work or the residency is not known.
std::vector<Candidate> predict(const Arch &Machine, const LoopRatio &Work,
                               const StageChoice &Budget, const Choices &Can);

} // namespace pipeline_rewrite
