/// \file
/// Byte offsets of a file as lines and columns.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace pipeline_rewrite {

/// A place in a text; both count from 1. Columns count bytes, as Clang does.
struct Position {
  unsigned Line = 1, Column = 1;
};

/// The lines of one text.
class LineTable {
public:
  explicit LineTable(llvm::StringRef Text);

  /// An offset behind the end is the end.
  Position at(size_t Offset) const;
  /// Columns in Unicode code points, as SARIF counts them.
  Position codePointsAt(size_t Offset) const;
  /// The offset of a line's first byte; the text's end for a line behind it.
  size_t offsetOf(unsigned Line) const;
  /// Line \p Line without its line end; empty where there is none.
  llvm::StringRef line(unsigned Line) const;
  unsigned lines() const { return Starts.size(); }

private:
  llvm::StringRef Text;
  std::vector<size_t> Starts;
};

/// Code points in \p Text, which should be valid UTF-8.
unsigned countCodePoints(llvm::StringRef Text);

} // namespace pipeline_rewrite
