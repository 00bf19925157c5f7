/// \file
/// The budget of every instantiation and every launch of one loop's kernel.
#pragma once

#include "SourceLoop.h"

namespace pipeline_rewrite {

/// One row for each reading and each launch that differs in block size or
/// dynamic shared memory; one for a reading without a visible launch.
std::vector<LaunchRow> launchRows(const SourceLoop &Loop, const Arch &Machine);

} // namespace pipeline_rewrite
