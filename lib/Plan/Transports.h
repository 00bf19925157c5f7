/// \file
/// Which copies can be asynchronous, and what the others need in registers.
#pragma once

#include "Plan/FreshNames.h"
#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// Decides for each tile whether every one of its copies qualifies for
/// cp.async: 4, 8 or 16 unchanged bytes, addressable and aligned in each slot,
/// unguarded or zero-filled. TilePlan::WhyLdg says why not.
/// \param PadTo see PlanOptions.
std::vector<TilePlan> qualifyTiles(const LoopFacts &Facts, const Verdict &V,
                                   const std::map<std::string, unsigned> &PadTo,
                                   llvm::StringRef Buffer);

/// The private variables' definitions that asynchronous copies replace.
std::set<const Node *> asyncTemporaries(const LoopFacts &Facts,
                                        const Verdict &V,
                                        const std::vector<TilePlan> &Tiles,
                                        llvm::StringRef Buffer);

/// The loads that `ldg` holds in registers for the tiles that travel by it.
/// Failures (`registers`, `macro`) are appended to \p Failures.
std::vector<StagedLoad> stageLoads(const LoopFacts &Facts, const Verdict &V,
                                   const CopySlice &Slice,
                                   const std::vector<TilePlan> &Tiles,
                                   llvm::StringRef Buffer, FreshNames &Names,
                                   std::vector<Reason> &Failures);

/// The asynchronous form of one guarded or plain copy.
struct AsyncCopy {
  const Node *Statement = nullptr; ///< the store
  const TileStore *Store = nullptr;
  const GlobalLoad *Load = nullptr;
  const Node *Temporary = nullptr; ///< the definition it goes through, if any
  TextRange Guard;                 ///< zero-fill condition, may be empty
  bool GuardNegated = false;
  const Node *ZeroArm = nullptr; ///< the store of zero that the guard replaces
  const Node *Branch = nullptr;  ///< the `if` that the guard comes from
};

/// The asynchronous copy that \p Leaf becomes, or why it cannot be one.
struct AsyncMatch {
  std::optional<AsyncCopy> Copy;
  bool IsZeroArm = false; ///< covered by the copy in the other branch
  std::string Why;
};
AsyncMatch matchAsyncCopy(const LoopFacts &Facts,
                          const std::vector<CopyLeaf> &Leaves,
                          const CopyLeaf &Leaf, const TileStore &Store,
                          llvm::StringRef Buffer);

} // namespace pipeline_rewrite
