/// \file
/// The two drawings of the HTML page, as SVG without any style of its own: the
/// page's style sheet colours them by class.
#pragma once

#include "Report/Result.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// Resident blocks over shared memory per block, with the kernel as written and
/// the rewrite marked. Empty where the sizes or the machine are not known.
std::string staircaseSvg(const RunResult &Run, const LoopResult &Loop);

/// How long the copy and the compute phase of one tile take, in clocks.
struct PhaseLengths {
  double Copy = 1, Compute = 1;
  bool Schematic = true; ///< Nothing is known; the lengths say nothing.
  std::string Basis;     ///< Where they come from, for the caption.
};
PhaseLengths phaseLengths(const RunResult &Run, const LoopResult &Loop);

/// One tile in the timeline of a stage count.
struct TileSpan {
  unsigned Slot = 0;
  double CopyBegin = 0, CopyEnd = 0, ComputeBegin = 0, ComputeEnd = 0;
};

/// When the first \p Tiles tiles are copied and computed with \p Slots slots: a
/// copy begins when its slot has been read, a compute phase when its tile is
/// there and the one before is done.
std::vector<TileSpan> scheduleTiles(const PhaseLengths &Lengths, unsigned Slots,
                                    unsigned Tiles);

/// Copy and compute over time, one lane a slot, one group a stage count.
std::string timelineSvg(const RunResult &Run, const LoopResult &Loop);

} // namespace pipeline_rewrite
