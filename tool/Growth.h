/// \file
/// Kernels whose dynamic shared memory grows: what all their loops need
/// together, and the edits of their launches, in whatever file they stand.
#pragma once

#include "Rewrite/LaunchEdits.h"
#include "SourceLoop.h"
#include "Verify/Prove.h"
#include <map>

namespace pipeline_rewrite {

using LoopsByFile = std::map<std::string, std::vector<SourceLoop>>;

/// The edits of one kernel's launches.
struct GrownKernel {
  std::string File;
  unsigned Function = 0; ///< where its definition begins in File
  KernelGrowth Growth;
  std::vector<DynamicNeed> Needs; ///< of its loops, in each instantiation
  std::vector<FileEdit> Edits;
  /// Where the static arrays move to dynamic memory.
  std::optional<MovedArrays> Moved;

  bool holds(const LoopFacts &Facts) const {
    return Facts.File == File && Facts.FunctionRange.Begin == Function;
  }
  GrownShared Proof; ///< what a proof has to know
  /// Do the edits make sense only together with those of another file?
  bool spansFiles() const;
};

/// Refuses every loop that asks for dynamic memory which its launches cannot be
/// made to give, and settles what the loops of one kernel ask for together:
/// static arrays of more than \p StaticLimit bytes move, or loops are refused.
void settleGrowth(std::vector<SourceLoop> &Loops, uint64_t StaticLimit);

/// One entry for each kernel of which a planned loop asks for dynamic memory.
/// Errors: the bytes cannot be spelled, although settleGrowth() ran.
llvm::Expected<std::vector<GrownKernel>> growKernels(const LoopsByFile &ByFile,
                                                     uint64_t StaticLimit,
                                                     BufferOf Buffers);

} // namespace pipeline_rewrite
