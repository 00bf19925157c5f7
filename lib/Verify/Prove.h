#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What is to be proved: that rewritten versions do what \p OriginalText does.
struct ProofRequest {
  std::string Path; ///< Of the original; names it in messages, and its folder
                    ///< is where its own includes are found.
  std::string OriginalText;
  std::string RewrittenText; ///< For backends that prove one version.
  std::vector<std::string> CompileArgs; ///< -D, -I, -isystem and -std.
  std::string LaunchFile;               ///< Empty: the file's own main is run.
  std::vector<std::string> ProgramArgs; ///< For that main.
  uint64_t Seed = 1;
  std::string Tolerance; ///< As `readTolerance` takes it; empty: bitwise.
  bool KeepTemps = false;
  unsigned TimeoutSeconds = 120; ///< For the run; compiling is not counted.
  std::string RuntimeDir, RulesDir;
  /// C++ expression for the rewritten kernel's dynamic shared bytes, over the
  /// launch file's names; empty: the launch file's `shared_after`, else as much
  /// as any GPU has.
  std::string RewrittenShared;
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

/// Proves rewrites of one original on the CPU: compiles both versions for the
/// machine of runtime/src, runs them on the same data under several schedules,
/// checks every access and compares the results. The original is compiled once.
/// docs/verification.md says what is checked.
class CpuProver {
public:
  /// \returns an error where the request is not usable: a launch file or
  /// tolerance that cannot be read, no compiler.
  static llvm::Expected<CpuProver> create(const ProofRequest &Request);
  CpuProver(CpuProver &&);
  ~CpuProver();

  /// Proves one version.
  /// \param Path of a file that somebody else has rewritten; its own includes
  /// are found in its folder. Empty: the rewrite is ours and has no file yet.
  /// \returns an error where this machine fails (no space, no process);
  /// everything else is a result.
  llvm::Expected<ProofResult> prove(llvm::StringRef Path,
                                    llvm::StringRef Text);

  /// What the proof is doing now, in a few words; may be called from another
  /// thread while `prove` runs.
  std::string progress();

private:
  class State;
  explicit CpuProver(std::unique_ptr<State> S);
  std::unique_ptr<State> S;
};

} // namespace pipeline_rewrite
