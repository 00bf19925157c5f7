#pragma once

#include "Budget/Occupancy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What the stage count is chosen from.
struct StageRequest {
  const Arch *Machine = nullptr;
  BlockResources OneSlot;      ///< The kernel as written.
  uint64_t BytesPerSlot = 0;   ///< Shared bytes that each further slot adds.
  uint64_t FirstPadding = 0; ///< What the first takes more as one of several.
  bool Dynamic = false;        ///< The tiles lie in dynamic shared memory.
  /// Dynamic bytes with one, two, ... slots, where slots lie in a block that
  /// holds other things too; empty where they do not.
  std::vector<uint64_t> DynamicByStages;
  unsigned RegistersPiped = 0; ///< Registers a thread after; 0: unchanged.
  bool AllowCliff = false;     ///< Resident blocks may be lost.
  unsigned Wanted = 0;         ///< --stages; 0 chooses.
  unsigned MaxStages = 2;      ///< The most that 0 may choose.
};

/// One stage count and what it costs.
struct StageCost {
  unsigned Stages = 0;
  uint64_t SharedBytes = 0; ///< Static and dynamic together.
  Occupancy Residency;
  bool Fits = false;       ///< It can be compiled and launched.
  unsigned BlocksLost = 0; ///< Against the kernel as written.
  std::string Why;         ///< The arithmetic, one sentence.
};

/// A smaller tile that would have fitted.
struct TileHint {
  uint64_t MaxBytesPerSlot = 0; ///< The largest slot of which two fit.
  unsigned Divisor = 2;         ///< Power of two to divide a tile side by.
  uint64_t BytesPerSlot = 0;    ///< What a slot then takes.
  Occupancy Residency;          ///< With two slots of that size.
};

/// The decision. Stages is 1 where no count of two or more is allowed; then
/// Reason says why and Nearest which tile would do.
struct StageChoice {
  unsigned Stages = 1;
  Occupancy Before, After;
  uint64_t SharedBefore = 0, SharedAfter = 0; ///< Bytes per block.
  bool HardLimit = false;        ///< Two slots do not fit at all, cliff or not.
  bool Reduced = false;          ///< Fewer than was wanted.
  std::optional<StageCost> Next; ///< What one stage more would cost.
  std::vector<StageCost>
      Table; ///< Stage counts 1 to 8, as far as they fit, and one more.
  std::string Reason; ///< One or two sentences with the arithmetic.
  std::optional<TileHint> Nearest;
};

/// The largest stage count, up to the wanted or the most allowed one, that can
/// be launched and loses no resident block (with AllowCliff: that can be
/// launched). Static tiles never pass the architecture's static limit.
StageChoice chooseStages(const StageRequest &Request);

} // namespace pipeline_rewrite
