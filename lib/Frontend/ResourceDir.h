#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pipeline_rewrite {

/// Finds Clang's own headers (its "resource directory").
///
/// Order: \p Given, the environment variable PIPELINE_REWRITE_RESOURCE_DIR, the
/// one of the Clang that this program was built with, `../lib/clang/19` seen
/// from \p Executable, and at last what `clang-19 -print-resource-dir` says. A
/// place counts only if it has both the CUDA wrapper header and the folder
/// `cuda_wrappers`: without the latter `std::complex` in device code stops
/// compiling, and one of the distribution's own fall-backs lacks it.
/// \returns an error that lists every place that was tried; a wrong \p Given is
/// never passed over.
llvm::Expected<std::string> findResourceDir(llvm::StringRef Given,
                                            llvm::StringRef Executable);

} // namespace pipeline_rewrite
