/// \file
/// The steady-state loop of a kernel in machine code, measured.
#pragma once

#include "Sass/Opcodes.h"

namespace pipeline_rewrite {

/// Lines [First, Last] of a file; First 0: everywhere.
struct SassLines {
  std::string File;
  unsigned First = 0, Last = 0;
  bool contain(unsigned Line) const { return Line >= First && Line <= Last; }
};

/// What one pass through a loop holds. Instructions are counted as they stand:
/// one in an inner loop counts once.
struct SteadyLoop {
  uint64_t Header = 0;      ///< address of the first instruction
  std::vector<size_t> Body; ///< as SassLoop::Body
  std::vector<bool> IsTileLoad, IsTileStore, IsMath; ///< by index in Body

  SassMath Kind = SassMath::None;
  std::string MathOpcode; ///< the most frequent of that kind, `FFMA`
  unsigned Math = 0;
  unsigned TileLoads = 0;   ///< LDG whose value reaches shared memory
  unsigned OtherLoads = 0;  ///< other LDG
  unsigned AsyncCopies = 0; ///< LDGSTS
  unsigned TileStores = 0;  ///< STS of a value that an LDG brought
  uint64_t TileBytes = 0;   ///< of a thread, by loads and asynchronous copies
  unsigned Barriers = 0, Commits = 0;
  std::vector<unsigned> Pending; ///< N of each asynchronous wait
  unsigned LocalLoads = 0, LocalStores = 0;
  /// Stretches between two barriers that hold a tile's loads: the tiles that one
  /// pass handles, more than one where the compiler unrolled the loop.
  unsigned Tiles = 1;
  bool MathInInnerLoop = false, CopyInInnerLoop = false;

  /// A tile's loads meet a barrier before any arithmetic.
  bool BarrierBeforeMath = false;
  unsigned MathBeforeLoads = 0; ///< in front of the last load, all tiles
  unsigned MathAfterStores = 0; ///< behind the first store, all tiles
  /// Arithmetic between a load and the first wait for it, as a share of a
  /// tile's; the mean over all loads, and the least.
  double Overlap = 0, WorstOverlap = 0;
  size_t WorstLoad = 0; ///< index in Body of the load with the least
  size_t WorstWait = 0; ///< index in Body of the wait for it

  // From the control bits; zero where the listing has none.
  bool HasControl = false;
  unsigned StallCycles = 0; ///< the sum of all stall counts
  /// The part of it between the worst load and the wait for it: cycles that one
  /// warp has something else to issue.
  unsigned CoveredCycles = 0;
  unsigned Yields = 0;
  /// Instructions that wait for a shared load. Many in a row mean that the
  /// fragments are fetched one by one instead of ahead of their use.
  unsigned SharedWaits = 0;

  /// Do all copies set off behind the arithmetic, and does each wait leave a
  /// group of them in flight through that of the next pass?
  bool staysInFlight() const;
};

/// The loops of \p F that hold a barrier, arithmetic and a tile's loads, and no
/// smaller loop that does; of those the ones whose code comes from \p Lines,
/// where the listing tells. Empty: there is none.
std::vector<SteadyLoop> findSteadyLoops(const SassFunction &F,
                                        const SassLines &Lines);

/// The line of Lines.File that \p I comes from; of inlined code the outermost
/// one among \p Lines, else the one in the kernel. 0: not known.
unsigned lineIn(const SassInstruction &I, const SassLines &Lines);

} // namespace pipeline_rewrite
