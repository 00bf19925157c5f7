/// \file
/// What the instructions of a listing do, as far as the overlap depends on it.
/// The names are those of the vendor's instruction set reference (CUDA Binary
/// Utilities, "Instruction Set Reference", sm_70 to sm_90 and later).
#pragma once

#include "Sass/Listing.h"
#include "llvm/ADT/SmallVector.h"

namespace pipeline_rewrite {

enum class SassKind {
  Other,
  GlobalLoad,  ///< global memory to registers: LDG, LD
  AsyncCopy,   ///< global to shared memory: LDGSTS, and the bulk copies
  AsyncCommit, ///< LDGDEPBAR
  AsyncWait,   ///< DEPBAR on the scoreboard of the asynchronous copies
  SharedLoad,  ///< LDS, LDSM
  SharedStore, ///< STS, STSM
  LocalLoad,   ///< LDL: spilled registers, or an array with a changing index
  LocalStore,  ///< STL
  Barrier,     ///< of the block: BAR.SYNC, BAR.RED
};

SassKind kindOf(const SassInstruction &I);

/// How surely an instruction is the arithmetic that a kernel exists for; a
/// stronger one in the same loop makes the weaker ones overhead.
enum class SassMath {
  None,
  Simple,   ///< one addition, multiplication, minimum
  Integer,  ///< IMAD of three registers
  Fused,    ///< FFMA, DFMA, HFMA2, IDP
  Tensor,   ///< HMMA, IMMA, HGMMA, ...
};

/// Constants and addresses that the compiler makes with the multiplier (`HFMA2
/// R1, -RZ, RZ, 0, 0`, `IMAD.WIDE`, `IMAD.MOV`) are not arithmetic.
SassMath mathOf(const SassInstruction &I);

/// Bytes that one thread moves by a load, store or asynchronous copy. An
/// asynchronous copy under `!PT` fetches nothing: it writes zeros.
unsigned accessBytes(const SassInstruction &I);

/// N of an asynchronous wait: how many groups may still be in flight.
std::optional<unsigned> pendingGroups(const SassInstruction &I);

/// Registers R[First] to R[First + Count - 1].
struct RegisterRange {
  unsigned First = 0, Count = 1;
};

struct RegisterUse {
  std::optional<RegisterRange> Result;
  /// Registers whose value goes into the result or to memory; not addresses.
  llvm::SmallVector<RegisterRange, 4> Values;
};

RegisterUse registersOf(const SassInstruction &I);

} // namespace pipeline_rewrite
