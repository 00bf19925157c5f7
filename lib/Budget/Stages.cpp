#include "Budget/Stages.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

namespace pipeline_rewrite {
namespace {

constexpr unsigned MostStages = 8;

// 50176 as "50,176 B".
std::string bytes(uint64_t Count) {
  return llvm::formatv("{0:N} B", Count).str();
}

std::string blockCount(unsigned Blocks) {
  return std::to_string(Blocks) + (Blocks == 1 ? " block" : " blocks");
}

// The kernel's needs with Stages slots.
BlockResources withStages(const StageRequest &Request, unsigned Stages) {
  BlockResources Block = Request.OneSlot;
  uint64_t Extra = uint64_t(Stages - 1) * Request.BytesPerSlot +
                   (Stages > 1 ? Request.FirstPadding : 0);
  uint64_t Before = Block.StaticShared + Block.DynamicShared;
  (Request.Dynamic ? Block.DynamicShared : Block.StaticShared) += Extra;
  bool Edited = Request.Dynamic || Stages <= Request.DynamicByStages.size();
  if (Stages <= Request.DynamicByStages.size())
    Block.DynamicShared = Request.DynamicByStages[Stages - 1];
  // Only a launch whose size is rewritten, or that opts in already, can be
  // given more than the limit without opt-in.
  Block.OptIn =
      Block.OptIn && (Edited || Before > Request.Machine->SharedStaticMax);
  if (Stages > 1 && Request.RegistersPiped)
    Block.RegistersPerThread = Request.RegistersPiped;
  return Block;
}

// Why a block of these needs cannot be launched at all.
std::string whyIllegal(const Arch &A, const BlockResources &Block,
                       const Occupancy &Result) {
  uint64_t Shared = Block.StaticShared + Block.DynamicShared;
  if (Block.StaticShared > A.SharedStaticMax)
    return "static arrays of " + bytes(Block.StaticShared) + " pass the " +
           bytes(A.SharedStaticMax) + " that __shared__ may take on any block";
  if (Shared > A.SharedOptin)
    return bytes(Shared) + " a block pass the opt-in limit of " +
           bytes(A.SharedOptin);
  if (Result.BlockLimitShared == 0)
    return bytes(Shared) + " a block pass the " + bytes(A.SharedStaticMax) +
           " of a launch without opt-in";
  if (Result.BlockLimitRegisters == 0)
    return llvm::formatv(
               "{0} registers a thread and {1} threads pass the {2:N} "
               "registers of a block",
               Block.RegistersPerThread, Block.Threads, A.RegistersPerBlock)
        .str();
  return llvm::formatv("{0} threads a block pass the limit of {1}",
                       Block.Threads, A.MaxThreadsPerBlock)
      .str();
}

// The arithmetic of what is resident, for the resource that limits it.
std::string whyResident(const Arch &A, const BlockResources &Block,
                        const Occupancy &Result) {
  switch (Result.Limit) {
  case OccupancyLimit::Shared:
    return bytes(A.SharedPerSM) + " / (" +
           bytes(Block.StaticShared + Block.DynamicShared) + " + " +
           bytes(A.SharedReserved) +
           " reserved) = " + blockCount(Result.BlocksPerSM);
  case OccupancyLimit::Registers:
    return llvm::formatv("{0} registers x {1} threads allow {2}",
                         Block.RegistersPerThread, Block.Threads,
                         blockCount(Result.BlocksPerSM))
        .str();
  case OccupancyLimit::Warps:
    return llvm::formatv("{0} threads of {1} allow {2}", Block.Threads,
                         A.MaxWarpsPerSM * A.WarpSize,
                         blockCount(Result.BlocksPerSM))
        .str();
  case OccupancyLimit::Blocks:
    return "the machine allows " + blockCount(Result.BlocksPerSM);
  case OccupancyLimit::Barriers:
    return "the barriers allow " + blockCount(Result.BlocksPerSM);
  case OccupancyLimit::Illegal:
    break;
  }
  return whyIllegal(A, Block, Result);
}

StageCost costOf(const StageRequest &Request, const Occupancy &Before,
                 unsigned Stages) {
  const Arch &A = *Request.Machine;
  BlockResources Block = withStages(Request, Stages);
  StageCost Cost;
  Cost.Stages = Stages;
  Cost.SharedBytes = Block.StaticShared + Block.DynamicShared;
  Cost.Residency = computeOccupancy(A, Block);
  Cost.Fits = Cost.Residency.BlocksPerSM > 0;
  if (Before.BlocksPerSM > Cost.Residency.BlocksPerSM)
    Cost.BlocksLost = Before.BlocksPerSM - Cost.Residency.BlocksPerSM;
  Cost.Why = whyResident(A, Block, Cost.Residency);
  return Cost;
}

// The largest slot of which two leave the resident blocks alone, and the first
// halving of the tile that comes below it.
std::optional<TileHint> nearestTile(const StageRequest &Request,
                                    const Occupancy &Before) {
  const Arch &A = *Request.Machine;
  const BlockResources &Block = Request.OneSlot;
  uint64_t Tiles = Request.BytesPerSlot;
  uint64_t Unpadded = Tiles - Request.FirstPadding;
  uint64_t Shared = Block.StaticShared + Block.DynamicShared;
  if (Tiles < 2 || Unpadded > Shared)
    return std::nullopt;
  uint64_t Limit = maxSharedForBlocks(A, Before.BlocksPerSM);
  uint64_t Others = Shared - Unpadded;
  if (!Request.Dynamic) {
    Limit = std::min(Limit, A.SharedStaticMax + Block.DynamicShared);
    if (Shared <= A.SharedStaticMax)
      Limit = std::min(Limit, A.SharedStaticMax);
  }
  if (Limit < Others + 2)
    return std::nullopt;
  TileHint Hint;
  Hint.MaxBytesPerSlot = (Limit - Others) / 2;
  for (Hint.Divisor = 2; Tiles / Hint.Divisor > Hint.MaxBytesPerSlot;)
    Hint.Divisor *= 2;
  Hint.BytesPerSlot = Tiles / Hint.Divisor;
  StageRequest Smaller = Request;
  (Request.Dynamic ? Smaller.OneSlot.DynamicShared
                   : Smaller.OneSlot.StaticShared) += Hint.BytesPerSlot - Unpadded;
  Smaller.BytesPerSlot = Hint.BytesPerSlot;
  Smaller.FirstPadding = 0;
  Hint.Residency = computeOccupancy(A, withStages(Smaller, 2));
  // Registers may be what loses the blocks; then no tile size helps.
  if (Hint.Residency.BlocksPerSM < Before.BlocksPerSM)
    return std::nullopt;
  return Hint;
}

std::string describeRefusal(const StageChoice &Choice, const StageCost &Two) {
  std::string Text = "two slots take " + bytes(Two.SharedBytes) +
                     " of shared memory a block: " + Two.Why;
  if (Two.Fits)
    Text += ", " + blockCount(Choice.Before.BlocksPerSM) + " before (limit " +
            toString(Two.Residency.Limit) + ")";
  if (Choice.Nearest)
    Text += "; slots of up to " + bytes(Choice.Nearest->MaxBytesPerSlot) +
            " would fit, for example the tile divided by " +
            std::to_string(Choice.Nearest->Divisor);
  return Text;
}

std::string describeChoice(const StageChoice &Choice, const StageCost &Chosen) {
  std::string Text =
      llvm::formatv("{0} slots take {1} a block: {2}", Choice.Stages,
                    bytes(Chosen.SharedBytes), Chosen.Why)
          .str();
  Text += ", " + blockCount(Choice.Before.BlocksPerSM) + " before";
  if (!Choice.Next)
    return Text;
  Text += llvm::formatv("; {0} slots ", Choice.Next->Stages).str();
  if (!Choice.Next->Fits)
    return Text + "do not fit: " + Choice.Next->Why;
  if (Choice.Next->BlocksLost)
    return Text + "would lose " + blockCount(Choice.Next->BlocksLost) + ": " +
           Choice.Next->Why;
  return Text + "would still keep " +
         blockCount(Choice.Next->Residency.BlocksPerSM);
}

} // namespace

StageChoice chooseStages(const StageRequest &Request) {
  const Arch &A = *Request.Machine;
  StageChoice Choice;
  Choice.Before = computeOccupancy(A, Request.OneSlot);
  Choice.After = Choice.Before;
  Choice.SharedBefore = Choice.SharedAfter =
      Request.OneSlot.StaticShared + Request.OneSlot.DynamicShared;
  for (unsigned N = 1; N <= MostStages; ++N) {
    Choice.Table.push_back(costOf(Request, Choice.Before, N));
    if (!Choice.Table.back().Fits)
      break;
  }
  if (!Choice.Before.BlocksPerSM) {
    Choice.HardLimit = true;
    Choice.Reason = "the kernel as written cannot be launched: " +
                    whyIllegal(A, Request.OneSlot, Choice.Before);
    return Choice;
  }
  unsigned Target = Request.Wanted ? Request.Wanted : Request.MaxStages;
  auto Allowed = [&](const StageCost &Cost) {
    return Cost.Stages <= Target && Cost.Fits &&
           (!Cost.BlocksLost || Request.AllowCliff);
  };
  for (const StageCost &Cost : Choice.Table)
    if (Cost.Stages > 1 && Allowed(Cost))
      Choice.Stages = Cost.Stages;
  Choice.Reduced = Choice.Stages < Target;
  if (Choice.Table.size() > Choice.Stages)
    Choice.Next = Choice.Table[Choice.Stages];
  if (Choice.Stages == 1) {
    const StageCost &Two = Choice.Table[1];
    Choice.HardLimit = !Two.Fits;
    Choice.Nearest = nearestTile(Request, Choice.Before);
    Choice.Reason = describeRefusal(Choice, Two);
    return Choice;
  }
  const StageCost &Chosen = Choice.Table[Choice.Stages - 1];
  Choice.After = Chosen.Residency;
  Choice.SharedAfter = Chosen.SharedBytes;
  Choice.Reason = describeChoice(Choice, Chosen);
  return Choice;
}

} // namespace pipeline_rewrite
