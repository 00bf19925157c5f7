/// \file
/// Which loads of a loop fetch a tile: those whose value reaches shared memory.
#pragma once

#include "Sass/SteadyState.h"

namespace pipeline_rewrite {

/// Fills IsTileLoad and IsTileStore of \p Loop by following the values of the
/// loop's global loads through registers, twice round, so that a value fetched
/// in one pass and stored in the next is seen. Where no value can be followed to
/// a store, every load counts as a tile's.
void findTileTraffic(const SassFunction &F, SteadyLoop &Loop);

} // namespace pipeline_rewrite
