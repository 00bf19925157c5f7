/// \file
/// One loop of the source while it is decided on.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// All readings of one source loop: one, or one per instantiation.
struct SourceLoop {
  std::vector<LoopFacts> Readings;
  std::vector<Verdict> Verdicts;
  std::vector<PlanResult> Plans;
  size_t Chosen = 0; ///< the reading that decides the budget
  std::vector<Reason> Refusals;
  bool Skipped = false;

  const LoopFacts &facts() const { return Readings[Chosen]; }
  bool planned() const {
    return !Skipped && Refusals.empty() && !Plans.empty() &&
           Plans[Chosen].Plan.has_value();
  }
};

} // namespace pipeline_rewrite
