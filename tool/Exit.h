/// \file
/// How the program ends.
#pragma once

#include "llvm/Support/Error.h"

namespace pipeline_rewrite {

/// The exit codes of the program; docs/usage.md lists them.
enum ExitCode {
  Done = 0,
  FailOnHit = 1,
  Usage = 2,       ///< wrong usage, or a wrong rules file
  NotParsed = 3,   ///< a file did not parse
  ProofFailed = 4, ///< nothing is written
  ProofNotRun = 5,
  InternalError = 70
};

/// Prints \p E on stderr. \returns Usage where the command line is to blame
/// (std::errc::invalid_argument), else \p Otherwise.
int reportError(llvm::Error E, int Otherwise);

} // namespace pipeline_rewrite
