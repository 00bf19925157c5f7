/// \file
/// Proofs and measurements on a GPU, here or elsewhere.
#pragma once

#include "Session.h"
#include "Verify/Prove.h"

namespace pipeline_rewrite {

/// What a build with nvcc needs besides a request.
struct NvccBuild {
  std::vector<std::string> Arguments; ///< The user's own.
  std::string Arch;       ///< As asked for with --arch, or empty.
  std::string BudgetArch; ///< As budgeted for.
  std::string ToolkitRoot; ///< Where nvcc is, if not on the PATH.
  uint64_t DynamicAfter = 0; ///< Dynamic shared bytes of the rewrite; 0: same.
};

/// Proves a rewrite on this machine's GPU: writes a bundle, runs it, reads what
/// it found. Errors are wrong usage.
llvm::Expected<ProofResult> proveOnGpu(const ProofRequest &Request,
                                       const NvccBuild &Build);

/// The build of one outcome's file.
NvccBuild nvccBuildOf(const Options &Opts, const FileOutcome &Outcome,
                      const RewrittenFile &File);

/// Is there a device file of a GPU, and nvcc?
bool canRunOnGpu();

/// `--bundle`, `--bench` and `--tune`: makes the versions and their bundle, and
/// runs it here unless only the bundle was asked for.
/// \returns the exit code.
int runGpuJob(const Options &Opts, const SessionContext &Context);

/// `--report-bundle=DIR`: the usual reports from a bundle that was run.
int reportBundle(const Options &Opts, const SessionContext &Context);

} // namespace pipeline_rewrite
