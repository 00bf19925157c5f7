/// \file
/// The author's source and the headers it includes, as a folder that travels.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

struct SourceTree {
  std::string Root; ///< The folder above all files, absolute.
  std::vector<std::string> Files; ///< Absolute.
  /// The compiler's arguments, with the folders of the tree in place of the
  /// author's ("-Itree/include").
  std::vector<std::string> Arguments;

  /// Where \p File lies in the tree: "tree/kernels/a.cu".
  std::string placeOf(llvm::StringRef File) const;
};

/// Finds what \p Roots include, by the text of their directives: all branches
/// of a condition, since another machine may take another one. What belongs to
/// the system or to the CUDA toolkit is left out.
/// \param Arguments nvcc's; their search paths are followed.
llvm::Expected<SourceTree> collectSources(llvm::ArrayRef<std::string> Roots,
                                          llvm::ArrayRef<std::string> Arguments);

} // namespace pipeline_rewrite
