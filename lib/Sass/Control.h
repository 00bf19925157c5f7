/// \file
/// The scheduling part of a 128-bit instruction word.
///
/// The vendor does not document it. The layout is the one that independent
/// public work agrees on, for Volta (sm_70) up to at least Hopper (sm_90):
/// - Z. Jia, M. Maggioni, B. Staiger, D. Scarpazza: "Dissecting the NVIDIA
///   Volta GPU Architecture via Microbenchmarking", arXiv:1804.06826, and
///   "Dissecting the NVidia Turing T4 GPU", arXiv:1903.07486;
/// - CuAssembler (github.com/cloudcores/CuAssembler), CuAsm/CuControlCode.py;
/// - maxas (github.com/NervanaSystems/maxas), wiki page "Control Codes", for
///   what the same fields meant on Maxwell.
///
/// | bits of the word | field |
/// |---|---|
/// | 105-108 | stall: cycles before the next instruction of the warp |
/// | 109 | yield, active low: 0 lets another warp go first |
/// | 110-112 | scoreboard that is released when the result is written; 7 none |
/// | 113-115 | scoreboard that is released when the operands were read; 7 none |
/// | 116-121 | scoreboards to wait for before this instruction starts |
/// | 122-125 | operands whose register is kept for the next instruction |
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pipeline_rewrite {

struct SassControl {
  unsigned Stall = 0; ///< cycles, 0 to 15
  bool Yield = false;
  std::optional<unsigned> WriteBarrier; ///< 0 to 5
  std::optional<unsigned> ReadBarrier;  ///< 0 to 5
  unsigned WaitMask = 0;                ///< bit n: scoreboard n
  unsigned Reuse = 0;                   ///< bit n: operand n
  bool operator==(const SassControl &O) const;
};

/// \param High bits 64 to 127 of the instruction word.
SassControl decodeControl(uint64_t High);

/// The fields in a fixed width: `S04 Y W2 R- B01----`.
std::string describe(const SassControl &Control);

} // namespace pipeline_rewrite
