/// \file
/// One dynamic block instead of a kernel's static arrays: above 48 KB there is
/// no other way to more slots.
#pragma once

#include "Plan/Plan.h"

namespace pipeline_rewrite {

/// One array in the block.
struct LayoutPart {
  const StaticArray *Array = nullptr;
  unsigned Slots = 0; ///< 0: not a tile, stays as it is
  std::string Name;   ///< of the storage: `As_slots`, or the author's name
  bool BindFirst = false; ///< the author's name is needed for slot 0
  unsigned Alignment = 0; ///< of its place in the block, bytes
  unsigned SlotAlignment = 0; ///< to be asserted of each slot, 0: proved
  const TilePlan *Padded = nullptr; ///< its slots are padded
  std::string Size;       ///< spelled, in bytes
  bool Rounded = false; ///< its end is rounded up to the next part's alignment
};

struct SharedLayout {
  std::vector<LayoutPart> Parts; ///< in order of declaration
  uint64_t OldBytes = 0;  ///< what the launches gave before; stays in front
  unsigned Alignment = 0; ///< of the block, bytes
  uint64_t Bytes = 0;     ///< all of it, 0 unknown
  std::string Spelled;    ///< all of it, in the author's names
};

/// Why the static arrays of the kernel cannot become parts of a dynamic block,
/// as a clause; nothing if they can. \p Launches: what checkLaunches() says.
std::optional<std::string> whyArraysStay(const LoopFacts &Facts,
                                         const std::optional<Reason> &Launches);

/// The block for all static arrays of the kernel, with the slots that \p Plans
/// (of its loops, each with its facts) give to tiles.
/// \param Round some instantiation has arrays whose sizes are no multiples of
/// the alignment, so that ends are rounded up in the text.
SharedLayout
layOutShared(const std::vector<std::pair<const LoopFacts *, const LoopPlan *>> &Plans,
             bool Round);

/// \p Spelled rounded up to a multiple of \p Alignment.
std::string roundedUp(const std::string &Spelled, unsigned Alignment);

} // namespace pipeline_rewrite
