/// \file
/// How far two places are apart, where both move in steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pipeline_rewrite {

/// What a distance may grow by: `Stride * i`, for each i from Least to Most, or
/// for each there is.
struct Move {
  int64_t Stride = 0;
  std::optional<int64_t> Least, Most;
  /// Zero is the same round of a loop around both stores.
  bool OfRounds = false;
};

/// From the one store's place to the other's, in bytes.
struct Distance {
  int64_t Constant = 0;
  int64_t Below = 0, Above = 0; ///< of what is known by its bounds alone
  std::vector<Move> Moves;
  /// Of one store in two rounds of a loop: what they are apart by, at least.
  std::optional<int64_t> AtLeast;
};

/// May \p LeftBytes at the one place and \p RightBytes at the other overlap?
/// \param NotSameRound the two are never reached in the same round of all loops.
bool mayOverlap(const Distance &D, int64_t LeftBytes, int64_t RightBytes,
                bool NotSameRound);

} // namespace pipeline_rewrite
