/// \file
/// Which statement of the copy phase runs when.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// Fills Plan.Places from Plan.Slice, Tiles, Staged, Kept, Kind and Shape.
void placeStatements(const LoopFacts &Facts, const Verdict &V,
                     llvm::StringRef Buffer, LoopPlan &Plan);

} // namespace pipeline_rewrite
