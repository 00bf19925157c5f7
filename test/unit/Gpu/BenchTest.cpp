#include "Gpu/Bench.h"

#include "gtest/gtest.h"

using namespace pipeline_rewrite;

namespace {

/// Fifteen samples around \p Middle whose middle half is +- \p Half.
TimingSamples samples(const char *Version, double Middle, double Half,
                      unsigned Case = 0) {
  TimingSamples T;
  T.Version = Version;
  T.CaseNumber = Case;
  T.Case = "K=" + std::to_string(Case);
  for (int I = 0; I < 15; ++I)
    T.Milliseconds.push_back(Middle + Half * (I - 7) / 3.5);
  return T;
}

Manifest manifest(std::initializer_list<const char *> Names) {
  Manifest M;
  for (const char *Name : Names) {
    BundleVersion V;
    V.Name = Name;
    V.File = "tree/a.cu";
    M.Versions.push_back(V);
  }
  return M;
}

BundleResults results(const Manifest &M, std::vector<TimingSamples> Times) {
  BundleResults R;
  R.Times = std::move(Times);
  for (const BundleVersion &V : M.Versions) {
    VersionResult Result;
    Result.Name = V.Name;
    Result.Proof.Status = ProofStatus::Proved;
    R.Versions.push_back(std::move(Result));
  }
  return R;
}

std::string winnerOf(const Manifest &M, const BundleResults &R) {
  BenchReport Report = benchOf(M, R);
  chooseWinner(Report);
  return Report.Winner;
}

} // namespace

TEST(Bench, MedianAndMiddleHalf) {
  Manifest M = manifest({"a"});
  BundleResults R =
      results(M, {samples("original", 4, 0.1), samples("a", 2, 0.2)});
  R.Times[1].Flops = 2e9;
  BenchReport Report = benchOf(M, R);
  ASSERT_EQ(Report.Tables.size(), 1u);
  const BenchRow &Row = Report.Tables[0].Rows[1];
  EXPECT_NEAR(*Row.Median, 2, 1e-9);
  EXPECT_NEAR(*Row.Low, 1.8, 1e-9);
  EXPECT_NEAR(*Row.High, 2.2, 1e-9);
  EXPECT_NEAR(*Row.SpeedUp, 2, 1e-9);
  EXPECT_NEAR(*Row.Rate, 1000, 1e-9);
  EXPECT_TRUE(Row.Significant);
  EXPECT_EQ(Row.Samples, 15u);
}

TEST(Bench, OverlappingSpreadsAreNotSignificant) {
  Manifest M = manifest({"a"});
  BenchReport Report = benchOf(
      M, results(M, {samples("original", 4, 0.3), samples("a", 3.6, 0.2)}));
  EXPECT_FALSE(Report.Tables[0].Rows[1].Significant);
  EXPECT_EQ(winnerOf(M, results(M, {samples("original", 4, 0.3),
                                    samples("a", 3.6, 0.2)})),
            "original");
}

TEST(Bench, WhatIsNotProvedHasNoTime) {
  Manifest M = manifest({"a"});
  BundleResults R =
      results(M, {samples("original", 4, 0.1), samples("a", 1, 0.1)});
  R.Versions[0].Proof.Status = ProofStatus::Failed;
  R.Versions[0].Proof.Failures = {{"race", "two runs differ", ""}};
  BenchReport Report = benchOf(M, R);
  EXPECT_FALSE(Report.Tables[0].Rows[1].Median);
  EXPECT_EQ(Report.Tables[0].Rows[1].Problem, "not proved: two runs differ");
  EXPECT_EQ(winnerOf(M, R), "original");
}

TEST(Bench, FastestOfThoseThatAreNowhereSlower) {
  Manifest M = manifest({"a", "b", "c"});
  EXPECT_EQ(winnerOf(M, results(M, {samples("original", 4, 0.1, 0),
                                    samples("a", 1, 0.1, 0),
                                    samples("b", 3, 0.1, 0),
                                    samples("c", 2, 0.1, 0),
                                    samples("original", 4, 0.1, 1),
                                    samples("a", 5, 0.1, 1),
                                    samples("b", 4, 0.1, 1),
                                    samples("c", 3, 0.1, 1)})),
            "c");
}

TEST(Bench, AVersionWithoutATimeAtSomeSizeIsNotKept) {
  Manifest M = manifest({"a"});
  EXPECT_EQ(winnerOf(M, results(M, {samples("original", 4, 0.1, 0),
                                    samples("a", 1, 0.1, 0),
                                    samples("original", 4, 0.1, 1)})),
            "original");
}

TEST(Bench, RefusedVersionsAreRows) {
  Manifest M = manifest({"a"});
  M.Versions[0].File.clear();
  M.Versions[0].Reason = "budget";
  M.Versions[0].Message = "it does not fit";
  BundleResults R = results(M, {samples("original", 4, 0.1)});
  R.Versions.clear();
  EXPECT_EQ(benchOf(M, R).Tables[0].Rows[1].Problem,
            "refused: it does not fit [budget]");
}
