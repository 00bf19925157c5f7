#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pipeline_rewrite {

/// Where the program's own data lies.
struct InstallPaths {
  std::string Data;           ///< share/pipeline-rewrite
  std::string Rules;          ///< Data/rules
  std::string Runtime;        ///< Data/runtime
  std::string RuntimeInclude; ///< Data/runtime/include
};

/// \returns the path of the program that is running, with symbolic links
/// resolved.
std::string runningProgram();

/// Finds the data that belongs to the program \p Executable.
///
/// Order: the environment variable PIPELINE_REWRITE_DATA;
/// `../share/pipeline-rewrite` seen from the program's folder, which is right
/// for an installation and for a build tree, since both have the same layout.
/// An error lists every place that was looked at and what was missing there.
llvm::Expected<InstallPaths>
findInstallPaths(llvm::StringRef Executable = runningProgram());

} // namespace pipeline_rewrite
