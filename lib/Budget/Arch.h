#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// First-order speeds of one multiprocessor, for the time model only. Rates
/// are per clock and multiprocessor, latencies in clocks.
struct ArchRates {
  double Fp32Fma = 0;     ///< Multiply-adds a clock, fp32.
  double Fp64Fma = 0;     ///< Multiply-adds a clock, fp64.
  double Fp16Tensor = 0;  ///< Multiply-adds a clock, fp16 and bf16 mma.sync.
  double Int8Tensor = 0;  ///< Multiply-adds a clock, int8 mma.sync; 0 none.
  double Int8Dot = 0;     ///< Multiply-adds a clock, dp4a, four an instruction.
  double GlobalBytes = 0; ///< Bytes a clock from L2, all blocks together.
  double SharedBytes = 0; ///< Bytes a clock to or from shared memory.
  double GlobalLatency = 0;  ///< Clocks from a load to its value, L2 hit.
  double BarrierLatency = 0; ///< Clocks of one block barrier.
  /// Issue clocks of a warp's asynchronous copy of less than 16 bytes a thread.
  double SmallAsyncCopy = 0;
  double ScalarReached =
      1; ///< Share of Fp32Fma, Fp64Fma, Int8Dot that kernels reach.
  double TensorReached = 1; ///< Share of the tensor rates that kernels reach.
};

/// What one architecture offers a block. Every figure comes from one file
/// rules/arch/sm_XX.yaml, where its source is written beside it.
struct Arch {
  std::string Name; ///< "sm_86".
  unsigned Major = 0, Minor = 0;

  uint64_t SharedPerSM = 0; ///< Bytes a multiprocessor, largest carve-out.
  uint64_t SharedOptin = 0; ///< Bytes a block may ask for after opting in.
  uint64_t SharedStaticMax =
      0; ///< Bytes of __shared__ arrays, and of any block without opt-in.
  uint64_t SharedReserved = 0;    ///< Bytes the driver takes from each block.
  uint64_t SharedGranularity = 0; ///< Allocation unit in bytes.
  std::vector<unsigned> CarveoutsKB; ///< Supported splits, ascending, in KB.

  unsigned RegistersPerSM = 0;
  unsigned RegistersPerBlock = 0;
  unsigned RegisterUnit = 0;  ///< Allocation unit of a warp, registers.
  unsigned RegisterFiles = 0; ///< Sub-partitions with their own registers.
  unsigned MaxRegistersPerThread = 0; ///< What a compiler may use.
  unsigned RegisterLaunchLimit = 0;   ///< What the launch check compares with.

  unsigned WarpSize = 0;
  unsigned MaxWarpsPerSM = 0;
  unsigned MaxBlocksPerSM = 0;
  unsigned MaxThreadsPerBlock = 0;
  unsigned BarriersPerSM = 0; ///< 0 where barriers never limit residency.

  bool HasAsyncCopy = false; ///< cp.async, sm_80 and later.
  ArchRates Rates;

  /// Major * 10 + minor: 86 for sm_86.
  unsigned number() const { return Major * 10 + Minor; }
};

/// The architectures that rules/ describes, in ascending order.
class ArchTable {
public:
  /// Reads arch/sm_*.yaml below each of \p Dirs. A later directory adds
  /// architectures and replaces those of the same name, whole files at a time.
  /// A directory without arch/ adds nothing; no architecture at all, an
  /// unreadable file, an unknown or missing key and a figure of the wrong type,
  /// unit or range are errors of the form "FILE:LINE:COLUMN: what is wrong".
  static llvm::Expected<ArchTable> load(llvm::ArrayRef<std::string> Dirs);

  /// The architecture called \p Name, or null. A suffix of letters ("sm_90a")
  /// is disregarded: it changes the instructions, not the resources.
  const Arch *find(llvm::StringRef Name) const;

  llvm::ArrayRef<Arch> all() const { return Archs; }

private:
  std::vector<Arch> Archs;
};

} // namespace pipeline_rewrite
