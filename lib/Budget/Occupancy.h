#pragma once

#include "Budget/Arch.h"

#include <cstdint>
#include <optional>

namespace pipeline_rewrite {

/// What one block of a kernel needs.
struct BlockResources {
  unsigned Threads = 0;            ///< Threads a block.
  unsigned RegistersPerThread = 0; ///< 0 where nothing is known: no limit.
  uint64_t StaticShared = 0;       ///< Bytes in __shared__ arrays.
  uint64_t DynamicShared = 0;      ///< Bytes given at the launch.
  unsigned Barriers = 1; ///< Named barriers in use, __syncthreads is one.
  bool OptIn = true; ///< The launch raises its limit with cudaFuncSetAttribute.
  std::optional<unsigned> CarveoutPercent; ///< Preferred split; none: largest.
};

/// What keeps a further block from being resident.
enum class OccupancyLimit {
  Shared,
  Registers,
  Warps,
  Blocks,
  Barriers,
  Illegal
};

/// The spelling used in reports: "shared", "registers", ...
constexpr const char *toString(OccupancyLimit Limit) {
  switch (Limit) {
  case OccupancyLimit::Shared:
    return "shared";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::Warps:
    return "warps";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::Barriers:
    return "barriers";
  case OccupancyLimit::Illegal:
    return "illegal";
  }
  return "";
}

/// How many blocks are resident on one multiprocessor, and why not more.
struct Occupancy {
  /// A resource that sets no limit (no shared memory, no registers known).
  static constexpr unsigned Unlimited = ~0u;

  unsigned BlocksPerSM = 0;
  unsigned Warps = 0; ///< Resident warps, blocks times warps a block.
  /// The first of the enumeration's order that allows no more than BlocksPerSM;
  /// Illegal where not even one block can be launched.
  OccupancyLimit Limit = OccupancyLimit::Illegal;
  unsigned BlockLimitShared = 0;
  unsigned BlockLimitRegisters = 0;
  unsigned BlockLimitWarps = 0;
  unsigned BlockLimitBlocks = 0;
  unsigned BlockLimitBarriers = Unlimited;
  double Theoretical = 0; ///< Resident warps over the most possible, 0 to 1.
};

/// Blocks of \p Block that fit on one multiprocessor of \p A. Never fails: what
/// cannot be launched has no blocks and Limit Illegal.
Occupancy computeOccupancy(const Arch &A, const BlockResources &Block);

/// The cliff: the largest shared memory per block, in bytes, static and dynamic
/// together, with which \p Blocks blocks are resident as far as shared memory
/// goes. 0 where that many never fit.
uint64_t maxSharedForBlocks(const Arch &A, unsigned Blocks);

} // namespace pipeline_rewrite
