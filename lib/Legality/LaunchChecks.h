/// \file
/// May the launches of a kernel be given more dynamic shared memory?
#pragma once

#include "Legality/Verdict.h"

namespace pipeline_rewrite {

/// Nothing if every launch of the loop's kernel is seen; else the reason,
/// `launch-not-visible` with where and why.
std::optional<Reason> checkLaunchesSeen(const LoopFacts &Facts);

/// Do the launches give the kernel at least \p Bytes of dynamic memory as they
/// are, also those that cannot be edited? All have to be seen.
bool launchesGive(const LoopFacts &Facts, uint64_t Bytes);

/// Nothing if every launch of the loop's kernel is seen and its bytes can be
/// edited; else the reason, `launch-not-visible` with where and why.
std::optional<Reason> checkLaunches(const LoopFacts &Facts);

} // namespace pipeline_rewrite
