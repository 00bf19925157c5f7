/// \file
/// The steps that a proof on this machine's GPU and a job with a bundle share.
#pragma once

#include "Gpu/Bundle.h"
#include "Gpu/Results.h"
#include "GpuProof.h"

namespace pipeline_rewrite {

/// A bundle's request without its versions.
BundleRequest bundleRequestOf(const ProofRequest &Request,
                              const NvccBuild &Build);

/// Runs the script of a bundle on this machine.
llvm::Error runBundle(llvm::StringRef Dir, llvm::StringRef ToolkitRoot);

/// Reads what the script found; an error says that it has not run.
llvm::Expected<BundleResults> resultsOf(llvm::StringRef Dir, const Manifest &M);

} // namespace pipeline_rewrite
