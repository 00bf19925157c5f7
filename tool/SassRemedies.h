/// \file
/// Remedies against a compiler that moves loads down to where they are used.
#pragma once

#include "SassLoops.h"

namespace pipeline_rewrite {

/// Builds and compares. The original is built once.
class SassWorkbench {
public:
  SassWorkbench(const SassTools &Tools, unsigned TimeoutSeconds)
      : Tools(Tools), TimeoutSeconds(TimeoutSeconds) {}

  /// Fills LoopResult::Sass of every rewritten loop. An error where one of the
  /// versions could not be built.
  llvm::Error check(FileOutcome &Outcome);

private:
  llvm::Expected<SassBuild> build(const FileOutcome &Outcome, bool Rewritten);

  SassTools Tools;
  unsigned TimeoutSeconds;
  std::optional<SassBuild> Before;
};

/// For loops whose loads were moved down: `#pragma unroll 1` on the steady state,
/// then a compiler fence between the loads and the compute phase. Each is tried
/// by rewriting, building and checking again. What brings the loads up without a
/// new failure is kept: \p Outcome then holds that text, and
/// SassReport::Remedy names it.
llvm::Error tryRemedies(SassWorkbench &Bench, const SessionContext &Context,
                        llvm::StringRef Path, FileOutcome &Outcome);

} // namespace pipeline_rewrite
