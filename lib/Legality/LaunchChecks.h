/// \file
/// May the launches of a kernel be given more dynamic shared memory?
#pragma once

#include "Legality/Verdict.h"

namespace pipeline_rewrite {

/// Nothing if every launch of the loop's kernel is seen and its bytes can be
/// edited; else the reason, `launch-not-visible` with where and why.
std::optional<Reason> checkLaunches(const LoopFacts &Facts);

} // namespace pipeline_rewrite
