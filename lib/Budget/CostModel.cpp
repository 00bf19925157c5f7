#include "Budget/CostModel.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

namespace pipeline_rewrite {
namespace {

// What a loop needs besides what is counted: indices, bounds, addresses of the
// shared tiles. A round figure without a measurement behind it.
constexpr unsigned BaseRegisters = 24;
// The clones of the pointers and counters that run one tile ahead.
constexpr unsigned AheadRegisters = 4;
constexpr unsigned RegisterBytes = 4;
// Asynchronous copies of this size carry no extra cost of issue.
constexpr unsigned FullCopyBytes = 16;
// Candidates this near to each other count as equal.
constexpr double SameGain = 1.02;
// The spread of one kernel's times in a quiet run (bench/results).
constexpr double LeastGain = 1.01;

unsigned registersFor(unsigned Bytes) {
  return (Bytes + RegisterBytes - 1) / RegisterBytes;
}

bool isTensor(MathUnit Unit) {
  return Unit == MathUnit::Fp16Tensor || Unit == MathUnit::Int8Tensor;
}

double rateOf(const ArchRates &Rates, MathUnit Unit) {
  switch (Unit) {
  case MathUnit::Fp32:
    return Rates.Fp32Fma;
  case MathUnit::Fp64:
    return Rates.Fp64Fma;
  case MathUnit::Fp16Tensor:
    return Rates.Fp16Tensor;
  case MathUnit::Int8Tensor:
    return Rates.Int8Tensor;
  case MathUnit::Int8Dot:
    return Rates.Int8Dot;
  }
  return 0;
}

// Clocks that one block's tiles take on a multiprocessor.
struct TileClocks {
  double Compute = 0; // The compute phase.
  double Move = 0;    // The bytes through the multiprocessor's port.
  double Store = 0;   // From registers to shared memory.
  double Issue = 0;   // What small asynchronous copies cost besides.
  double Latency = 0, Barrier = 0;
};

TileClocks clocksOf(const Arch &A, const TileWork &Work, double Reached) {
  const ArchRates &Rates = A.Rates;
  TileClocks Clocks;
  Clocks.Compute = std::max(Work.MultiplyAdds / rateOf(Rates, Work.Unit),
                            Work.SharedReadBytes / Rates.SharedBytes) /
                   Reached;
  Clocks.Move = Work.Bytes / Rates.GlobalBytes;
  Clocks.Store = Work.Bytes / Rates.SharedBytes;
  if (Work.CopyBytes && Work.CopyBytes < FullCopyBytes)
    Clocks.Issue =
        Work.Bytes / Work.CopyBytes / A.WarpSize * Rates.SmallAsyncCopy;
  Clocks.Latency = Rates.GlobalLatency;
  Clocks.Barrier = Rates.BarrierLatency;
  return Clocks;
}

// Clocks of the kernel as written, per tile of one block. Where resident blocks
// hide each other's waits the busiest unit decides, else the sum does.
double originalClocks(const TileClocks &C, double Blocks, bool Hidden) {
  double Busy = C.Store + C.Compute;
  double Once = C.Latency + C.Move + Busy + 2 * C.Barrier;
  double Alone = C.Latency + Blocks * C.Move + Blocks * Busy + 2 * C.Barrier;
  double Round =
      Hidden ? std::max({Blocks * Busy, Blocks * C.Move, Once}) : Alone;
  return Round / Blocks;
}

// The same after the rewrite.
double pipelinedClocks(const TileClocks &C, double Blocks, bool Hidden,
                       const Candidate &After) {
  double Ahead = std::max(1u, After.Stages - 1);
  double Busy = C.Compute;
  double Exposed = C.Barrier;
  switch (After.Kind) {
  case Variant::CpAsync:
    Busy += C.Issue;
    break;
  case Variant::Ldg:
    Ahead = 1;
    Busy += C.Store;
    break;
  case Variant::RegisterPrefetch:
    // The store stands alone between two barriers.
    Ahead = 1;
    Exposed = 2 * C.Barrier + C.Store * (Hidden ? 1 : Blocks);
    break;
  }
  double Port = Blocks * C.Move;
  double Flight = (C.Latency + (Hidden ? C.Move : Port)) / Ahead;
  double Round =
      Hidden ? std::max({Blocks * Busy, Port, std::max(Busy, Flight) + Exposed})
             : std::max({Blocks * Busy, Port, Flight}) + Exposed;
  return Round / Blocks;
}

} // namespace

std::optional<double> computeRatio(uint64_t MultiplyAdds, uint64_t Bytes) {
  if (Bytes == 0)
    return std::nullopt;
  return 2.0 * double(MultiplyAdds) / double(Bytes);
}

double gemmRatio(uint64_t BM, uint64_t BN, uint64_t BK, uint64_t ElementBytes) {
  return 2.0 * double(BM * BN * BK) /
         double((BM * BK + BK * BN) * ElementBytes);
}

RegisterEstimate estimateRegisters(const Arch &A, const RegisterFacts &Facts) {
  RegisterEstimate Result;
  if (Facts.Reported) {
    Result.Registers = Facts.Reported;
    Result.Estimated = false;
    Result.Derivation = std::to_string(Facts.Reported) + " reported";
    return Result;
  }
  unsigned Accumulators = registersFor(Facts.AccumulatorBytes);
  unsigned Fragments = registersFor(Facts.FragmentBytes);
  unsigned Pointers = 2 * Facts.Pointers;
  Result.Registers =
      std::min(BaseRegisters + Accumulators + Fragments + Pointers,
               A.MaxRegistersPerThread);
  Result.Derivation = std::to_string(BaseRegisters) + " base + " +
                      std::to_string(Accumulators) + " accumulators + " +
                      std::to_string(Fragments) + " operands + " +
                      std::to_string(Pointers) + " pointers";
  return Result;
}

RegisterEstimate estimateRegisters(const Arch &A, const RegisterFacts &Facts,
                                   Variant Kind) {
  RegisterEstimate Result = estimateRegisters(A, Facts);
  unsigned Staged =
      Kind == Variant::CpAsync ? 0 : registersFor(Facts.StagedBytes);
  Result.Estimated = true;
  Result.Registers = std::min(Result.Registers + Staged + AheadRegisters,
                              A.MaxRegistersPerThread);
  Result.Derivation += " + " + std::to_string(Staged) + " staged + " +
                       std::to_string(AheadRegisters) + " one tile ahead";
  return Result;
}

double GainRange::middle() const { return std::sqrt(Low * High); }

GainRange predictGain(const Arch &A, const TileWork &Work,
                      const Occupancy &Before, const Candidate &After) {
  GainRange Gain;
  if (!rateOf(A.Rates, Work.Unit) || !Before.BlocksPerSM ||
      !After.Residency.BlocksPerSM)
    return Gain;
  double Reached =
      isTensor(Work.Unit) ? A.Rates.TensorReached : A.Rates.ScalarReached;
  auto Quotient = [&](double Share, bool Hidden) {
    TileClocks Clocks = clocksOf(A, Work, Share);
    return originalClocks(Clocks, Before.BlocksPerSM, Hidden) /
           pipelinedClocks(Clocks, After.Residency.BlocksPerSM, Hidden, After);
  };
  double Slow = Quotient(Reached, /*Hidden=*/true);
  double Fast = Quotient(1, /*Hidden=*/false);
  Gain.Low = std::min(Slow, Fast);
  Gain.High = std::max(Slow, Fast);
  return Gain;
}

void orderCandidates(const Arch &A, const TileWork &Work,
                     const Occupancy &Before, std::vector<Candidate> &List) {
  for (Candidate &One : List)
    One.Gain = predictGain(A, Work, Before, One);
  std::stable_sort(List.begin(), List.end(),
                   [](const Candidate &X, const Candidate &Y) {
                     return X.Gain.middle() > Y.Gain.middle();
                   });
  // Of those that are as good as the best one left, the fewest slots go first.
  for (auto Next = List.begin(); Next != List.end(); ++Next) {
    double Best = Next->Gain.middle();
    auto End = std::find_if(Next, List.end(), [&](const Candidate &One) {
      return One.Gain.middle() * SameGain < Best;
    });
    auto Fewest =
        std::min_element(Next, End, [](const Candidate &X, const Candidate &Y) {
          return X.Stages < Y.Stages;
        });
    std::rotate(Next, Fewest, Fewest + 1);
  }
}

bool mayGain(const std::vector<Candidate> &List) {
  return std::any_of(List.begin(), List.end(), [](const Candidate &C) {
    return C.Gain.High >= LeastGain;
  });
}

} // namespace pipeline_rewrite
