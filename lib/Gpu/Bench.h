/// \file
/// From samples to a table, and from tables to a choice.
#pragma once

#include "Gpu/Results.h"

namespace pipeline_rewrite {

/// The tables of a bundle, one a size. Versions that were rejected or not
/// proved are rows with the reason and without a time.
BenchReport benchOf(const Manifest &M, const BundleResults &Results);

/// Chooses the fastest version: the one with the largest geometric mean of its
/// speed-ups among those that are at no size slower than the original, and at
/// one at least faster, beyond the spread. Sets Winner ("original" where there
/// is none) and Because.
void chooseWinner(BenchReport &Report);

} // namespace pipeline_rewrite
