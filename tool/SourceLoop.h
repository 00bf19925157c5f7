/// \file
/// One loop of the source with all its readings, on its way to a result.
#pragma once

#include "Analysis/Facts.h"
#include "Legality/Verdict.h"
#include "Plan/Plan.h"
#include "Report/Result.h"

namespace pipeline_rewrite {

/// What was written once to hear from nvcc what it takes.
struct Attempt {
  Variant Kind = Variant::Ldg;
  Form Shape = Form::Peel;
  bool Unrolled = false;
  friend bool operator==(const Attempt &A, const Attempt &B) {
    return A.Kind == B.Kind && A.Shape == B.Shape && A.Unrolled == B.Unrolled;
  }
};

/// All readings of one source loop: one, or one per instantiation.
struct SourceLoop {
  std::vector<LoopFacts> Readings;
  std::vector<Verdict> Verdicts;
  std::vector<PlanResult> Plans;
  size_t Chosen = 0; ///< the reading that decides the budget
  std::vector<Reason> Refusals;
  bool Skipped = false;

  /// What nvcc's report made of the plan: another one to take instead ...
  std::optional<Attempt> Instead;
  /// ... those that it spoke against, and why ...
  std::vector<Attempt> Rejected;
  std::string WhyRejected;
  /// ... or that there is none left.
  std::optional<Reason> OverBudget;
  std::vector<RegisterResult> Registers; ///< by reading; may be empty

  const LoopFacts &facts() const { return Readings[Chosen]; }
  bool planned() const {
    return !Skipped && Refusals.empty() && !Plans.empty() &&
           Plans[Chosen].Plan.has_value();
  }
  /// Before it is decided again.
  void reset() {
    Verdicts.clear();
    Plans.clear();
    Refusals.clear();
    Registers.clear();
    Chosen = 0;
  }
};

} // namespace pipeline_rewrite
