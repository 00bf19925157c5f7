#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace pipeline_rewrite {

/// Says in one sentence why \p Path cannot be a source file: it does not exist,
/// is a folder, is empty, is larger than 64 MiB, or holds no text. A compiler
/// would answer with thousands of lines.
llvm::Error checkSourceFile(llvm::StringRef Path);

} // namespace pipeline_rewrite
