#pragma once

#include "Verify/LaunchFile.h"
#include "Verify/Prove.h"
#include "Verify/Tolerance.h"

namespace pipeline_rewrite {

/// Writes the program that runs a launch file: it includes the kernels' file,
/// makes the buffers of each case of the sweep, launches and, where there is
/// one, compares with the reference.
/// \param Source the path of the kernels' file, as it is included.
/// \param Reference the tolerance of the launch file's reference.
std::string writeDriver(const LaunchFile &File, llvm::StringRef Source,
                        const ToleranceSpec &Reference,
                        const ProofRequest &Request);

/// Where the kernel call stands in the driver, to recognise a complaint of the
/// compiler about it: the line that holds this text.
inline constexpr const char *DriverLaunchMarker = "// the launch";

} // namespace pipeline_rewrite
