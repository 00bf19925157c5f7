#include "Listings.h"
#include "Sass/Check.h"
#include "Sass/Excerpt.h"

using namespace pipeline_rewrite;

namespace {

SassKernel kernel(const std::string &Before, const std::string &After) {
  SassKernel K;
  SassFunction A = input(Before), B = input(After);
  K.Before = onlyLoop(A);
  K.After = onlyLoop(B);
  K.LocalBefore = localMemoryOf(A);
  K.LocalAfter = localMemoryOf(B);
  return K;
}

SassStatus statusOf(const SassKernel &K, const std::string &Id) {
  for (const SassCheck &C : K.Checks)
    if (C.Id == Id)
      return C.Status;
  ADD_FAILURE() << "no check " << Id;
  return SassStatus::Skipped;
}

bool has(const SassKernel &K, const std::string &Id) {
  for (const SassCheck &C : K.Checks)
    if (C.Id == Id)
      return true;
  return false;
}

} // namespace

TEST(SassCheck, LdgOnTuring) {
  SassKernel K = kernel("sgemm_tiled.sm_75.original", "sgemm_tiled.sm_75.ldg");
  judgeSass(K, {2, false});
  EXPECT_EQ(K.Verdict, SassVerdict::Overlapped);
  for (const SassCheck &C : K.Checks)
    EXPECT_EQ(C.Status, SassStatus::Pass) << C.Id << ": " << C.Message;
  EXPECT_TRUE(has(K, "stores-last"));
  EXPECT_FALSE(has(K, "async-groups"));
}

TEST(SassCheck, RingOnHopper) {
  SassKernel K = kernel("hgemm_wmma.sm_90.original", "hgemm_wmma.sm_90.cp-async");
  judgeSass(K, {2, true});
  EXPECT_EQ(K.Verdict, SassVerdict::Overlapped);
  EXPECT_EQ(statusOf(K, "async-groups"), SassStatus::Pass);
  EXPECT_EQ(statusOf(K, "barriers"), SassStatus::Pass);
  EXPECT_EQ(statusOf(K, "math-per-tile"), SassStatus::Pass);
  EXPECT_FALSE(has(K, "stores-last"));
  // The same code is wrong for a plan of three slots.
  K.Checks.clear();
  judgeSass(K, {3, true});
  EXPECT_EQ(statusOf(K, "async-groups"), SassStatus::Fail);
}

// The original in the place of the rewrite: nothing of what was meant is there.
TEST(SassCheck, TheOriginalFails) {
  SassKernel K =
      kernel("sgemm_tiled.sm_75.original", "sgemm_tiled.sm_75.original");
  judgeSass(K, {2, false});
  EXPECT_EQ(K.Verdict, SassVerdict::Sunk);
  EXPECT_EQ(statusOf(K, "overlap"), SassStatus::Fail);
  EXPECT_EQ(statusOf(K, "no-barrier"), SassStatus::Fail);
  EXPECT_EQ(statusOf(K, "barriers"), SassStatus::Warn);
}

// The figure is the same for three causes; the sentence tells them apart.
TEST(SassCheck, SaysWhyNothingOverlaps) {
  auto Summary = [](std::vector<Line> Body) {
    SassKernel K;
    K.After = onlyLoop(loopOf(Body));
    judgeSass(K, {2, false});
    EXPECT_EQ(K.Verdict, SassVerdict::Sunk);
    return K.Summary;
  };
  const Line Load{"LDG.E R2, [R4.64]", controlWord(1, 2)};
  const Line Store{"STS [R6], R2", controlWord(1, 7, 1 << 2)};
  const Line Math{"FFMA R9, R10, R11, R9", controlWord(4)};
  const Line Waits{"FFMA R9, R10, R11, R9", controlWord(4, 7, 1 << 2)};
  const Line Bar{"BAR.SYNC.DEFER_BLOCKING 0x0", controlWord(5)};
  EXPECT_NE(Summary({Math, Math, Math, Load, Store, Bar}).find("sank the loads"),
            std::string::npos);
  EXPECT_NE(Summary({Load, Waits, Math, Math, Store, Bar}).find("scoreboard"),
            std::string::npos);
  EXPECT_NE(Summary({Load, Store, Bar, Math, Math, Bar}).find("before the arithmetic"),
            std::string::npos);
}

TEST(SassCheck, LocalMemory) {
  SassKernel K = kernel("conv2d_channels.sm_90.ldg", "conv2d_channels.sm_90.ldg");
  K.LocalBefore = {};
  judgeSass(K, {2, false});
  EXPECT_EQ(statusOf(K, "local-memory"), SassStatus::Fail);
  EXPECT_EQ(K.Verdict, SassVerdict::Sunk);
}

TEST(SassCheck, FewerRegistersAndMoreWaits) {
  SassKernel K = kernel("hgemm_wmma.sm_90.original", "hgemm_wmma.sm_90.cp-async");
  K.After->SharedWaits = 2 * K.Before->SharedWaits;
  K.ResourcesBefore.emplace().Registers = 128;
  K.ResourcesAfter.emplace().Registers = 80;
  judgeSass(K, {2, true});
  EXPECT_EQ(statusOf(K, "shared-waits"), SassStatus::Warn);
  EXPECT_NE(K.Summary.find("80 registers (128 before)"), std::string::npos);
}

TEST(SassCheck, ArithmeticThatChanged) {
  SassKernel K = kernel("sgemm_tiled.sm_75.original", "sgemm_tiled.sm_75.ldg");
  K.After->Math += 1;
  judgeSass(K, {2, false});
  EXPECT_EQ(statusOf(K, "math-per-tile"), SassStatus::Warn);
  K.Checks.clear();
  K.After->MathInInnerLoop = true;
  judgeSass(K, {2, false});
  EXPECT_EQ(statusOf(K, "math-per-tile"), SassStatus::Skipped);
}

TEST(SassCheck, NothingFound) {
  SassKernel K;
  judgeSass(K, {2, false});
  EXPECT_EQ(K.Verdict, SassVerdict::NotFound);
  SassReport R;
  EXPECT_EQ(R.verdict(), SassVerdict::NotFound);
  R.Kernels.resize(2);
  R.Kernels[0].Verdict = SassVerdict::Partial;
  R.Kernels[1].Verdict = SassVerdict::Overlapped;
  EXPECT_EQ(R.verdict(), SassVerdict::Partial);
}

TEST(SassExcerpt, ShowsWhatMatters) {
  SassFunction F = input("hgemm_wmma.sm_90.cp-async");
  SteadyLoop L = onlyLoop(F);
  ExcerptOptions Options;
  Options.Lines = {"hgemm_wmma.cu", 1, 200};
  Options.Source = "first line\nsecond line\n";
  std::vector<std::string> Lines = excerptOf(F, L, Options);
  unsigned Copies = 0, Shown = 0;
  bool Back = false, HasLine = false;
  for (const std::string &Text : Lines) {
    Copies += Text.find("LDGSTS") != std::string::npos;
    Back |= Text.find("back to the start") != std::string::npos;
    HasLine |= Text.find("LDGDEPBAR") != std::string::npos &&
               Text.find("; line 104") != std::string::npos;
    Shown += Text.find("0x") == 0;
  }
  EXPECT_EQ(Copies, 4u);
  EXPECT_TRUE(Back);
  EXPECT_LT(Shown, L.Body.size() / 4);
  EXPECT_TRUE(HasLine);
}
