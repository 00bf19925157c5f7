/// \file
/// What came back from a card: DIR/results.json.
#pragma once

#include "Gpu/Manifest.h"
#include "Report/BenchTable.h"
#include "Verify/Prove.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// The kernel as it was loaded on the card.
struct LoadedKernel {
  unsigned Registers = 0; ///< A thread's.
  uint64_t LocalBytes = 0; ///< A thread's: spills and arrays.
  uint64_t StaticShared = 0, DynamicShared = 0; ///< A block's, in bytes.
  unsigned BlocksPerSM = 0;
};

/// Milliseconds of the single launches at one size.
struct TimingSamples {
  unsigned CaseNumber = 0;
  std::string Case, Version;
  std::vector<double> Milliseconds;
  std::optional<double> Flops, Bytes;
  std::optional<unsigned> Registers, BlocksPerSM;
  std::string Problem;
};

struct VersionResult {
  std::string Name;
  ProofResult Proof;
  std::optional<LoadedKernel> Original, Loaded;
};

struct BundleResults {
  BenchMachine Machine;
  /// Why nothing could be run: no compiler, no card. Empty where there is none.
  std::string Problem;
  std::vector<VersionResult> Versions; ///< Those that were not rejected.
  std::vector<TimingSamples> Times;
};

/// Reads what run.sh wrote. A version without any result has the status
/// CouldNotRun.
/// \returns an error where the text is no results.json.
llvm::Expected<BundleResults> readResults(llvm::StringRef Json,
                                          const Manifest &M);

} // namespace pipeline_rewrite
