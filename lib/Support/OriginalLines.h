/// \file
/// How lines of a text that was changed before it was parsed keep their numbers.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// The name, in the parser's table of lines, of the file whose lines count as they do
/// on disk. Lines that a `#line` of the author's renames have another.
inline constexpr llvm::StringLiteral OriginalLines = "<original lines>";

/// Lines behind the one that holds Offset count on from Line.
struct LineNote {
  unsigned Offset = 0, Line = 0;
};

} // namespace pipeline_rewrite
