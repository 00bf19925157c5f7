#include "Plan/SlotPlaces.h"
#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

NamedConstant word(std::string Text, uint64_t Value, std::set<std::string> Near) {
  return {std::move(Text), Value, NamedConstant::Word, false, Near, Near};
}

SharedVariable part(ObjectId Id, std::string Name, ByteRange Bytes, std::string Type,
                    uint64_t Size) {
  SharedVariable S;
  S.Object = Id;
  S.Name = Name;
  S.Part = BlockPart{Bytes, {{Name, Size, std::move(Type), Size}}};
  return S;
}

/// Two tiles of halves, rows padded by 8, of which the last row is not touched.
class SlotPlacesTest : public testing::Test {
protected:
  SlotPlacesTest() {
    Facts.Shared = {part(0, "As", {0, 10224}, "half", 2),
                    part(1, "Bs", {10240, 18928}, "half", 2)};
    Facts.Constants = {
        {"BM * LDA", 5120, NamedConstant::Product, true, {"As"}, {"As"}},
        word("BM", 128, {"As"}), word("LDA", 40, {"As"}),
        word("BK", 32, {"As", "Bs"}), word("LDB", 136, {"Bs"})};
    Facts.BlockBytes = 18928;
  }
  std::vector<std::string> texts() const { return strideTexts(Facts, Tiles); }

  LoopFacts Facts;
  std::set<ObjectId> Tiles = {0, 1};
  const std::string Both = "(BM * LDA + BK * LDB) * sizeof(half)";
};

TEST_F(SlotPlacesTest, PartsAreSpelledOneByOne) {
  ASSERT_FALSE(texts().empty());
  EXPECT_EQ(texts().front(), Both);
  BlockSlots Slots = *placeSlots(Facts, Tiles, 3, {0, Both});
  EXPECT_EQ(Slots.Spelled, Both);
  EXPECT_EQ(Slots.Stride, 18944u);
  EXPECT_EQ(Slots.Bytes, 3u * 18944);
  EXPECT_EQ(Slots.spelledBytes(), 3u * 18944);
  EXPECT_EQ(Slots.spellBytes(Slots.Spelled), "3 * " + Both);
  EXPECT_EQ(Slots.spellBytes("stride"), "3 * stride");
}

TEST_F(SlotPlacesTest, ANumberWithoutAWish) {
  BlockSlots Slots = *placeSlots(Facts, Tiles, 3);
  EXPECT_EQ(Slots.Spelled, "");
  EXPECT_EQ(Slots.Stride, 18928u);
  EXPECT_EQ(Slots.spelledBytes(), 0u);
}

TEST_F(SlotPlacesTest, WhatAnotherReadingNeedsIsANumber) {
  BlockSlots Slots = *placeSlots(Facts, Tiles, 2, {20000, Both});
  EXPECT_EQ(Slots.Spelled, "");
  EXPECT_EQ(Slots.Stride, 20000u);
}

TEST_F(SlotPlacesTest, ASpellingKeepsTheAlignment) {
  Facts.Shared[0].AccessAlignment = 1024;
  std::string Rounded = "(" + Both + " + 1023) / 1024 * 1024";
  ASSERT_FALSE(texts().empty());
  EXPECT_EQ(texts().front(), Rounded);
  BlockSlots Slots = *placeSlots(Facts, Tiles, 2, {0, Rounded});
  EXPECT_EQ(Slots.Stride, 19456u);
  EXPECT_EQ(Slots.spellBytes(Rounded), "2 * (" + Rounded + ")");
  EXPECT_EQ(placeSlots(Facts, Tiles, 2, {0, Both})->Spelled, "");
}

TEST_F(SlotPlacesTest, AFactorInFrontChangesNoQuotient) {
  BlockSlots Slots;
  Slots.Times = 3;
  EXPECT_EQ(Slots.spellBytes("BM / 2 * sizeof(half)"), "3 * (BM / 2 * sizeof(half))");
  EXPECT_EQ(Slots.spellBytes("(BM / 2) * sizeof(half)"), "3 * (BM / 2) * sizeof(half)");
  EXPECT_EQ(Slots.spellBytes("A - B"), "3 * (A - B)");
}

TEST_F(SlotPlacesTest, ASpellingStepsOverWhatIsKept) {
  Facts.BlockKept = {{18928, 18944}};
  EXPECT_TRUE(std::find(texts().begin(), texts().end(), Both) != texts().end());
  Facts.BlockKept = {{18944, 18960}};
  EXPECT_TRUE(texts().empty());
  // The second slot does not meet it, the third one would.
  Facts.BlockKept = {{40000, 40016}};
  EXPECT_EQ(placeSlots(Facts, Tiles, 2, {0, Both})->Spelled, Both);
  EXPECT_EQ(placeSlots(Facts, Tiles, 3, {0, Both})->Spelled, "");
}

TEST_F(SlotPlacesTest, NoMoreThanASixteenthIsGivenAway) {
  Facts.Shared = {part(0, "As", {0, 1024}, "half", 2)};
  Tiles = {0};
  Facts.Constants = {word("Row", 512, {"As"})};
  EXPECT_EQ(texts(), std::vector<std::string>{"Row * sizeof(half)"});
  Facts.Constants = {word("Row", 544, {"As"})};
  EXPECT_EQ(texts(), std::vector<std::string>{"Row * sizeof(half)"});
  Facts.Constants = {word("Row", 568, {"As"})};
  EXPECT_TRUE(texts().empty());
  Facts.Constants = {word("Row", 504, {"As"})};
  EXPECT_TRUE(texts().empty());
}

TEST_F(SlotPlacesTest, ConstantsOfOtherPartsSayNothing) {
  Facts.Shared = {part(0, "As", {0, 1024}, "half", 2)};
  Tiles = {0};
  Facts.Constants = {word("Elsewhere", 512, {"Cs"})};
  EXPECT_TRUE(texts().empty());
}

TEST_F(SlotPlacesTest, WhatLiesBeforeIsSpelledToo) {
  Facts.Shared = {part(0, "Q", {0, 512}, "float", 4), part(1, "T", {512, 768}, "float", 4)};
  Tiles = {1};
  Facts.Constants = {{"Rows * D", 128, NamedConstant::Product, true, {"Q"}, {"Q"}},
                     word("D", 64, {"T"})};
  BlockSlots Slots = *placeSlots(Facts, Tiles, 3, {0, "D * sizeof(float)"});
  EXPECT_EQ(Slots.spellBytes(Slots.Spelled),
            "Rows * D * sizeof(float) + 3 * D * sizeof(float)");
  EXPECT_EQ(Slots.spelledBytes(), 1280u);
  Facts.Constants.erase(Facts.Constants.begin());
  Slots = *placeSlots(Facts, Tiles, 3, {0, "D * sizeof(float)"});
  EXPECT_EQ(Slots.spellBytes("S"), "512 + 3 * S");
}

TEST_F(SlotPlacesTest, NamesThatHaveNoMeaningOutsideAreNotUsed) {
  Facts.Uses.Locals = {{"LDB", ""}};
  EXPECT_TRUE(texts().empty());
  Facts.Uses.Locals = {{"LDB", "constexpr int LDB = 136;"}};
  EXPECT_EQ(texts().front(), Both);
}

} // namespace
