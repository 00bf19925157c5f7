/// \file
/// What the device compiler says about a kernel's resources.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// Of one kernel, for one thread, or (shared memory) one block.
struct SassResources {
  unsigned Registers = 0;
  uint64_t StackBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0;
  uint64_t StaticShared = 0; ///< bytes
};

/// Reads what the compiler prints under `-Xptxas -v` or `--resource-usage`.
/// \returns resources by the function's linker name; functions without a line
/// `Used N registers` are left out.
llvm::StringMap<SassResources> parseResources(llvm::StringRef CompilerOutput);

} // namespace pipeline_rewrite
