/// \file
/// Where the lines of a text are found again after it was edited.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <utility>
#include <vector>

namespace pipeline_rewrite {

class LineMap {
public:
  LineMap(llvm::StringRef Before, llvm::StringRef After);

  /// Lines [First, Last] of the text before, with everything that was put in
  /// there: what stands between the nearest unchanged lines around them.
  std::pair<unsigned, unsigned> after(unsigned First, unsigned Last) const;

private:
  /// By line of the text before (from 1): its number after, 0 if it is gone.
  std::vector<unsigned> Kept;
  unsigned LastAfter = 0;
};

} // namespace pipeline_rewrite
