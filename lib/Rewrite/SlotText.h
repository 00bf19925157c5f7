/// \file
/// Declarations of tiles in static shared memory, with slots.
#pragma once

#include "Rewrite/Edits.h"

namespace pipeline_rewrite {

/// What the loops of a function want of one tile's declaration.
struct SlottedTile {
  const SharedVariable *Variable = nullptr;
  const TilePlan *Tile = nullptr;
  unsigned Stages = 0;
  unsigned Alignment = 0; ///< to be declared, 0: as written
  bool BindFirst = false; ///< the author's name is needed for slot 0
};

/// The edits, in order, of one declaration statement that gives \p Tiles, all that
/// it declares, their slots. \p Break starts a new line with its indentation.
std::vector<SourceEdit> slottedDeclaration(llvm::ArrayRef<SlottedTile> Tiles,
                                           llvm::StringRef Buffer,
                                           llvm::StringRef Break);

/// The class that pads \p Tile's slots, with \p Member as the author declares it:
/// `struct __align__(16) As_slot { float As[33]; };`
std::string slotClass(const TilePlan &Tile, const std::string &Member);

} // namespace pipeline_rewrite
