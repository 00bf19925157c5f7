#pragma once

#include "Verify/Prove.h"

#include "llvm/ADT/StringRef.h"

namespace pipeline_rewrite {

/// Turns what the machine wrote (one JSON object a line) into a result. Without
/// a line of totals the result is CouldNotRun.
/// \param Ended how the program ended, in words, for that case.
ProofResult readMachineReport(llvm::StringRef Text, llvm::StringRef Ended);

/// What the machine says that it is doing, from a report that is still being
/// written; empty where it has not said yet.
std::string lastProgress(llvm::StringRef Text);

} // namespace pipeline_rewrite
