#pragma once

#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// \returns the version of this program, as the project states it ("0.1.0").
llvm::StringRef toolVersion();

} // namespace pipeline_rewrite
