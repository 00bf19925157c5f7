/// \file
/// What a disassembler prints about device code, as values.
#pragma once

#include "Sass/Control.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// A line of a source file.
struct SassPlace {
  std::string File; ///< as the compiler wrote it; empty: not known
  unsigned Line = 0;
};

/// One machine instruction.
struct SassInstruction {
  uint64_t Address = 0;
  std::string Guard;  ///< `@!P0`, or empty
  std::string Opcode; ///< with its modifiers, `LDG.E.128.CONSTANT`
  std::vector<std::string> Operands;
  std::optional<SassControl> Control; ///< none: the listing has no encoding
  /// Where it comes from. Of code that was inlined, each caller up to the
  /// kernel itself, which is the last one. Empty without line information.
  std::vector<SassPlace> Places;
  std::optional<uint64_t> Target; ///< where a branch goes

  /// \returns the opcode without modifiers, `LDG`.
  llvm::StringRef base() const;
  /// Does the opcode have the modifier \p Name (`128`, `SYNC`)?
  bool has(llvm::StringRef Name) const;
  /// `@!P0 LDG.E R2, [R4.64]`
  std::string text() const;
};

struct SassFunction {
  std::string Name; ///< as the linker knows it (mangled)
  std::vector<SassInstruction> Code; ///< by address
};

struct SassListing {
  std::string Arch; ///< `sm_86`, or empty
  std::vector<SassFunction> Functions;
};

/// Reads what `nvdisasm -c` (with or without `-hex`, `-g`, `-gi`) or
/// `cuobjdump -sass` printed. An error where there is no instruction in it, or
/// where a branch leads to a label that is not there.
llvm::Expected<SassListing> parseSass(llvm::StringRef Text);

} // namespace pipeline_rewrite
