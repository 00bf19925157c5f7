/// \file
/// facts + plan -> edits.
#pragma once

#include "Plan/Plan.h"
#include "llvm/Support/Error.h"

namespace pipeline_rewrite {

/// Replace \p Length bytes at \p Offset by \p Text.
struct SourceEdit {
  unsigned Offset = 0;
  unsigned Length = 0;
  std::string Text;
  bool operator==(const SourceEdit &O) const {
    return Offset == O.Offset && Length == O.Length && Text == O.Text;
  }
};

/// How a kernel's static arrays become parts of one dynamic block.
struct MovedArrays {
  std::string BytesCall; ///< what gives the block's bytes, `k_shared_bytes<N>()`
  bool Round = false;    ///< see layOutShared()
};

/// One loop with everything that was decided about it.
struct PlannedLoop {
  const LoopFacts *Facts = nullptr;
  const Verdict *Judgement = nullptr;
  const LoopPlan *Plan = nullptr;
  std::optional<MovedArrays> Moved; ///< of the loop's kernel
  std::string BytesCall; ///< what its launches give: `k_shared_bytes<N>()`, or empty
};

/// All edits of one file: the loops, the declarations of their tiles, and the
/// include that asynchronous copies need. Edits do not overlap.
std::vector<SourceEdit> emitEdits(const std::vector<PlannedLoop> &Loops,
                                  llvm::StringRef Buffer);

/// Sorts \p Edits by place and makes one of insertions at the same place.
void orderEdits(std::vector<SourceEdit> &Edits);

/// The text that replaces the loop itself.
std::string emitLoop(const PlannedLoop &Loop, llvm::StringRef Buffer);

/// Applies \p Edits as one atomic change. With \p FormatStyle not empty
/// (`file`, `llvm`, ...) the changed lines are formatted.
llvm::Expected<std::string> applyEdits(llvm::StringRef Path,
                                       llvm::StringRef Buffer,
                                       const std::vector<SourceEdit> &Edits,
                                       llvm::StringRef FormatStyle);

/// The edits as text, for `--dump=edits`.
std::string dumpEdits(const std::vector<SourceEdit> &Edits);

} // namespace pipeline_rewrite
