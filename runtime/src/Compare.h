#pragma once

#include "Memory.h"

#include <string>
#include <vector>

namespace pr {

/// A copy of all device memory.
using Snapshot = std::vector<std::vector<char>>;
Snapshot takeSnapshot();
void restoreSnapshot(const Snapshot &S);

struct Tolerance {
  bool Bitwise = true;
  double Relative = 0, Absolute = 0;
  uint64_t Ulps = 0;
  std::string Type; ///< For buffers without a type of their own.
};

/// \returns a sentence about the first element that differs, empty where
/// nothing does. \p Check gets the id of the check. \p Writers are who wrote
/// the two: "the original" and "the rewritten kernel".
struct Writers {
  const char *Expected, *Actual;
};
std::string firstDifference(const Snapshot &Expected, const Snapshot &Actual,
                            const Tolerance &T, const Writers &Who,
                            const char *&Check);

} // namespace pr
