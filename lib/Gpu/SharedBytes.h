/// \file
/// What a source itself says of the dynamic shared memory of its kernel.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pipeline_rewrite {

/// The call that gives the dynamic shared bytes of \p Kernel, spelled as in a
/// launch file (`ns::sgemm<64>`): of a constexpr function
/// `sgemm_shared_bytes()` beside it, as this program's output has. Empty: \p
/// Text has none that can be called so.
std::string sharedBytesCallIn(llvm::StringRef Text, llvm::StringRef Kernel);

} // namespace pipeline_rewrite
