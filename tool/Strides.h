/// \file
/// One distance of slots in dynamic memory for all readings of a loop.
#pragma once

#include "SourceLoop.h"

namespace pipeline_rewrite {

/// Is the distance spelled the same, or the same number?
bool sameStride(const LoopPlan &A, const LoopPlan &B);

/// Do the readings that have a plan agree on it?
bool stridesAgree(const SourceLoop &Loop);

uint64_t largestStride(const SourceLoop &Loop);

/// The most natural spelling of it that serves all readings; empty if there is none.
std::string commonStride(const SourceLoop &Loop);

/// Do the plans \p Named come to fewer slots or resident blocks than \p Plain, of the
/// same readings?
bool costsMore(const std::vector<PlanResult> &Named,
               const std::vector<PlanResult> &Plain);

} // namespace pipeline_rewrite
