#include "Gpu/Bench.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// The value below which \p Part of the sorted samples lie, interpolated.
double quantile(const std::vector<double> &Sorted, double Part) {
  double Position = Part * (static_cast<double>(Sorted.size()) - 1);
  size_t Below = static_cast<size_t>(Position);
  size_t Above = std::min(Below + 1, Sorted.size() - 1);
  double Share = Position - static_cast<double>(Below);
  return Sorted[Below] * (1 - Share) + Sorted[Above] * Share;
}

BenchRow rowOf(const TimingSamples &T) {
  BenchRow Row;
  Row.Version = T.Version;
  Row.Registers = T.Registers;
  Row.BlocksPerSM = T.BlocksPerSM;
  Row.Problem = T.Problem;
  if (T.Milliseconds.empty())
    return Row;
  std::vector<double> Sorted = T.Milliseconds;
  llvm::sort(Sorted);
  Row.Samples = static_cast<unsigned>(Sorted.size());
  Row.Median = quantile(Sorted, 0.5);
  Row.Low = quantile(Sorted, 0.25);
  Row.High = quantile(Sorted, 0.75);
  // A rate per second of work that is counted in units, from milliseconds.
  if (std::optional<double> Work = T.Flops ? T.Flops : T.Bytes)
    Row.Rate = *Work / *Row.Median / 1e6;
  return Row;
}

void compareWithOriginal(const BenchRow &Original, BenchRow &Row) {
  if (!Original.Median || !Row.Median)
    return;
  Row.SpeedUp = *Original.Median / *Row.Median;
  Row.Significant = *Row.High < *Original.Low || *Row.Low > *Original.High;
}

/// Why a version has no time; empty where it should have one.
std::string whyUntimed(const BundleVersion &Version,
                       const BundleResults &Results) {
  if (Version.File.empty())
    return "refused: " + Version.Message + " [" + Version.Reason + "]";
  for (const VersionResult &V : Results.Versions)
    if (V.Name == Version.Name && V.Proof.Status != ProofStatus::Proved)
      return "not proved: " +
             (V.Proof.Failures.empty() ? std::string("no reason is known")
                                       : V.Proof.Failures.front().Message);
  return "";
}

BenchTable tableOf(unsigned Case, const Manifest &M,
                   const BundleResults &Results) {
  BenchTable Table;
  std::map<std::string, const TimingSamples *> Times;
  for (const TimingSamples &T : Results.Times)
    if (T.CaseNumber == Case)
      Times[T.Version] = &T;
  auto Add = [&](const std::string &Name, std::string Problem) {
    auto Found = Times.find(Name);
    BenchRow Row;
    Row.Version = Name;
    // What is not proved has no time, whatever a file says.
    if (Problem.empty() && Found != Times.end())
      Row = rowOf(*Found->second);
    else
      Row.Problem = Problem.empty() ? "it was not timed" : Problem;
    if (Found != Times.end()) {
      Table.Case = Found->second->Case;
      Table.RateUnit = Found->second->Flops   ? "GFLOP/s"
                       : Found->second->Bytes ? "GB/s"
                                              : "";
    }
    Table.Rows.push_back(std::move(Row));
  };
  Add("original", "");
  for (const BundleVersion &Version : M.Versions) {
    Add(Version.Name, whyUntimed(Version, Results));
    Table.Rows.back().Overlap = Version.Overlap;
    compareWithOriginal(Table.Rows.front(), Table.Rows.back());
  }
  return Table;
}

} // namespace

BenchReport benchOf(const Manifest &M, const BundleResults &Results) {
  BenchReport Report;
  Report.Machine = Results.Machine;
  std::vector<unsigned> Cases;
  for (const TimingSamples &T : Results.Times)
    if (!is_contained(Cases, T.CaseNumber))
      Cases.push_back(T.CaseNumber);
  llvm::sort(Cases);
  for (unsigned Case : Cases)
    Report.Tables.push_back(tableOf(Case, M, Results));
  if (Cases.empty())
    Report.Tables.push_back(tableOf(0, M, Results));
  return Report;
}

void chooseWinner(BenchReport &Report) {
  struct Standing {
    double LogGain = 0;
    unsigned Sizes = 0;
    bool Slower = false, Faster = false;
  };
  std::map<std::string, Standing> Standings;
  bool Timed = false;
  for (const BenchTable &Table : Report.Tables)
    for (const BenchRow &Row : ArrayRef(Table.Rows).drop_front()) {
      Standing &S = Standings[Row.Version];
      if (!Row.SpeedUp)
        continue;
      Timed = true;
      ++S.Sizes;
      S.LogGain += std::log(*Row.SpeedUp);
      S.Slower |= Row.Significant && *Row.SpeedUp < 1;
      S.Faster |= Row.Significant && *Row.SpeedUp > 1;
    }
  const std::pair<const std::string, Standing> *Best = nullptr;
  for (const auto &One : Standings) {
    const Standing &S = One.second;
    if (S.Slower || !S.Faster || S.Sizes != Report.Tables.size())
      continue;
    if (!Best || S.LogGain > Best->second.LogGain)
      Best = &One;
  }
  Report.Winner = Best && Best->second.LogGain > 0 ? Best->first : "original";
  if (!Timed)
    Report.Because = "no version could be timed";
  else if (Report.Winner == "original")
    Report.Because = "no version is faster than the original beyond the spread "
                     "and slower at no size";
  else
    Report.Because =
        formatv("{0:f3}x as fast as the original{1}",
                std::exp(Best->second.LogGain / Best->second.Sizes),
                Best->second.Sizes > 1 ? " (mean over the sizes)" : "")
            .str();
}

} // namespace pipeline_rewrite
