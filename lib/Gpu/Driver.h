/// \file
/// The program around one version of a kernel, for a GPU.
#pragma once

#include "Verify/LaunchFile.h"
#include "Verify/Tolerance.h"

#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// What a driver is made from.
struct DriverRequest {
  const LaunchFile *Launch = nullptr;
  std::string Source;    ///< The kernels' file, as it is included.
  std::string Reference; ///< The reference's file, likewise; empty: none.
  ToleranceSpec ReferenceTolerance;
  /// C++ expression over the sweep's names: dynamic shared bytes a block.
  std::string Shared;
};

/// Writes the source of the shared object that holds one version: it includes
/// the author's file and offers what runtime/gpu/pr_abi.h declares.
std::string writeGpuDriver(const DriverRequest &Request);

} // namespace pipeline_rewrite
