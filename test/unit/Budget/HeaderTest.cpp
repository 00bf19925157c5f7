// Occupancy against NVIDIA's calculator, where the toolkit is installed.
#include "Budget/Occupancy.h"

#include "Rules.h"

#include <climits>
#include <cstdlib>
#include <random>

#if __has_include("/usr/local/cuda/include/cuda_occupancy.h")
#include "/usr/local/cuda/include/cuda_occupancy.h"
#define PR_HAVE_CUDA_OCCUPANCY 1
#elif __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define PR_HAVE_CUDA_OCCUPANCY 1
#endif

using namespace pipeline_rewrite;

#ifdef PR_HAVE_CUDA_OCCUPANCY
namespace {

cudaOccDeviceProp deviceOf(const Arch &A) {
  cudaOccDeviceProp Device;
  Device.computeMajor = int(A.Major);
  Device.computeMinor = int(A.Minor);
  Device.maxThreadsPerBlock = int(A.MaxThreadsPerBlock);
  Device.maxThreadsPerMultiprocessor = int(A.MaxWarpsPerSM * A.WarpSize);
  Device.regsPerBlock = int(A.RegistersPerBlock);
  Device.regsPerMultiprocessor = int(A.RegistersPerSM);
  Device.warpSize = int(A.WarpSize);
  Device.sharedMemPerBlock = A.SharedStaticMax;
  Device.sharedMemPerMultiprocessor = A.SharedPerSM;
  Device.numSms = 1;
  Device.sharedMemPerBlockOptin = A.SharedOptin;
  Device.reservedSharedMemPerBlock = A.SharedReserved;
  return Device;
}

// The answer of the header for the same block; -1 where it refuses to answer.
int headerBlocks(const Arch &A, const BlockResources &Block,
                 cudaOccResult &Result) {
  cudaOccDeviceProp Device = deviceOf(A);
  cudaOccFuncAttributes Kernel;
  Kernel.maxThreadsPerBlock = INT_MAX;
  Kernel.numRegs = int(Block.RegistersPerThread);
  Kernel.sharedSizeBytes = Block.StaticShared;
  Kernel.shmemLimitConfig =
      Block.OptIn ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
  Kernel.maxDynamicSharedSizeBytes = Block.DynamicShared;
  Kernel.numBlockBarriers = int(Block.Barriers);
  cudaOccDeviceState State;
  State.carveoutConfig =
      Block.CarveoutPercent ? int(*Block.CarveoutPercent) : -1;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(
          &Result, &Device, &Kernel, &State, int(Block.Threads),
          Block.DynamicShared) != CUDA_OCC_SUCCESS)
    return -1;
  return Result.activeBlocksPerMultiprocessor;
}

unsigned asUnsigned(int Limit) {
  return Limit == INT_MAX ? Occupancy::Unlimited : unsigned(Limit);
}

// What a compiler can build: static arrays within the static limit.
BlockResources drawBlock(std::mt19937_64 &Random, const Arch &A) {
  auto Below = [&](uint64_t End) { return Random() % End; };
  BlockResources Block;
  Block.Threads = unsigned(1 + Below(1100));
  if (Below(2))
    Block.Threads = (Block.Threads + 31) / 32 * 32;
  Block.RegistersPerThread = unsigned(Below(270));
  if (Below(2))
    Block.StaticShared = Below(A.SharedStaticMax + 1);
  if (Below(2))
    Block.DynamicShared = Below(Below(2) ? A.SharedOptin + 4096 : 40000);
  // Half of the draws stand at a cliff or one byte beside it.
  if (Below(2)) {
    uint64_t Edge = maxSharedForBlocks(A, unsigned(1 + Below(16)));
    uint64_t Wanted = Edge + Below(3);
    Wanted = Wanted ? Wanted - 1 : 0;
    Block.StaticShared = std::min(Block.StaticShared, Wanted);
    Block.DynamicShared = Wanted - Block.StaticShared;
  }
  Block.Barriers = unsigned(Below(17));
  Block.OptIn = Below(4) != 0;
  if (Below(3) == 0)
    Block.CarveoutPercent = unsigned(Below(101));
  return Block;
}

std::string describe(const Arch &A, const BlockResources &Block) {
  return A.Name + ": threads " + std::to_string(Block.Threads) +
         ", registers " + std::to_string(Block.RegistersPerThread) +
         ", static " + std::to_string(Block.StaticShared) + ", dynamic " +
         std::to_string(Block.DynamicShared) + ", barriers " +
         std::to_string(Block.Barriers) + ", opt-in " +
         std::to_string(Block.OptIn) + ", carve-out " +
         (Block.CarveoutPercent ? std::to_string(*Block.CarveoutPercent)
                                : "none");
}

// A million draws by default; PR_OCCUPANCY_DRAWS asks for another number.
uint64_t draws() {
  const char *Text = std::getenv("PR_OCCUPANCY_DRAWS");
  return Text ? std::strtoull(Text, nullptr, 10) : 1000000;
}

TEST(OccupancyHeader, EqualsCudaOccupancyHeader) {
  std::mt19937_64 Random(20240229);
  llvm::ArrayRef<Arch> Archs = archTable().all();
  uint64_t Differences = 0, Resident = 0;
  for (uint64_t I = 0; I < draws() && Differences < 10; ++I) {
    const Arch &A = Archs[I % Archs.size()];
    BlockResources Block = drawBlock(Random, A);
    Occupancy Ours = computeOccupancy(A, Block);
    cudaOccResult Theirs;
    int Blocks = headerBlocks(A, Block, Theirs);
    bool Same =
        Blocks >= 0 && Ours.BlocksPerSM == unsigned(Blocks) &&
        Ours.BlockLimitShared == asUnsigned(Theirs.blockLimitSharedMem) &&
        Ours.BlockLimitRegisters == asUnsigned(Theirs.blockLimitRegs) &&
        Ours.BlockLimitWarps == asUnsigned(Theirs.blockLimitWarps) &&
        Ours.BlockLimitBlocks == asUnsigned(Theirs.blockLimitBlocks) &&
        Ours.BlockLimitBarriers == asUnsigned(Theirs.blockLimitBarriers);
    if (!Same) {
      ++Differences;
      ADD_FAILURE() << describe(A, Block) << "\n  ours " << Ours.BlocksPerSM
                    << ", header " << Blocks << "; shared "
                    << Ours.BlockLimitShared << "/"
                    << Theirs.blockLimitSharedMem << ", registers "
                    << Ours.BlockLimitRegisters << "/" << Theirs.blockLimitRegs
                    << ", warps " << Ours.BlockLimitWarps << "/"
                    << Theirs.blockLimitWarps << ", barriers "
                    << Ours.BlockLimitBarriers << "/"
                    << Theirs.blockLimitBarriers;
    }
    Resident += Ours.BlocksPerSM != 0;
  }
  // The draws are of use only while most of them can be launched.
  EXPECT_GT(Resident, draws() / 3);
}

TEST(OccupancyHeader, CliffsEqualTheHeader) {
  for (const Arch &A : archTable().all())
    for (unsigned N = 1; N <= A.MaxBlocksPerSM; ++N) {
      BlockResources Block;
      Block.Threads = 32;
      Block.RegistersPerThread = 16;
      for (uint64_t Beyond : {0, 1}) {
        Block.DynamicShared = maxSharedForBlocks(A, N) + Beyond;
        cudaOccResult Result;
        int Blocks = headerBlocks(A, Block, Result);
        EXPECT_EQ(Beyond == 0, Blocks >= int(N)) << describe(A, Block);
      }
    }
}

} // namespace
#else
TEST(OccupancyHeader, EqualsCudaOccupancyHeader) {
  GTEST_SKIP() << "no cuda_occupancy.h on this machine";
}
#endif
