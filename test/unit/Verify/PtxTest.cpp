#include "Verify/Ptx.h"

#include <gtest/gtest.h>

using namespace pipeline_rewrite;

TEST(Ptx, CutsACopyIntoItsParts) {
  auto I = parsePtx("cp.async.cg.shared.global [$0], [$1], 16, $2;\n");
  ASSERT_EQ(I.size(), 1u);
  EXPECT_EQ(I[0].Name, "cp");
  EXPECT_TRUE(I[0].has("async"));
  EXPECT_TRUE(I[0].has("cg"));
  EXPECT_FALSE(I[0].has("ca"));
  EXPECT_EQ(I[0].Operands,
            (std::vector<std::string>{"[$0]", "[$1]", "16", "$2"}));
}

TEST(Ptx, OpensScopesAndReadsPredicates) {
  auto I = parsePtx("{ .reg .pred p; setp.ne.b32 p, $2, 0;\n"
                    "  @!p cp.async.ca.shared::cta.global [$0], [$1], 4; }");
  ASSERT_EQ(I.size(), 3u);
  EXPECT_EQ(I[0].Name, ".reg");
  EXPECT_EQ(I[1].Name, "setp");
  EXPECT_EQ(I[2].Predicate, "p");
  EXPECT_TRUE(I[2].PredicateNegated);
  EXPECT_TRUE(I[2].has("shared")) << "a window of the space is the space";
}

TEST(Ptx, UndoesTheEscapesOfAsmTemplates) {
  auto I = parsePtx("ldmatrix.sync.aligned.m8n8.x2.shared.b16 $($0, $1$), [$2];"
                    " // both halves");
  ASSERT_EQ(I.size(), 1u);
  EXPECT_EQ(I[0].Operands, (std::vector<std::string>{"$0", "$1", "[$2]"}));
}

static std::optional<MmaShape> shape(const char *Text) {
  return mmaShape(parsePtx(Text).front());
}

TEST(Ptx, KnowsTheMatrixInstructions) {
  auto F16 = shape("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 $0;");
  ASSERT_TRUE(F16);
  EXPECT_EQ(F16->A, 4u);
  EXPECT_EQ(F16->B, 2u);
  EXPECT_EQ(F16->Results, 4u);
  auto Half = shape("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 $0;");
  ASSERT_TRUE(Half);
  EXPECT_EQ(Half->Results, 2u);
  EXPECT_TRUE(shape("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 $0;"));
  EXPECT_FALSE(shape("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 $0;"));
  EXPECT_FALSE(shape("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 $0;"));
}
