#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pipeline_rewrite {

/// The CUDA toolkit that a file is parsed against.
struct ToolkitInfo {
  bool Real = false; ///< False: our own declarations stand in for it.
  std::string Root;  ///< Holds include/cuda_runtime.h; empty where not Real.
  unsigned Major = 0, Minor = 0; ///< Of CUDA_VERSION in its cuda.h.
};

/// Looks for a toolkit: \p Given, then CUDA_PATH, then beside nvcc on PATH,
/// then /usr/local/cuda.
///
/// Finding none is no error: `Real` is false then, as it is for the \p Given
/// path "none".
/// \returns an error where \p Given holds no toolkit, with the file that was
/// looked for.
llvm::Expected<ToolkitInfo> findToolkit(llvm::StringRef Given);

/// \returns a sentence that says against what a file was parsed.
std::string describeToolkit(const ToolkitInfo &Toolkit);

} // namespace pipeline_rewrite
