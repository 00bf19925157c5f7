/// \file
/// facts -> verdict: may the loop be pipelined, and if not, why not.
#pragma once

#include "Analysis/Facts.h"
#include <set>
#include <string>
#include <vector>

namespace pipeline_rewrite {

enum class ReasonId {
#define REASON(Name, Slug, Says, Do) Name,
#include "Legality/Reasons.def"
};

/// The stable id of a reason, as in `may-alias`.
const char *slugOf(ReasonId Id);
/// What the id means, and what to do about it.
const char *meaningOf(ReasonId Id);
const char *adviceFor(ReasonId Id);
/// All ids in order, remarks included.
const std::vector<ReasonId> &allReasons();
/// True for ids that accompany a loop without refusing it.
bool isRemark(ReasonId Id);

struct Reason {
  ReasonId Id;
  unsigned Line = 0, Column = 0;
  std::string Message;
};

/// How the body falls into phases; indices into LoopFacts::Body.
struct Phases {
  std::vector<size_t> Copy; ///< statements before the copy's barrier
  size_t CopyBarrier = 0;   ///< the barrier that publishes the tiles
  std::vector<size_t> Compute; ///< from there to the trailing barrier
  std::optional<size_t> LeadingBarrier, TrailingBarrier;
  std::vector<size_t> Tail; ///< behind the trailing barrier
  /// The barrier that keeps a tile until all threads have used it: behind the
  /// compute phase, or before the next copy.
  size_t closingBarrier() const {
    return TrailingBarrier ? *TrailingBarrier
                           : LeadingBarrier.value_or(CopyBarrier);
  }
};

struct Verdict {
  /// Why the loop cannot be rewritten at all.
  std::vector<Reason> Reasons;
  /// Why it cannot be given a second slot; register-prefetch stays possible.
  std::vector<Reason> SlotReasons;
  Phases Split;
  std::set<ObjectId> Tiles;

  bool legal() const { return Reasons.empty(); }
};

struct LegalityOptions {
  bool AssumeNoAlias = false;
};

Verdict judge(const LoopFacts &Facts, const LegalityOptions &Options);

/// The verdict as indented text, for `--dump=verdict`.
std::string dumpVerdict(const LoopFacts &Facts, const Verdict &V);

} // namespace pipeline_rewrite
