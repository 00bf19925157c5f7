#include "Listings.h"

using namespace pipeline_rewrite;

static const std::string Load = "LDG.E R2, [R4.64]", Store = "STS [R6], R2",
                         Bar = "BAR.SYNC.DEFER_BLOCKING 0x0",
                         Math = "FFMA R9, R10, R11, R9";

TEST(SteadyState, OriginalShape) {
  SteadyLoop L = onlyLoop(
      loopOf({{Load}, {Store}, {Bar}, {Math}, {Math}, {Math}, {Math}, {Bar}}));
  EXPECT_TRUE(L.BarrierBeforeMath);
  EXPECT_EQ(L.Math, 4u);
  EXPECT_EQ(L.Barriers, 2u);
  EXPECT_EQ(L.TileLoads, 1u);
  EXPECT_EQ(L.TileStores, 1u);
  EXPECT_EQ(L.Overlap, 0.0);
}

TEST(SteadyState, LoadsEarlyStoresLate) {
  SteadyLoop L = onlyLoop(loopOf(
      std::vector<Line>{{Load}} + times(8, Math) + std::vector<Line>{{Store}, {Bar}}));
  EXPECT_FALSE(L.BarrierBeforeMath);
  EXPECT_EQ(L.MathBeforeLoads, 0u);
  EXPECT_EQ(L.MathAfterStores, 0u);
  EXPECT_EQ(L.WorstOverlap, 1.0);
}

TEST(SteadyState, SunkLoad) {
  SteadyLoop L = onlyLoop(loopOf(times(6, Math) + std::vector<Line>{{Load}} +
                                 times(2, Math) + std::vector<Line>{{Store}, {Bar}}));
  EXPECT_EQ(L.MathBeforeLoads, 6u);
  EXPECT_EQ(L.WorstOverlap, 0.25);
}

TEST(SteadyState, EarlyStore) {
  SteadyLoop L = onlyLoop(loopOf(std::vector<Line>{{Load}} + times(2, Math) +
                                 std::vector<Line>{{Store}} + times(6, Math) +
                                 std::vector<Line>{{Bar}}));
  EXPECT_EQ(L.MathAfterStores, 6u);
  EXPECT_EQ(L.WorstOverlap, 0.25);
}

// The load's scoreboard is shared with something that the arithmetic waits for:
// in place, and still no overlap.
TEST(SteadyState, SharedScoreboard) {
  auto Loop = [](unsigned WaitOfMath) {
    return onlyLoop(loopOf({{Load, controlWord(1, 2)},
                            {Math, controlWord(4, 7, WaitOfMath)},
                            {Math, controlWord(4)},
                            {Math, controlWord(4)},
                            {Math, controlWord(4)},
                            {Store, controlWord(1, 7, 1 << 2)},
                            {Bar, controlWord(5)}}));
  };
  EXPECT_EQ(Loop(0).WorstOverlap, 1.0);
  EXPECT_EQ(Loop(1 << 3).WorstOverlap, 1.0);
  EXPECT_EQ(Loop(1 << 2).WorstOverlap, 0.0);
  SteadyLoop L = Loop(0);
  EXPECT_EQ(L.StallCycles, 1u + 4 * 4 + 1 + 5);
  EXPECT_EQ(L.CoveredCycles, 1u + 4 * 4);
}

// Register prefetch: the store stands behind a barrier, in the next pass even.
TEST(SteadyState, StoreInTheNextPass) {
  SteadyLoop L = onlyLoop(loopOf(std::vector<Line>{{Store}, {Bar}, {Load}} +
                                 times(4, Math) + std::vector<Line>{{Bar}}));
  EXPECT_EQ(L.TileLoads, 1u);
  EXPECT_EQ(L.WorstOverlap, 1.0);
  EXPECT_EQ(L.MathAfterStores, 0u);
  EXPECT_FALSE(L.BarrierBeforeMath);
}

// Weights that the arithmetic itself reads from global memory are no tile.
TEST(SteadyState, OtherLoads) {
  SteadyLoop L = onlyLoop(loopOf(std::vector<Line>{{Load}} + times(4, Math) +
                                 std::vector<Line>{{"LDG.E R11, [R20.64]"},
                                                   {Math},
                                                   {Store},
                                                   {Bar}}));
  EXPECT_EQ(L.TileLoads, 1u);
  EXPECT_EQ(L.OtherLoads, 1u);
  EXPECT_EQ(L.MathBeforeLoads, 0u);
}

// A conversion on the way to shared memory is followed.
TEST(SteadyState, ConvertedLoad) {
  SteadyLoop L = onlyLoop(
      loopOf(std::vector<Line>{{Load}} + times(4, Math) +
             std::vector<Line>{{"F2F.F16.F32 R3, R2"}, {"STS.U16 [R6], R3"}, {Bar}}));
  EXPECT_EQ(L.TileLoads, 1u);
  EXPECT_EQ(L.TileStores, 1u);
  EXPECT_EQ(L.WorstOverlap, 1.0);
}

TEST(SteadyState, UnrolledTwice) {
  std::vector<Line> One = std::vector<Line>{{Load}} + times(4, Math) +
                          std::vector<Line>{{Store}, {Bar}};
  SteadyLoop L = onlyLoop(loopOf(One + One));
  EXPECT_EQ(L.Tiles, 2u);
  EXPECT_EQ(L.Math, 8u);
  EXPECT_EQ(L.WorstOverlap, 1.0);
}

// Three slots: the wait leaves one group in flight, so a copy is awaited in the
// pass after the next.
TEST(SteadyState, RingOfThree) {
  std::vector<Line> Body =
      std::vector<Line>{{"DEPBAR.LE SB0, 0x1"},
                        {Bar},
                        {"LDGSTS.E.BYPASS.128 [R3], [R4.64]"},
                        {"LDGDEPBAR"}} +
      times(4, Math);
  SteadyLoop L = onlyLoop(loopOf(Body));
  EXPECT_EQ(L.Pending, (std::vector<unsigned>{1}));
  EXPECT_EQ(L.Commits, 1u);
  EXPECT_EQ(L.TileBytes, 16u);
  EXPECT_EQ(L.WorstOverlap, 1.0);
}

TEST(SteadyState, ConstantsAndAddressesAreNoArithmetic) {
  std::vector<Line> Overhead{{"HFMA2.MMA R1, -RZ, RZ, 0, 0"},
                             {"IMAD.MOV.U32 R1, RZ, RZ, R2"},
                             {"IMAD.WIDE R4, R5, 0x4, R6"},
                             {"IMAD R7, R8, c[0x0][0x180], R9"}};
  SteadyLoop L = onlyLoop(loopOf(Overhead + std::vector<Line>{{Load}} + times(3, Math) +
                                 std::vector<Line>{{Store}, {Bar}}));
  EXPECT_EQ(L.Math, 3u);
  EXPECT_EQ(L.MathOpcode, "FFMA");
  // Without any other arithmetic a multiply-add of registers is it.
  L = onlyLoop(loopOf(Overhead + std::vector<Line>{{Load}} +
                      times(5, "IMAD R9, R10, R11, R9") +
                      std::vector<Line>{{Store}, {Bar}}));
  EXPECT_EQ(L.Math, 5u);
  EXPECT_EQ(L.Kind, SassMath::Integer);
}

TEST(SteadyState, InnermostLoopThatHoldsEverything) {
  SassFunction F = parsed(assembled({{"tiles:"},
                                     {Load},
                                     {Store},
                                     {Bar},
                                     {"k:"},
                                     {Math},
                                     {"@P1 BRA `(k)"},
                                     {Bar},
                                     {"@P0 BRA `(tiles)"},
                                     {"EXIT"}}))
                       .Functions.front();
  SteadyLoop L = onlyLoop(F);
  EXPECT_EQ(L.Header, 0u);
  EXPECT_TRUE(L.MathInInnerLoop);
  EXPECT_FALSE(L.CopyInInnerLoop);
}

TEST(SteadyState, OnlyTheLinesAskedFor) {
  SassFunction F = input("sgemm_tiled.sm_75.ldg");
  EXPECT_EQ(findSteadyLoops(F, {"sgemm_tiled.cu", 1, 200}).size(), 1u);
  EXPECT_EQ(findSteadyLoops(F, {"sgemm_tiled.cu", 1, 10}).size(), 0u);
  // Nothing is known of another file: then every loop may be the one.
  EXPECT_EQ(findSteadyLoops(F, {"other.cu", 1, 10}).size(), 1u);
}

// Counted by hand in the listings (FFMA, LDG, STS and BAR between the label of
// the loop and the branch to it).
TEST(SteadyState, RealListings) {
  SteadyLoop Original = onlyLoop(input("sgemm_tiled.sm_75.original"));
  EXPECT_EQ(Original.Header, 0x190u);
  EXPECT_EQ(Original.Math, 32u);
  EXPECT_EQ(Original.TileLoads, 2u);
  EXPECT_EQ(Original.TileStores, 2u);
  EXPECT_EQ(Original.Barriers, 2u);
  EXPECT_TRUE(Original.BarrierBeforeMath);
  EXPECT_EQ(Original.Overlap, 0.0);

  SteadyLoop Ldg = onlyLoop(input("sgemm_tiled.sm_75.ldg"));
  EXPECT_EQ(Ldg.Math, 32u);
  EXPECT_EQ(Ldg.TileLoads, 2u);
  EXPECT_EQ(Ldg.Barriers, 1u);
  EXPECT_EQ(Ldg.MathBeforeLoads, 0u);
  EXPECT_EQ(Ldg.MathAfterStores, 0u);
  EXPECT_EQ(Ldg.WorstOverlap, 1.0);

  SteadyLoop Async = onlyLoop(input("sgemm_tiled.sm_80.cp-async"));
  EXPECT_EQ(Async.AsyncCopies, 2u); // and two that only fill with zeros
  EXPECT_EQ(Async.TileBytes, 8u);
  EXPECT_EQ(Async.Commits, 1u);
  EXPECT_EQ(Async.Pending, (std::vector<unsigned>{0}));
  EXPECT_EQ(Async.Barriers, 1u);

  SteadyLoop Half = onlyLoop(input("hgemm_wmma.sm_90.cp-async"));
  EXPECT_EQ(Half.MathOpcode, "HMMA");
  EXPECT_EQ(Half.Math, onlyLoop(input("hgemm_wmma.sm_90.original")).Math);
  EXPECT_EQ(Half.AsyncCopies, 4u);
  EXPECT_EQ(Half.WorstOverlap, 1.0);

  SteadyLoop Vector = onlyLoop(input("gemv.sm_86.register-prefetch"));
  EXPECT_EQ(Vector.Barriers, 2u);
  EXPECT_EQ(Vector.TileLoads, 1u);
  EXPECT_EQ(Vector.OtherLoads, 7u); // the matrix goes to registers alone

  // Its staging array is indexed by a loop of unknown length, so it lies in
  // local memory, and a load is awaited at once to be stored there.
  SteadyLoop Spilled = onlyLoop(input("conv2d_channels.sm_90.ldg"));
  EXPECT_GT(Spilled.LocalStores, 0u);
  EXPECT_EQ(Spilled.WorstOverlap, 0.0);
}
