#include "Sass/LineMap.h"
#include "Support/UnifiedDiff.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace pipeline_rewrite {

static unsigned countLines(StringRef Text) {
  return Text.count('\n') + !(Text.empty() || Text.ends_with("\n"));
}

/// `@@ -12,3 +14,5 @@`: the first line of a hunk, before and after.
static std::pair<unsigned, unsigned> hunkStart(StringRef Line) {
  unsigned Old = 0, New = 0;
  Line.consume_front("@@ -");
  Line.consumeInteger(10, Old);
  Line = Line.drop_front(std::min(Line.size(), Line.find('+')));
  Line.consume_front("+");
  Line.consumeInteger(10, New);
  return {Old, New};
}

LineMap::LineMap(StringRef Before, StringRef After)
    : Kept(countLines(Before) + 1, 0), LastAfter(countLines(After)) {
  unsigned Old = 1, New = 1;
  auto Keep = [&] {
    if (Old < Kept.size())
      Kept[Old] = New;
    ++Old;
    ++New;
  };
  std::string Diff = unifiedDiff("text", Before, After);
  llvm::SmallVector<StringRef, 0> Lines;
  StringRef(Diff).split(Lines, '\n');
  bool InHunk = false;
  for (StringRef Line : Lines) {
    if (Line.starts_with("@@ -")) {
      // Everything between two hunks is unchanged.
      unsigned Start = hunkStart(Line).first;
      while (Old < Start)
        Keep();
      InHunk = true;
    } else if (InHunk && Line.starts_with(" ")) {
      Keep();
    } else if (InHunk && Line.starts_with("-")) {
      ++Old;
    } else if (InHunk && Line.starts_with("+")) {
      ++New;
    }
  }
  while (Old < Kept.size())
    Keep();
}

std::pair<unsigned, unsigned> LineMap::after(unsigned First, unsigned Last) const {
  unsigned Above = std::min<size_t>(First, Kept.size()) - 1;
  while (Above > 0 && !Kept[Above])
    --Above;
  size_t Below = size_t(Last) + 1;
  while (Below < Kept.size() && !Kept[Below])
    ++Below;
  return {Above ? Kept[Above] + 1 : 1,
          Below < Kept.size() ? Kept[Below] - 1 : LastAfter};
}

} // namespace pipeline_rewrite
