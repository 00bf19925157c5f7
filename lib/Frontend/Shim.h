#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// \returns the real file system with a folder of small headers laid over it
/// that exist in memory only: what Clang expects of a toolkit and newer ones
/// dropped, and what nvcc provides and Clang does not. Nothing is written
/// anywhere.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemWithShim();

/// \returns the Clang arguments that make the headers seen for the toolkit
/// headers in \p Include.
std::vector<std::string> shimArgs(llvm::StringRef Include);

/// \returns the same for a parse against our own declarations.
std::vector<std::string> ownShimArgs();

} // namespace pipeline_rewrite
