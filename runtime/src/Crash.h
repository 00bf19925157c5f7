#pragma once

namespace pr {

/// Makes a crash of a kernel a sentence in the report. Called once on each
/// thread of the operating system that runs kernels.
void watchForCrashes();

} // namespace pr
