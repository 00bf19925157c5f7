/// \file
/// What was measured on a card, as plain values for every report.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// One version at one size.
struct BenchRow {
  std::string Version; ///< "original", "ldg-predicate-2".
  /// Milliseconds: the median, and the middle half of the samples.
  std::optional<double> Median, Low, High;
  unsigned Samples = 0;
  std::optional<double> Rate; ///< In the table's RateUnit.
  std::optional<double> SpeedUp; ///< The original's median over this one.
  /// The middle halves do not overlap; of the original: false.
  bool Significant = false;
  std::optional<unsigned> Registers, BlocksPerSM;
  std::string Overlap; ///< What the machine code showed; empty: not looked at.
  std::string Problem; ///< Why there is no time; empty where there is one.
};

/// All versions at one size; the original is the first row.
struct BenchTable {
  std::string Case;     ///< "M=4096, N=4096, K=4096"
  std::string RateUnit; ///< "GFLOP/s", "GB/s" or empty.
  std::vector<BenchRow> Rows;
};

/// The card and the tools of a measurement.
struct BenchMachine {
  std::string Name, Arch, Driver, Nvcc, Date;
};

struct BenchReport {
  BenchMachine Machine;
  std::vector<BenchTable> Tables;
  /// What a search decided and why; empty where there was none.
  std::string Winner, Because;
};

} // namespace pipeline_rewrite
