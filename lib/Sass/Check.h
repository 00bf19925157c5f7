/// \file
/// Does the machine code overlap the loads with the arithmetic, as the plan
/// meant it? docs/sass.md explains each check.
#pragma once

#include "Sass/Resources.h"
#include "Sass/SteadyState.h"

namespace pipeline_rewrite {

/// What the plan promises about a loop.
struct SassExpectation {
  unsigned Stages = 2; ///< slots; 1 for register-prefetch
  bool Async = false;  ///< a tile travels by cp-async
};

enum class SassStatus {
  Pass,
  Warn,   ///< not as it was meant, and no loss for certain
  Fail,   ///< what the rewrite is for did not happen
  Skipped ///< the listing does not tell
};

struct SassCheck {
  std::string Id;
  SassStatus Status = SassStatus::Pass;
  std::string Message;
};

/// How much of a tile's arithmetic runs while its successor's loads are on the
/// way.
enum class SassVerdict {
  Overlapped, ///< at least half, for every load
  Partial,    ///< less, for some load
  Sunk,       ///< next to nothing: the loads stand beside the wait for them
  NotFound    ///< no loop with loads, arithmetic and a barrier was found
};

const char *toString(SassStatus Status);
const char *toString(SassVerdict Verdict);

/// Local memory instructions of a whole function.
struct LocalMemory {
  unsigned Loads = 0, Stores = 0;
};

/// One rewritten loop of one kernel, beside its original.
struct SassKernel {
  std::string Name; ///< for people
  std::optional<SteadyLoop> Before, After;
  std::optional<SassResources> ResourcesBefore, ResourcesAfter;
  LocalMemory LocalBefore, LocalAfter;
  std::vector<SassCheck> Checks;
  SassVerdict Verdict = SassVerdict::NotFound;
  std::string Summary;              ///< one sentence
  std::vector<std::string> Excerpt; ///< annotated lines of the rewritten loop
};

/// What `--sass` found out about one source loop.
struct SassReport {
  bool Checked = false;
  std::string Message; ///< why it was not checked
  std::string Remedy;  ///< what was added to the text and kept; mostly empty
  std::vector<SassKernel> Kernels;

  /// The least favourable of all kernels.
  SassVerdict verdict() const;
};

LocalMemory localMemoryOf(const SassFunction &F);

/// Fills Checks, Verdict and Summary of \p K from its figures.
void judgeSass(SassKernel &K, const SassExpectation &Expected);

} // namespace pipeline_rewrite
