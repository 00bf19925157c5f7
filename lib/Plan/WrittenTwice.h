/// \file
/// Whether one thread may copy to the same element twice in one iteration.
#pragma once

#include "Legality/CopySlice.h"

namespace pipeline_rewrite {

/// May one thread write bytes of what \p Store writes by another store among
/// \p Leaves as well, or by this one in another round of the copy loops? What
/// cannot be told apart may be the same.
bool writesTwice(const std::vector<CopyLeaf> &Leaves, const CopyLeaf &Leaf,
                 const TileStore &Store);

} // namespace pipeline_rewrite
