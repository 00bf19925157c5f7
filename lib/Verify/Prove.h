#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// A kernel whose launches give more dynamic shared memory in the rewrite.
struct GrownShared {
  std::string Kernel;   ///< its name, without namespaces and arguments
  std::string Function; ///< the emitted function that gives the bytes,
  std::string Text;     ///< ... and all of its text
  bool IsTemplate = false;
  bool Largest = true; ///< it gives the larger of what it and the original give
};

/// What is to be proved: that \p RewrittenText does what \p OriginalText does.
struct ProofRequest {
  std::string Path; ///< Of the original; names it in messages, and its folder
                    ///< is where its own includes are found.
  std::string OriginalText, RewrittenText;
  std::vector<std::string> CompileArgs; ///< -D, -I, -isystem and -std.
  std::string LaunchFile;               ///< Empty: the file's own main is run.
  std::vector<std::string> ProgramArgs; ///< For that main.
  uint64_t Seed = 1;
  std::string Tolerance; ///< As `readTolerance` takes it; empty: bitwise.
  bool KeepTemps = false;
  unsigned TimeoutSeconds = 120; ///< For the run; compiling is not counted.
  std::string RuntimeDir, RulesDir;
  /// C++ expression for the rewritten kernel's dynamic shared bytes, over the
  /// launch file's names; empty: the launch file's `shared_after`, else what the
  /// function of its entry in Grown gives, else as much as any GPU has.
  std::string RewrittenShared;
  std::vector<GrownShared> Grown;
  /// Headers that changed along with the file: where they are from the folder of
  /// Path, and their text.
  std::vector<std::pair<std::string, std::string>> RewrittenHeaders;
};

struct ProofFailure {
  std::string Check;   ///< Stable word, listed in docs/verification.md.
  std::string Message; ///< One sentence: what, which thread, which two lines.
  std::string Where;   ///< "file:line", or the kernel's name.
};

enum class ProofStatus {
  Proved,        ///< Every comparison equal, every check passed.
  Failed,        ///< The rewritten version is wrong.
  CouldNotRun,   ///< Nothing is known: not covered, crashed, too slow.
  OriginalBroken ///< The original races, reads stale data, or is not
                 ///< deterministic.
};

struct ProofResult {
  std::string Backend = "cpu";
  unsigned Runs = 0;        ///< Launches run, both versions together.
  unsigned Comparisons = 0; ///< Pairs of results compared.
  ProofStatus Status = ProofStatus::CouldNotRun;
  std::vector<ProofFailure> Failures; ///< Of CouldNotRun: the reason.
  std::vector<std::string> Notes;     ///< What limits the proof.
  std::string Reproduce; ///< A shell command; needs KeepTemps to work later.
};

/// Proves a rewrite on the CPU: compiles both versions for the machine of
/// runtime/src, runs them on the same data under several schedules, checks
/// every access and compares the results. docs/verification.md says what is
/// checked.
/// \returns an error where the request is not usable (a launch file or
/// tolerance that cannot be read, no compiler); everything else is a result.
llvm::Expected<ProofResult> proveOnCpu(const ProofRequest &Request);

} // namespace pipeline_rewrite
