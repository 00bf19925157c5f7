#include "Budget/Occupancy.h"

#include "Rules.h"

#include <fstream>
#include <sstream>

using namespace pipeline_rewrite;

namespace {

BlockResources dynamicBlock(uint64_t Bytes, unsigned Threads = 128,
                            unsigned Registers = 16) {
  BlockResources Block;
  Block.Threads = Threads;
  Block.RegistersPerThread = Registers;
  Block.DynamicShared = Bytes;
  return Block;
}

unsigned blocks(const char *Name, const BlockResources &Block) {
  return computeOccupancy(arch(Name), Block).BlocksPerSM;
}

// research/pipelining.md E.3.
struct Cliffs {
  std::vector<const char *> Archs;
  uint64_t Bytes[6];
};
const Cliffs Known[] = {
    {{"sm_70", "sm_72"}, {98304, 49152, 32768, 24576, 19456, 16384}},
    {{"sm_75"}, {65536, 32768, 21760, 16384, 13056, 10752}},
    {{"sm_80", "sm_87"}, {166912, 82944, 54912, 40960, 32512, 26880}},
    {{"sm_86", "sm_88", "sm_89", "sm_120", "sm_121"},
     {101376, 50176, 33024, 24576, 19456, 16000}},
    {{"sm_90", "sm_100", "sm_103", "sm_110"},
     {232448, 115712, 76800, 57344, 45568, 37888}},
};

TEST(Occupancy, TwoBlocksEndAt49KiBOnSm86) {
  EXPECT_EQ(2u, blocks("sm_86", dynamicBlock(50176)));
  EXPECT_EQ(1u, blocks("sm_86", dynamicBlock(50177)));
  // The often-quoted 50 KB, and a size in between from the field.
  EXPECT_EQ(1u, blocks("sm_86", dynamicBlock(51200)));
  EXPECT_EQ(1u, blocks("sm_86", dynamicBlock(50496)));
  EXPECT_EQ(2u, blocks("sm_86", dynamicBlock(49984)));
}

TEST(Occupancy, CliffsAreExactOnEveryArch) {
  unsigned Seen = 0;
  for (const Cliffs &Row : Known)
    for (const char *Name : Row.Archs) {
      ++Seen;
      for (unsigned N = 1; N <= 6; ++N) {
        uint64_t Edge = Row.Bytes[N - 1];
        EXPECT_EQ(Edge, maxSharedForBlocks(arch(Name), N)) << Name << " " << N;
        EXPECT_EQ(N, blocks(Name, dynamicBlock(Edge))) << Name << " " << Edge;
        EXPECT_EQ(N - 1, blocks(Name, dynamicBlock(Edge + 1)))
            << Name << " " << Edge + 1;
      }
    }
  EXPECT_EQ(archTable().all().size(), Seen);
}

TEST(Occupancy, CliffOfNoBlocksIsNothing) {
  EXPECT_EQ(0u, maxSharedForBlocks(arch("sm_86"), 0));
  EXPECT_EQ(0u, maxSharedForBlocks(arch("sm_86"), 100));
}

// Doubling a tile of S KB, 256 threads and 64 registers: E.3, last line.
TEST(Occupancy, DoublingATile) {
  struct {
    const char *Name;
    double KB;
    unsigned Before, After;
  } Rows[] = {{"sm_86", 8, 4, 4},  {"sm_86", 16, 4, 3},   {"sm_86", 20, 4, 2},
              {"sm_86", 24, 4, 2}, {"sm_86", 24.5, 3, 2}, {"sm_86", 25, 3, 1},
              {"sm_86", 32, 3, 1}, {"sm_86", 48, 2, 1},   {"sm_80", 24, 4, 3},
              {"sm_80", 32, 4, 2}, {"sm_80", 48, 3, 1},   {"sm_90", 32, 4, 3},
              {"sm_90", 40, 4, 2}, {"sm_75", 12, 4, 2},   {"sm_75", 32, 2, 1},
              {"sm_75", 40, 1, 0}};
  for (const auto &Row : Rows) {
    uint64_t Bytes = uint64_t(Row.KB * 1024);
    EXPECT_EQ(Row.Before, blocks(Row.Name, dynamicBlock(Bytes, 256, 64)))
        << Row.Name << " " << Row.KB;
    EXPECT_EQ(Row.After, blocks(Row.Name, dynamicBlock(2 * Bytes, 256, 64)))
        << Row.Name << " twice " << Row.KB;
  }
}

TEST(Occupancy, RegistersLimitOnSm86) {
  EXPECT_EQ(4u, blocks("sm_86", dynamicBlock(0, 256, 64)));
  EXPECT_EQ(3u, blocks("sm_86", dynamicBlock(0, 256, 65)));
  EXPECT_EQ(3u, blocks("sm_86", dynamicBlock(0, 256, 80)));
  EXPECT_EQ(2u, blocks("sm_86", dynamicBlock(0, 256, 81)));
  EXPECT_EQ(2u, blocks("sm_86", dynamicBlock(0, 256, 128)));
  EXPECT_EQ(1u, blocks("sm_86", dynamicBlock(0, 256, 129)));
}

TEST(Occupancy, NamesTheLimit) {
  auto Limit = [](const BlockResources &Block) {
    return computeOccupancy(arch("sm_86"), Block).Limit;
  };
  EXPECT_EQ(OccupancyLimit::Shared, Limit(dynamicBlock(40000)));
  EXPECT_EQ(OccupancyLimit::Registers, Limit(dynamicBlock(0, 256, 128)));
  EXPECT_EQ(OccupancyLimit::Warps, Limit(dynamicBlock(0, 1024, 16)));
  EXPECT_EQ(OccupancyLimit::Blocks, Limit(dynamicBlock(0, 32, 16)));
  EXPECT_EQ(OccupancyLimit::Illegal, Limit(dynamicBlock(101377)));
  EXPECT_EQ(OccupancyLimit::Illegal, Limit(dynamicBlock(0, 1025)));
  EXPECT_EQ(OccupancyLimit::Illegal, Limit(dynamicBlock(0, 0)));
  EXPECT_EQ(OccupancyLimit::Illegal, Limit(dynamicBlock(0, 1024, 128)));
  BlockResources Barriers = dynamicBlock(0, 32, 16);
  Barriers.Barriers = 4;
  Occupancy Many = computeOccupancy(arch("sm_90"), Barriers);
  EXPECT_EQ(OccupancyLimit::Barriers, Many.Limit);
  EXPECT_EQ(16u, Many.BlocksPerSM);
}

TEST(Occupancy, StaticArraysEndAt48KiBEverywhere) {
  for (const Arch &A : archTable().all()) {
    BlockResources Block;
    Block.Threads = 128;
    Block.StaticShared = 49152;
    EXPECT_NE(0u, computeOccupancy(A, Block).BlocksPerSM) << A.Name;
    Block.StaticShared = 49153;
    EXPECT_EQ(0u, computeOccupancy(A, Block).BlocksPerSM) << A.Name;
    Block.StaticShared = 0;
    Block.DynamicShared = 49153;
    EXPECT_NE(0u, computeOccupancy(A, Block).BlocksPerSM) << A.Name;
    Block.OptIn = false;
    EXPECT_EQ(0u, computeOccupancy(A, Block).BlocksPerSM) << A.Name;
  }
}

TEST(Occupancy, CarveoutRoundsUpToASupportedSplit) {
  BlockResources Block = dynamicBlock(15 * 1024);
  Block.CarveoutPercent = 10; // 10 KB of 100: the 16 KB split, one block.
  EXPECT_EQ(1u, blocks("sm_86", Block));
  Block.CarveoutPercent = 33; // 64 KB.
  EXPECT_EQ(4u, blocks("sm_86", Block));
  Block.CarveoutPercent = 0; // No preference stands against the launch itself.
  EXPECT_EQ(1u, blocks("sm_86", Block));
}

TEST(Occupancy, TheoreticalIsResidentWarpsOverMost) {
  Occupancy Result =
      computeOccupancy(arch("sm_86"), dynamicBlock(24576, 256, 64));
  EXPECT_EQ(4u, Result.BlocksPerSM);
  EXPECT_EQ(32u, Result.Warps);
  EXPECT_DOUBLE_EQ(32.0 / 48, Result.Theoretical);
}

// What the driver of an H200 answered, see rules/measure/occupancy.cu.
TEST(Occupancy, EqualsTheDriverOfAnH200) {
  std::ifstream In(std::string(PR_SOURCE_DIR) +
                   "/test/unit/Budget/Inputs/occupancy-sm_90.csv");
  ASSERT_TRUE(In.good());
  unsigned Rows = 0;
  for (std::string Line; std::getline(In, Line);) {
    if (Line.empty() || Line[0] == '#')
      continue;
    BlockResources Block;
    unsigned Answer = 0;
    char Comma;
    std::istringstream Fields(Line);
    Fields >> Block.Threads >> Comma >> Block.RegistersPerThread >> Comma >>
        Block.StaticShared >> Comma >> Block.DynamicShared >> Comma >> Answer;
    ASSERT_FALSE(Fields.fail()) << Line;
    EXPECT_EQ(Answer, blocks("sm_90", Block)) << Line;
    ++Rows;
  }
  EXPECT_EQ(4096u, Rows);
}

} // namespace
