#include "Budget/Stages.h"

#include "Rules.h"

using namespace pipeline_rewrite;

namespace {

// A kernel of Tile bytes of tiles and nothing else, 256 threads, 64 registers.
StageRequest request(const char *Name, uint64_t Tile, bool Dynamic) {
  StageRequest Request;
  Request.Machine = &arch(Name);
  Request.OneSlot.Threads = 256;
  Request.OneSlot.RegistersPerThread = 64;
  (Dynamic ? Request.OneSlot.DynamicShared : Request.OneSlot.StaticShared) =
      Tile;
  Request.BytesPerSlot = Tile;
  Request.Dynamic = Dynamic;
  Request.MaxStages = 2;
  return Request;
}

TEST(Stages, TwoSlotsThatCostNothing) {
  StageChoice Choice = chooseStages(request("sm_86", 8192, false));
  EXPECT_EQ(2u, Choice.Stages);
  EXPECT_EQ(4u, Choice.Before.BlocksPerSM);
  EXPECT_EQ(4u, Choice.After.BlocksPerSM);
  EXPECT_EQ(8192u, Choice.SharedBefore);
  EXPECT_EQ(16384u, Choice.SharedAfter);
  EXPECT_FALSE(Choice.Reduced);
  ASSERT_TRUE(Choice.Next.has_value());
  EXPECT_EQ(3u, Choice.Next->Stages);
  EXPECT_EQ(0u, Choice.Next->BlocksLost);
}

// One slot is as written; of several, the first is padded as well.
TEST(Stages, PaddingCountsInEverySlotOnceThereAreSeveral) {
  StageRequest Padded = request("sm_86", 4100, false);
  Padded.BytesPerSlot = 4112;
  Padded.FirstPadding = 12;
  Padded.MaxStages = 3;
  StageChoice Choice = chooseStages(Padded);
  EXPECT_EQ(4100u, Choice.SharedBefore);
  EXPECT_EQ(4100u, Choice.Table[0].SharedBytes);
  EXPECT_EQ(2u * 4112, Choice.Table[1].SharedBytes);
  EXPECT_EQ(3u * 4112, Choice.SharedAfter);
}

// Two slots of 25,088 B end on the cliff, and padding may pass it.
TEST(Stages, PaddingMayPassTheCliff) {
  StageRequest Padded = request("sm_86", 25084, true);
  Padded.OneSlot.RegistersPerThread = 128;
  EXPECT_EQ(2u, chooseStages(Padded).Stages);
  Padded.BytesPerSlot = 25088;
  Padded.FirstPadding = 4;
  EXPECT_EQ(50176u, chooseStages(Padded).SharedAfter);
  Padded.BytesPerSlot = 25216;
  Padded.FirstPadding = 132;
  StageChoice Choice = chooseStages(Padded);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_EQ(25084u, Choice.SharedAfter);
  ASSERT_TRUE(Choice.Nearest.has_value());
  EXPECT_EQ(25088u, Choice.Nearest->MaxBytesPerSlot);
}

// 24.5 KB a slot are the most that keep two blocks on sm_86.
TEST(Stages, The49KiBCliff) {
  StageRequest Two = request("sm_86", 25088, true);
  Two.OneSlot.RegistersPerThread = 128; // Two blocks before.
  StageChoice Choice = chooseStages(Two);
  EXPECT_EQ(2u, Choice.Stages);
  EXPECT_EQ(2u, Choice.After.BlocksPerSM);
  EXPECT_EQ(50176u, Choice.SharedAfter);

  Two.OneSlot.DynamicShared = Two.BytesPerSlot = 25600; // The 50 KB belief.
  Choice = chooseStages(Two);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_TRUE(Choice.Reduced);
  EXPECT_FALSE(Choice.HardLimit);
  EXPECT_EQ(2u, Choice.After.BlocksPerSM);
  EXPECT_EQ(25600u, Choice.SharedAfter);
  ASSERT_TRUE(Choice.Nearest.has_value());
  EXPECT_EQ(25088u, Choice.Nearest->MaxBytesPerSlot);
  EXPECT_EQ(2u, Choice.Nearest->Divisor);
  EXPECT_EQ("two slots take 51,200 B of shared memory a block: 102,400 B / "
            "(51,200 B + 1,024 B reserved) = 1 block, 2 blocks before (limit "
            "shared); slots of up to 25,088 B would fit, for example the tile "
            "divided by 2",
            Choice.Reason);
}

TEST(Stages, AllowCliffTakesTheLoss) {
  StageRequest Two = request("sm_86", 25600, true);
  Two.OneSlot.RegistersPerThread = 128;
  Two.AllowCliff = true;
  StageChoice Choice = chooseStages(Two);
  EXPECT_EQ(2u, Choice.Stages);
  EXPECT_EQ(2u, Choice.Before.BlocksPerSM);
  EXPECT_EQ(1u, Choice.After.BlocksPerSM);
}

TEST(Stages, StaticArraysNeverPass48KiB) {
  for (const Arch &A : archTable().all()) {
    StageRequest Static = request(A.Name.c_str(), 24577, false);
    Static.AllowCliff = true;
    StageChoice Choice = chooseStages(Static);
    EXPECT_EQ(1u, Choice.Stages) << A.Name;
    EXPECT_TRUE(Choice.HardLimit) << A.Name;
    EXPECT_NE(std::string::npos,
              Choice.Reason.find("static arrays of 49,154 B pass the 49,152 B"))
        << Choice.Reason;
    Static = request(A.Name.c_str(), 24576, false);
    Static.AllowCliff = true;
    EXPECT_EQ(2u, chooseStages(Static).Stages) << A.Name;
  }
}

// A launch that is not rewritten gives no opt-in: what was within 48 KB with
// its dynamic part has to stay there.
TEST(Stages, StaticTilesDoNotNeedAnOptIn) {
  StageRequest Mixed = request("sm_90", 20480, false);
  Mixed.OneSlot.DynamicShared = 10240;
  Mixed.AllowCliff = true;
  StageChoice Choice = chooseStages(Mixed);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_NE(std::string::npos,
            Choice.Reason.find("51,200 B a block pass the 49,152 B of a launch "
                               "without opt-in"))
      << Choice.Reason;
  ASSERT_TRUE(Choice.Nearest.has_value());
  EXPECT_EQ((49152u - 10240u) / 2, Choice.Nearest->MaxBytesPerSlot);
}

TEST(Stages, OptInLimitIsHard) {
  StageRequest Large = request("sm_75", 40960, true);
  Large.AllowCliff = true;
  StageChoice Choice = chooseStages(Large);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_TRUE(Choice.HardLimit);
  EXPECT_NE(std::string::npos,
            Choice.Reason.find("81,920 B a block pass the opt-in limit of "
                               "65,536 B"))
      << Choice.Reason;
}

TEST(Stages, LargestCountWithoutLossUpToTheMost) {
  StageRequest Many = request("sm_90", 16384, true);
  Many.OneSlot.RegistersPerThread = 126;
  Many.MaxStages = 8;
  StageChoice Choice = chooseStages(Many);
  EXPECT_EQ(7u, Choice.Stages); // 7 * 16384 = 114,688, two blocks to 115,712.
  ASSERT_TRUE(Choice.Next.has_value());
  EXPECT_EQ(8u, Choice.Next->Stages);
  EXPECT_EQ(1u, Choice.Next->BlocksLost);
  EXPECT_NE(std::string::npos, Choice.Reason.find("8 slots would lose 1 block"))
      << Choice.Reason;
  Many.MaxStages = 3;
  EXPECT_EQ(3u, chooseStages(Many).Stages);
  Many.Wanted = 4;
  Choice = chooseStages(Many);
  EXPECT_EQ(4u, Choice.Stages);
  EXPECT_FALSE(Choice.Reduced);
  Many.Wanted = 8;
  Choice = chooseStages(Many);
  EXPECT_EQ(7u, Choice.Stages);
  EXPECT_TRUE(Choice.Reduced);
}

TEST(Stages, RegistersCanLoseABlockToo) {
  StageRequest Registers = request("sm_90", 16384, true);
  Registers.OneSlot.RegistersPerThread = 124;
  Registers.RegistersPiped = 130; // Measured: a peeled ring of three slots.
  StageChoice Choice = chooseStages(Registers);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_EQ(2u, Choice.Before.BlocksPerSM);
  EXPECT_FALSE(Choice.Nearest.has_value());
  EXPECT_NE(std::string::npos, Choice.Reason.find("limit registers"))
      << Choice.Reason;
}

TEST(Stages, KernelThatCannotBeLaunched) {
  StageRequest Broken = request("sm_86", 1024, false);
  Broken.OneSlot.Threads = 2048;
  StageChoice Choice = chooseStages(Broken);
  EXPECT_EQ(1u, Choice.Stages);
  EXPECT_TRUE(Choice.HardLimit);
  EXPECT_NE(std::string::npos, Choice.Reason.find("cannot be launched"));
}

} // namespace
