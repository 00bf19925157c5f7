#include "Listings.h"
#include "Sass/Flow.h"

using namespace pipeline_rewrite;

static SassFunction code(const std::vector<std::string> &Texts) {
  std::vector<Line> Lines;
  for (const std::string &Text : Texts)
    Lines.push_back({Text});
  return parsed(assembled(Lines)).Functions.front();
}

TEST(SassFlow, NestedLoops) {
  SassFunction F = code({"NOP", "outer:", "IADD3 R0, R0, R1, RZ", "inner:",
                         "FFMA R2, R3, R4, R2", "@P0 BRA `(inner)", "NOP",
                         "@P1 BRA `(outer)", "EXIT"});
  std::vector<SassLoop> Loops = findLoops(F);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].Header, 0x10u);
  EXPECT_EQ(Loops[0].Body, (std::vector<size_t>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(Loops[0].Parent);
  EXPECT_EQ(Loops[1].Header, 0x20u);
  EXPECT_EQ(Loops[1].Body, (std::vector<size_t>{2, 3}));
  EXPECT_EQ(Loops[1].Parent, 0u);
}

TEST(SassFlow, PartOfALoopBehindTheKernelsEnd) {
  // The guarded block stands behind EXIT and jumps back into the loop.
  SassFunction F = code({"loop:", "@P0 BRA `(far)", "near:", "FFMA R2, R3, R4, R2",
                         "@P1 BRA `(loop)", "EXIT", "far:", "LDG.E R8, [R2.64]",
                         "BRA `(near)"});
  std::vector<SassLoop> Loops = findLoops(F);
  ASSERT_EQ(Loops.size(), 1u);
  // In the order in which it runs, not in the order of addresses.
  EXPECT_EQ(Loops[0].Body, (std::vector<size_t>{0, 4, 5, 1, 2}));
}

TEST(SassFlow, NoLoop) {
  // A branch to itself behind EXIT fills the last line; nothing gets there.
  EXPECT_TRUE(findLoops(code({"NOP", "EXIT", "end:", "BRA `(end)"})).empty());
}

TEST(SassFlow, CallsComeBack) {
  SassFunction F = code({"loop:", "CALL.REL.NOINC `(loop)", "NOP", "@P0 BRA `(loop)",
                         "EXIT"});
  std::vector<SassLoop> Loops = findLoops(F);
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].Body.size(), 3u);
}

TEST(SassFlow, TwoWaysRound) {
  SassFunction F = code({"loop:", "@P0 BRA `(loop)", "NOP", "BRA `(loop)"});
  std::vector<SassLoop> Loops = findLoops(F);
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].Body.size(), 3u);
}
