/// \file
/// Static shared arrays, written as parts of one dynamic block.
#pragma once

#include "Rewrite/Edits.h"

namespace pipeline_rewrite {

/// The edits of the declarations of all kernels in \p Loops whose arrays move.
std::vector<SourceEdit> moveArrays(const std::vector<PlannedLoop> &Loops,
                                   llvm::StringRef Buffer);

} // namespace pipeline_rewrite
