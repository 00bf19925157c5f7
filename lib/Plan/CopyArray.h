/// \file
/// One private element for each time that a statement of the copy phase runs.
#pragma once

#include "Legality/CopySlice.h"
#include "llvm/ADT/StringRef.h"
#include <variant>

namespace pipeline_rewrite {

/// The array that holds something of each round of the copy loops around a
/// statement. Every index of it is a constant once they are unrolled.
struct CopyArray {
  std::vector<std::string> Extents; ///< one a copy loop around it
  std::string Index;                ///< `[o / strideA]`, empty without a loop
  std::optional<uint64_t> Count;    ///< elements per thread, where known
  /// A copy loop starts where the thread says: no index is a constant, whatever
  /// is unrolled.
  bool Shifted = false;
  /// In several copy loops whose counts depend on the thread: compilers keep
  /// such an array in local memory (seen with CUDA 13.0; of one such loop they do
  /// not). On one H200 ldg then runs 0.87x where cp-async gains 1.20x
  /// (conv2d_channels, bench/results).
  bool Uneven = false;

  /// `int4 As_next[BM * Slabs / Threads]`
  std::string declare(llvm::StringRef Type, llvm::StringRef Name) const;
};

/// Why there is no such array, at the loop that stands in the way.
struct NoCopyArray {
  const Node *At = nullptr;
  std::string Why;
};

std::variant<CopyArray, NoCopyArray> copyArray(const LoopFacts &Facts,
                                               const CopyLeaf &Leaf);

/// Does \p Text name a variable that the loop's body declares?
bool namesLocal(const LoopFacts &Facts, llvm::StringRef Text);

} // namespace pipeline_rewrite
