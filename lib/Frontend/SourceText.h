#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace pipeline_rewrite {

/// Reads the source file \p Path.
/// \returns its text, or one sentence why it cannot be a source file: it does
/// not exist, is a folder, is empty, is larger than 64 MiB, or holds no text. A
/// compiler would answer with thousands of lines.
llvm::Expected<std::string> readSourceFile(llvm::StringRef Path);

/// Brings `extern __shared__ alignas(16) T x[]` into the order that Clang
/// accepts, `alignas(16) extern __shared__ T x[]`. nvcc takes both.
///
/// Only the places of these words change: every other character, and so every
/// offset outside of them, stays where it was.
/// \returns nothing where there is nothing to change.
std::optional<std::string> withAlignasFirst(llvm::StringRef Text);

} // namespace pipeline_rewrite
