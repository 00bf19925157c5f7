#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace pipeline_rewrite {

/// The change from \p Old to \p New as a unified diff with three lines of
/// context, in the form that `git apply` and `patch -p1` take: labels `a/PATH`
/// and `b/PATH`, line ends as they are (a CR stays part of its line), and the
/// usual marker where the last line has no line end.
/// \param Path as the user gave it. A path below the current folder is made
/// relative to it.
/// \returns the empty string where nothing differs.
std::string unifiedDiff(llvm::StringRef Path, llvm::StringRef Old,
                        llvm::StringRef New);

} // namespace pipeline_rewrite
