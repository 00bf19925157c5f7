/// \file
/// Conditional compilation in a stretch of text.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// Is what stands before \p Between compiled whenever what stands behind it is,
/// and the other way round? Not if a branch of `#if` begins or ends in it.
bool sameBranch(llvm::StringRef Between);

/// Does a line of \p Text change macros: `#define`, `#undef`, `#include`?
bool changesMacros(llvm::StringRef Text);

} // namespace pipeline_rewrite
