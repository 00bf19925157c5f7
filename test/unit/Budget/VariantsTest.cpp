#include "Budget/Variants.h"

#include "Rules.h"

using namespace pipeline_rewrite;

namespace {

const VariantRules &rules() {
  static const VariantRules Rules =
      llvm::cantFail(VariantRules::load({rulesDir()}));
  return Rules;
}

DecisionInput input(const char *Name, std::optional<double> Ratio,
                    unsigned CopyBytes) {
  DecisionInput Input;
  Input.Arch_ = &arch(Name);
  Input.CudaMajor = 13;
  Input.Ratio = Ratio;
  Input.CopyBytes = CopyBytes;
  Input.EveryTileQualifies = CopyBytes != 0;
  return Input;
}

Variant kind(const DecisionInput &Input) { return rules().choose(Input).Kind; }

TEST(Variants, OldMachinesAndToolkitsUseRegisters) {
  for (const Arch &A : archTable().all())
    EXPECT_EQ(A.number() < 80 ? Variant::Ldg : Variant::CpAsync,
              kind(input(A.Name.c_str(), 2, 16)))
        << A.Name;
  DecisionInput Old = input("sm_86", 2, 16);
  Old.CudaMajor = 10;
  EXPECT_EQ(Variant::Ldg, kind(Old));
  Old.CudaMajor = 0; // Unknown is not old.
  EXPECT_EQ(Variant::CpAsync, kind(Old));
}

TEST(Variants, LowRatioGoesAsynchronous) {
  EXPECT_EQ(Variant::CpAsync, kind(input("sm_86", 4.99, 4)));
  EXPECT_EQ(Variant::CpAsync, kind(input("sm_86", 4.99, 16)));
  EXPECT_EQ(Variant::Ldg, kind(input("sm_86", 4.99, 0)));
}

TEST(Variants, BetweenTheRatiosTheWidthDecides) {
  for (std::optional<double> Ratio :
       {std::optional<double>(5), std::optional<double>(8),
        std::optional<double>(20), std::optional<double>(64),
        std::optional<double>()}) {
    EXPECT_EQ(Variant::CpAsync, kind(input("sm_86", Ratio, 16)));
    EXPECT_EQ(Variant::Ldg, kind(input("sm_86", Ratio, 8)));
    EXPECT_EQ(Variant::Ldg, kind(input("sm_86", Ratio, 4)));
    EXPECT_EQ(Variant::Ldg, kind(input("sm_86", Ratio, 0)));
  }
}

TEST(Variants, MixedTransport) {
  DecisionInput Mixed = input("sm_86", 8, 16);
  Mixed.EveryTileQualifies = false;
  EXPECT_EQ(Variant::Ldg, kind(Mixed));
  Mixed.Ratio = 3;
  EXPECT_EQ(Variant::CpAsync, kind(Mixed));
}

TEST(Variants, FourByteCopiesWhereTheyWereMeasured) {
  EXPECT_EQ(Variant::CpAsync, kind(input("sm_86", 3, 4)));
  EXPECT_EQ(Variant::Ldg, kind(input("sm_90", 3, 4)));
  EXPECT_EQ(Variant::CpAsync, kind(input("sm_90", 3, 8)));
}

TEST(Variants, TransposedTilesNeverTravelInFourBytePieces) {
  DecisionInput Transposed = input("sm_86", 2, 4);
  Transposed.Transposed = true;
  EXPECT_EQ(Variant::Ldg, kind(Transposed));
  Transposed.CopyBytes = 8;
  EXPECT_EQ(Variant::CpAsync, kind(Transposed));
}

TEST(Variants, HighRatioIsRemarkedNotRefused) {
  EXPECT_FALSE(rules().choose(input("sm_86", 20, 16)).HighRatio);
  EXPECT_TRUE(rules().choose(input("sm_86", 20.1, 16)).HighRatio);
  EXPECT_FALSE(rules().choose(input("sm_86", std::nullopt, 16)).HighRatio);
  // A tensor core moves the balance where that was measured.
  DecisionInput Tensor = input("sm_90", 64, 16);
  EXPECT_TRUE(rules().choose(Tensor).HighRatio);
  Tensor.TensorCore = true;
  EXPECT_FALSE(rules().choose(Tensor).HighRatio);
  Tensor.Arch_ = &arch("sm_86");
  EXPECT_TRUE(rules().choose(Tensor).HighRatio);
}

TEST(Variants, FormsAndStages) {
  Decision Ldg = rules().choose(input("sm_86", 8, 4));
  EXPECT_EQ(Form::Peel, Ldg.Shape);
  EXPECT_EQ(2u, Ldg.MaxStages);
  Decision Async = rules().choose(input("sm_86", 8, 16));
  EXPECT_EQ(Form::Predicate, Async.Shape);
  EXPECT_EQ(2u, Async.MaxStages);
  DecisionInput Tensor = input("sm_86", 8, 16);
  Tensor.TensorCore = true;
  EXPECT_EQ(Form::Ring, rules().choose(Tensor).Shape);
  EXPECT_EQ(3u, rules().choose(Tensor).MaxStages);
  const Arch &A = arch("sm_86");
  EXPECT_EQ(Form::Ring, rules().formFor(A, Variant::CpAsync, 3, false, true));
  // Through registers, plain copies for a tensor core are predicated, others not.
  for (Variant Kind : {Variant::Ldg, Variant::RegisterPrefetch}) {
    EXPECT_EQ(Form::Peel, rules().formFor(A, Kind, 2, false, true));
    EXPECT_EQ(Form::Peel, rules().formFor(A, Kind, 2, true, false));
    EXPECT_EQ(Form::Predicate, rules().formFor(A, Kind, 2, true, true));
  }
}

TEST(Variants, ReasonsSayWhy) {
  EXPECT_EQ(
      "ratio 8.0 lies between 5 and 20 and the smallest asynchronous copy "
      "is 4 bytes, below 16",
      rules().choose(input("sm_86", 8, 4)).Because);
  EXPECT_EQ("sm_75 has no asynchronous copy",
            rules().choose(input("sm_75", 8, 16)).Because);
  EXPECT_EQ("the ratio is unknown and every asynchronous copy is 16 bytes or "
            "more",
            rules().choose(input("sm_86", std::nullopt, 16)).Because);
}

TEST(Variants, Names) {
  EXPECT_STREQ("cp-async", toString(Variant::CpAsync));
  EXPECT_STREQ("ldg", toString(Variant::Ldg));
  EXPECT_STREQ("register-prefetch", toString(Variant::RegisterPrefetch));
  EXPECT_STREQ("peel", toString(Form::Peel));
  EXPECT_STREQ("predicate", toString(Form::Predicate));
  EXPECT_STREQ("ring", toString(Form::Ring));
}

} // namespace
