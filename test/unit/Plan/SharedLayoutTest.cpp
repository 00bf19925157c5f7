#include "Plan/SharedLayout.h"
#include "gtest/gtest.h"
#include "llvm/Support/MathExtras.h"

using namespace pipeline_rewrite;

namespace {

StaticArray array(std::string Name, std::string Type, std::vector<std::string> Extents,
                  uint64_t Bytes, unsigned Alignment) {
  return {std::move(Name), std::move(Type), std::move(Extents), Bytes, Alignment, {}};
}

/// Tiles As and Bs with three slots, beside an array that stays.
class SharedLayoutTest : public testing::Test {
protected:
  SharedLayoutTest() {
    Facts.Uses.StaticArrays = {array("As", "half", {"BM", "BK + 8"}, 10240, 32),
                               array("Bs", "half", {"BK", "BN"}, 8192, 2),
                               array("flag", "int", {}, 4, 4)};
    for (unsigned I = 0; I < 2; ++I) {
      SharedVariable S;
      S.Object = I;
      S.Name = I ? "Bs" : "As";
      Facts.Shared.push_back(S);
      TilePlan T;
      T.Tile = I;
      T.Name = S.Name;
      T.SlotsName = S.Name + "_slots";
      Plan.Tiles.push_back(T);
    }
    Plan.Stages = 3;
  }
  LoopFacts Facts;
  LoopPlan Plan;
};

TEST_F(SharedLayoutTest, NeighboursOfOneTypeAreAddedUp) {
  SharedLayout L = layOutShared({{&Facts, &Plan}}, false);
  EXPECT_EQ(L.Alignment, 32u);
  EXPECT_EQ(L.Bytes, 3u * 10240 + 3 * 8192 + 32);
  EXPECT_EQ(L.Spelled, "3 * (BM * (BK + 8) + BK * BN) * sizeof(half) + "
                       "(sizeof(int) + 31) / 32 * 32");
  EXPECT_EQ(L.Parts[0].Name, "As_slots");
  EXPECT_EQ(L.Parts[2].Name, "flag");
  EXPECT_EQ(L.Parts[2].Slots, 0u);
}

TEST_F(SharedLayoutTest, UnevenInstantiationsAreRounded) {
  SharedLayout L = layOutShared({{&Facts, &Plan}}, true);
  EXPECT_EQ(L.Spelled, "(3 * BM * (BK + 8) * sizeof(half) + 31) / 32 * 32 + "
                       "(3 * BK * BN * sizeof(half) + 31) / 32 * 32 + "
                       "(sizeof(int) + 31) / 32 * 32");
}

TEST_F(SharedLayoutTest, PaddedSlotsAreCountedInTheAuthorsNames) {
  Facts.Uses.StaticArrays[1].Bytes = 8194;
  Plan.Tiles[1].PadTo = 32;
  SharedLayout L = layOutShared({{&Facts, &Plan}}, false);
  EXPECT_EQ(L.Bytes, 3u * 10240 + 3 * 8224 + 32);
  EXPECT_EQ(L.Spelled, "3 * BM * (BK + 8) * sizeof(half) + "
                       "3 * ((BK * BN * sizeof(half) + 31) / 32 * 32) + "
                       "(sizeof(int) + 31) / 32 * 32");
  EXPECT_FALSE(L.Parts[1].Rounded);
  // Narrower than what other parts are aligned to: its end is rounded as well.
  Plan.Tiles[1].PadTo = 16;
  L = layOutShared({{&Facts, &Plan}}, false);
  EXPECT_EQ(L.Bytes, 3u * 10240 + llvm::alignTo(3 * 8208, 32) + 32);
  EXPECT_TRUE(L.Parts[1].Rounded);
}

TEST_F(SharedLayoutTest, TheOldBlockStaysInFront) {
  LaunchSite S;
  S.DynamicShared = 100;
  Facts.Uses.Sites = {S, S};
  EXPECT_FALSE(whyArraysStay(Facts, std::nullopt));
  SharedLayout L = layOutShared({{&Facts, &Plan}}, false);
  EXPECT_EQ(L.OldBytes, 128u);
  EXPECT_EQ(L.Bytes, 128u + 3 * 10240 + 3 * 8192 + 32);
  EXPECT_EQ(L.Spelled.substr(0, 6), "128 + ");
  Facts.Uses.Sites[1].DynamicShared = 200;
  EXPECT_TRUE(whyArraysStay(Facts, std::nullopt));
  Facts.Uses.Sites[1].DynamicShared.reset();
  EXPECT_TRUE(whyArraysStay(Facts, std::nullopt));
}

TEST_F(SharedLayoutTest, WhatStandsInTheWayIsSaid) {
  Facts.Uses.ArraysStay = "it has a lambda expression";
  EXPECT_EQ(whyArraysStay(Facts, std::nullopt), "it has a lambda expression");
  EXPECT_EQ(whyArraysStay(Facts, Reason{ReasonId::LaunchNotVisible, 1, 1, "no"}), "no");
}

} // namespace
