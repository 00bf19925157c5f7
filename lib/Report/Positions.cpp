#include "Report/Positions.h"

#include <algorithm>

namespace pipeline_rewrite {

LineTable::LineTable(llvm::StringRef Text) : Text(Text), Starts{0} {
  for (size_t I = 0; I != Text.size(); ++I)
    if (Text[I] == '\n')
      Starts.push_back(I + 1);
}

Position LineTable::at(size_t Offset) const {
  Offset = std::min(Offset, Text.size());
  auto Next = std::upper_bound(Starts.begin(), Starts.end(), Offset);
  Position Found;
  Found.Line = Next - Starts.begin();
  Found.Column = Offset - Starts[Found.Line - 1] + 1;
  return Found;
}

Position LineTable::codePointsAt(size_t Offset) const {
  Position Found = at(Offset);
  llvm::StringRef Before =
      Text.substr(Starts[Found.Line - 1], Found.Column - 1);
  Found.Column = countCodePoints(Before) + 1;
  return Found;
}

size_t LineTable::offsetOf(unsigned Line) const {
  return Line >= 1 && Line <= Starts.size() ? Starts[Line - 1] : Text.size();
}

llvm::StringRef LineTable::line(unsigned Line) const {
  if (Line < 1 || Line > Starts.size())
    return "";
  return Text.substr(Starts[Line - 1]).split('\n').first.rtrim('\r');
}

unsigned countCodePoints(llvm::StringRef Text) {
  // Continuation bytes belong to the code point before them.
  return std::count_if(Text.begin(), Text.end(),
                       [](char C) { return (C & 0xC0) != 0x80; });
}

} // namespace pipeline_rewrite
