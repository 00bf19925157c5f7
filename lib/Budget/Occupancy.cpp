#include "Budget/Occupancy.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace pipeline_rewrite {
namespace {

constexpr unsigned Unlimited = Occupancy::Unlimited;

// The smallest supported split that holds Bytes; the largest where none does.
uint64_t carveoutFor(const Arch &A, uint64_t Bytes) {
  for (unsigned Size : A.CarveoutsKB)
    if (uint64_t(Size) * 1024 >= Bytes)
      return uint64_t(Size) * 1024;
  return A.SharedPerSM;
}

unsigned sharedLimit(const Arch &A, const BlockResources &Block) {
  uint64_t User = Block.StaticShared + Block.DynamicShared;
  uint64_t Allowed = Block.OptIn ? A.SharedOptin : A.SharedStaticMax;
  if (Block.StaticShared > A.SharedStaticMax || User > Allowed)
    return 0;
  uint64_t Allocated =
      llvm::alignTo(User + A.SharedReserved, A.SharedGranularity);
  if (Allocated == 0)
    return Unlimited;
  uint64_t Split = A.SharedPerSM;
  if (Block.CarveoutPercent) {
    // A preference is only that: a block that needs more gets more.
    Split = carveoutFor(A, A.SharedPerSM * *Block.CarveoutPercent / 100);
    if (Split < Allocated)
      Split = carveoutFor(A, Allocated);
  }
  return unsigned(Split / Allocated);
}

unsigned registerLimit(const Arch &A, const BlockResources &Block,
                       unsigned Warps) {
  if (Block.RegistersPerThread == 0)
    return Unlimited;
  if (Block.RegistersPerThread > A.RegisterLaunchLimit)
    return 0;
  uint64_t PerWarp = llvm::alignTo(
      uint64_t(Block.RegistersPerThread) * A.WarpSize, A.RegisterUnit);
  // The launch is checked as if the warps filled every register file evenly.
  if (PerWarp * llvm::alignTo(Warps, A.RegisterFiles) > A.RegistersPerBlock)
    return 0;
  uint64_t WarpsPerFile = A.RegistersPerSM / A.RegisterFiles / PerWarp;
  return unsigned(WarpsPerFile * A.RegisterFiles / Warps);
}

unsigned barrierLimit(const Arch &A, const BlockResources &Block) {
  if (A.BarriersPerSM == 0 || Block.Barriers == 0)
    return Unlimited;
  return A.BarriersPerSM / Block.Barriers;
}

} // namespace

Occupancy computeOccupancy(const Arch &A, const BlockResources &Block) {
  Occupancy Result;
  if (Block.Threads == 0)
    return Result;
  unsigned Warps = unsigned(llvm::divideCeil(Block.Threads, A.WarpSize));
  Result.BlockLimitShared = sharedLimit(A, Block);
  Result.BlockLimitRegisters = registerLimit(A, Block, Warps);
  Result.BlockLimitWarps =
      Block.Threads > A.MaxThreadsPerBlock ? 0 : A.MaxWarpsPerSM / Warps;
  Result.BlockLimitBlocks = A.MaxBlocksPerSM;
  Result.BlockLimitBarriers = barrierLimit(A, Block);

  const std::pair<unsigned, OccupancyLimit> Limits[] = {
      {Result.BlockLimitShared, OccupancyLimit::Shared},
      {Result.BlockLimitRegisters, OccupancyLimit::Registers},
      {Result.BlockLimitWarps, OccupancyLimit::Warps},
      {Result.BlockLimitBlocks, OccupancyLimit::Blocks},
      {Result.BlockLimitBarriers, OccupancyLimit::Barriers}};
  // The first of equals is named, in the order of the enumeration.
  auto Least = std::min_element(
      std::begin(Limits), std::end(Limits),
      [](const auto &X, const auto &Y) { return X.first < Y.first; });
  Result.BlocksPerSM = Least->first;
  Result.Limit = Least->first ? Least->second : OccupancyLimit::Illegal;
  Result.Warps = Result.BlocksPerSM * Warps;
  Result.Theoretical = double(Result.Warps) / A.MaxWarpsPerSM;
  return Result;
}

uint64_t maxSharedForBlocks(const Arch &A, unsigned Blocks) {
  if (Blocks == 0)
    return 0;
  uint64_t Share = llvm::alignDown(A.SharedPerSM / Blocks, A.SharedGranularity);
  if (Share <= A.SharedReserved)
    return 0;
  return std::min(Share - A.SharedReserved, A.SharedOptin);
}

} // namespace pipeline_rewrite
