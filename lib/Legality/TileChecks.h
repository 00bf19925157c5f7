/// \file
/// What must hold for each tile.
#pragma once

#include "Legality/Verdict.h"

namespace pipeline_rewrite {

/// Enters into \p V why tiles cannot be streamed (Reasons) or cannot be given a
/// second slot (SlotReasons). V.Split and V.Tiles are set.
void checkTiles(const LoopFacts &Facts, Verdict &V);

} // namespace pipeline_rewrite
