/// \file
/// The copy slice: what must run ahead so that the next tile can set off.
#pragma once

#include "Legality/Verdict.h"

namespace pipeline_rewrite {

/// What a statement of the copy phase has to do with the tiles.
struct LeafRole {
  bool Stores = false;  ///< writes a tile
  bool Value = false;   ///< defines a private value that reaches a tile
  bool Address = false; ///< defines what an address, guard or bound needs
};

/// The private state that has to run ahead of the compute phase.
struct CopySlice {
  /// Carried variables the slice reads at the loop's head and the loop changes.
  std::set<VarId> Ahead;
  /// Variables that decide where, whether and how much is copied.
  std::set<VarId> AddressVars;
  /// Private variables whose values end up in a tile.
  std::set<VarId> ValueVars;
  /// Statements behind the copy's barrier that advance the slice.
  std::vector<size_t> Updates;
  /// Increments of the header that advance it.
  std::vector<size_t> Increments;
  /// Why the slice cannot run ahead.
  std::vector<Reason> Failures;
};

/// Leaves of the copy phase with the control statements around them.
struct CopyLeaf {
  const Node *Statement = nullptr;
  std::vector<const Node *> Control; ///< outermost first
};
std::vector<CopyLeaf> copyLeaves(const LoopFacts &Facts, const Phases &Split);

/// True if \p N advances what an address needs by more than its loads do
/// themselves (`A[i++]` is captured with the load).
bool advancesAddress(const Node &N, const CopySlice &Slice);

LeafRole roleOf(const CopyLeaf &Leaf, const CopySlice &Slice,
                const std::set<ObjectId> &Tiles);

/// \param WithDestinations also run the destination's indices ahead (needed
/// for an asynchronous copy; the store half of ldg comes later).
CopySlice sliceCopies(const LoopFacts &Facts, const Phases &Split,
                      const std::set<ObjectId> &Tiles);

/// Variables that change from iteration to iteration, directly or through what
/// the body derives from them; counters of inner copy loops excepted.
std::set<VarId> variantVariables(const LoopFacts &Facts, const Phases &Split);

} // namespace pipeline_rewrite
