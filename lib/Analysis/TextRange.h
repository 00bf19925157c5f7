#pragma once

namespace pipeline_rewrite {

/// Half-open byte range [Begin, End) of the loop's file.
struct TextRange {
  unsigned Begin = 0;
  unsigned End = 0;
  bool empty() const { return Begin >= End; }
  bool contains(const TextRange &Other) const {
    return Begin <= Other.Begin && Other.End <= End;
  }
};

} // namespace pipeline_rewrite
