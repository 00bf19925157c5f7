#include "Gpu/Results.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

Manifest oneVersion() {
  Manifest M;
  M.HasLaunchFile = true;
  M.Versions.emplace_back();
  M.Versions.back().Name = "v";
  M.Versions.back().File = "tree/a.v.cu";
  return M;
}

ProofResult proofOf(const std::string &Rows, Manifest M = oneVersion()) {
  llvm::Expected<BundleResults> R =
      readResults("{\"schema\":1,\"rows\":[" + Rows + "]}", M);
  if (!R) {
    ADD_FAILURE() << toString(R.takeError());
    return {};
  }
  return R->Versions.at(0).Proof;
}

const std::string Proved =
    R"({"event":"verify","version":"v","status":"proved","runs":4,"comparisons":3,"failures":[]})";

} // namespace

TEST(Results, Proved) {
  ProofResult P = proofOf(Proved);
  EXPECT_EQ(P.Status, ProofStatus::Proved);
  EXPECT_EQ(P.Runs, 4u);
  EXPECT_EQ(P.Backend, "gpu");
}

TEST(Results, NothingComparedIsNotProved) {
  EXPECT_EQ(proofOf(R"({"event":"verify","version":"v","status":"proved","comparisons":0})")
                .Status,
            ProofStatus::CouldNotRun);
}

TEST(Results, AnUnknownStatusIsNotProved) {
  EXPECT_EQ(proofOf(R"({"event":"verify","version":"v","status":"fine","comparisons":3})")
                .Status,
            ProofStatus::CouldNotRun);
}

TEST(Results, NoRowIsNotProved) {
  EXPECT_EQ(proofOf("").Status, ProofStatus::CouldNotRun);
  EXPECT_EQ(proofOf(R"({"event":"verify","version":"w","status":"proved","comparisons":3})")
                .Status,
            ProofStatus::CouldNotRun);
}

TEST(Results, ASanitizersErrorFailsWhatComparesEqual) {
  std::string Error =
      R"(,{"event":"sanitize","version":"v","tool":"racecheck","status":"errors","message":"Race"})";
  ProofResult P = proofOf(Proved + Error);
  EXPECT_EQ(P.Status, ProofStatus::Failed);
  EXPECT_EQ(P.Failures.at(0).Check, "sanitizer-racecheck");
  std::string OfBoth =
      R"(,{"event":"sanitize","version":"original","tool":"racecheck","status":"errors"})";
  EXPECT_EQ(proofOf(Proved + Error + OfBoth).Status,
            ProofStatus::OriginalBroken);
}

TEST(Results, WhatDoesNotCompile) {
  EXPECT_EQ(proofOf(R"({"event":"compile","version":"v","problem":"oops"})").Status,
            ProofStatus::Failed);
  EXPECT_EQ(
      proofOf(R"({"event":"compile","version":"original","problem":"oops"})").Status,
      ProofStatus::CouldNotRun);
}

TEST(Results, NoCard) {
  ProofResult P = proofOf(R"({"event":"device","problem":"no usable GPU"})");
  EXPECT_EQ(P.Status, ProofStatus::CouldNotRun);
  EXPECT_EQ(P.Failures.at(0).Check, "machine");
}

TEST(Results, NoJson) {
  for (const char *Text : {"", "{", "[]", "{\"schema\":2,\"rows\":[]}"}) {
    llvm::Expected<BundleResults> R = readResults(Text, oneVersion());
    EXPECT_FALSE(static_cast<bool>(R)) << Text;
    llvm::consumeError(R.takeError());
  }
}
