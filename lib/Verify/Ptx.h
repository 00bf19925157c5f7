#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// One instruction of an inline PTX text, cut into its parts.
struct PtxInstruction {
  std::string Text;                  ///< As written, without the semicolon.
  std::string Name;                  ///< Up to the first dot: "cp", "mma".
  std::vector<std::string> Parts;    ///< What stands between the dots after it.
  std::vector<std::string> Operands; ///< Vectors {a, b} taken apart.
  std::string Predicate;             ///< Of `@p`; empty without one.
  bool PredicateNegated = false;

  bool has(llvm::StringRef Part) const;
};

/// Cuts the text of an asm statement, in LLVM's spelling of operands ($0), into
/// instructions. Scopes in braces are opened; comments are dropped.
std::vector<PtxInstruction> parsePtx(llvm::StringRef Text);

/// The registers of one lane in a warp-wide matrix instruction m16n8k*, from
/// the PTX ISA's section on matrix fragments.
struct MmaShape {
  unsigned Results, A, B; ///< 32-bit registers a lane holds of D (and C), A, B.
  unsigned K;             ///< Depth; 16 rows and 8 columns are implied.
  /// 0: f16 with f32 sums, 1: bf16, 2: tf32, 3: s8, 4: f16 with f16 sums.
  unsigned Type;
};

/// \returns the shape where the instruction is one that the machine computes.
std::optional<MmaShape> mmaShape(const PtxInstruction &I);

} // namespace pipeline_rewrite
