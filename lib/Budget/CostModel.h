#pragma once

#include "Budget/Kinds.h"
#include "Budget/Occupancy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// Compute/load ratio: operations (two for each multiply-add) that a block does
/// on one set of tiles, over the bytes its copy phase moves for them. None
/// where no bytes are moved.
std::optional<double> computeRatio(uint64_t MultiplyAdds, uint64_t Bytes);

/// The closed form for a GEMM tile: 2*BM*BN*BK / ((BM*BK + BK*BN) * bytes).
double gemmRatio(uint64_t BM, uint64_t BN, uint64_t BK, uint64_t ElementBytes);

/// What the register estimate counts. All of it is per thread.
struct RegisterFacts {
  unsigned Reported = 0; ///< The compiler's figure for the original; 0 none.
  unsigned AccumulatorBytes =
      0; ///< Private arrays and fragments that live through the loop.
  unsigned FragmentBytes = 0; ///< Operands held while computing.
  unsigned Pointers = 0;      ///< 64-bit pointers carried by the loop.
  unsigned StagedBytes = 0;   ///< Bytes in flight through registers (ldg).
};

/// Registers a thread, as a guess: Estimated is false only where the compiler
/// reported the original and nothing is added to it.
struct RegisterEstimate {
  unsigned Registers = 0;
  bool Estimated = true;
  std::string Derivation; ///< "64 reported + 8 staged + 4 addressing".
};

/// Registers of the original.
RegisterEstimate estimateRegisters(const Arch &A, const RegisterFacts &Facts);

/// Registers after the rewrite to \p Kind.
RegisterEstimate estimateRegisters(const Arch &A, const RegisterFacts &Facts,
                                   Variant Kind);

/// The unit that does the multiply-adds.
enum class MathUnit { Fp32, Fp64, Fp16Tensor, Int8Tensor, Int8Dot };

/// One set of tiles, per block and iteration.
struct TileWork {
  MathUnit Unit = MathUnit::Fp32;
  double MultiplyAdds = 0;
  double Bytes = 0;           ///< Moved from global to shared memory.
  double SharedReadBytes = 0; ///< Read back while computing; 0 unknown.
  unsigned CopyBytes = 4;     ///< A thread's single copy.
};

/// Time of the original over time of the rewrite; the truth is expected inside.
struct GainRange {
  double Low = 1, High = 1;
  /// The geometric middle, by which variants are ordered.
  double middle() const;
};

/// A candidate for the model: a variant with its stage count and residency.
struct Candidate {
  Variant Kind = Variant::Ldg;
  unsigned Stages = 2;
  Occupancy Residency;
  GainRange Gain; ///< Filled by predictGain and orderCandidates.
};

/// The first-order prediction: clocks of one tile's copy against clocks of its
/// compute phase at the resident blocks. Low takes the original's resident
/// blocks to hide each other's waits perfectly, High not at all.
GainRange predictGain(const Arch &A, const TileWork &Work,
                      const Occupancy &Before, const Candidate &After);

/// Fills in the gains and sorts, best first. Where the middles are within 2 %
/// the fewer stages come first.
void orderCandidates(const Arch &A, const TileWork &Work,
                     const Occupancy &Before, std::vector<Candidate> &List);

/// Is one of \p List expected to gain at least one percent, where all goes
/// well? Less than that no measurement tells from nothing.
bool mayGain(const std::vector<Candidate> &List);

} // namespace pipeline_rewrite
