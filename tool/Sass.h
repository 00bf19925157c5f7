/// \file
/// `--sass`: the rewritten loops in machine code.
#pragma once

#include "Session.h"

namespace pipeline_rewrite {

/// Compiles the file as it was and as it is rewritten, compares each rewritten
/// loop in machine code, prints what it found to stderr and fills
/// LoopResult::Sass. Where the compiler moved the loads down, the remedies are
/// tried one after the other, and what helps stays in the text of \p Outcome.
/// \returns 0, or 5 where nothing could be checked.
int checkSass(const SessionContext &Context, llvm::StringRef Path,
              FileOutcome &Outcome);

} // namespace pipeline_rewrite
