#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

struct ProcessOptions {
  unsigned TimeoutSeconds = 0; ///< 0: no limit.
  unsigned MemoryLimitMB = 0;  ///< Megabytes of memory; 0: no limit.
  std::vector<std::string>
      ExtraEnvironment; ///< "NAME=value", added to this program's own.
};

/// How a program ended. A program that crashed or ran too long has no exit code
/// (-1).
struct ProcessResult {
  int ExitCode = -1;
  bool TimedOut = false;
  std::string
      Signal; ///< What killed it, in words; empty where it ended by itself.
  std::string Out, Err;
  double Seconds = 0; ///< Wall-clock time.

  bool succeeded() const { return ExitCode == 0; }
  /// \returns "exit code 3", "ran longer than its limit", "Segmentation fault".
  std::string describe() const;
};

/// Runs a program and waits for it. There is never a shell: each argument
/// arrives as it is. Standard input is empty. One call at a time: the time
/// limit is a process-wide alarm.
/// \param Argv the program (a path, or a name to look for on PATH), then its
/// arguments.
/// \returns an error only where the program could not be started at all.
llvm::Expected<ProcessResult> runProcess(llvm::ArrayRef<std::string> Argv,
                                         const ProcessOptions &Options = {});

/// \returns a command line that a person can paste into a POSIX shell.
std::string quoteCommand(llvm::ArrayRef<std::string> Argv);

} // namespace pipeline_rewrite
