/// \file
/// Registers from the compiler's own report, for the budget.
#pragma once

#include "Budget/CompilerReport.h"
#include "Session.h"
#include "SourceLoop.h"

namespace pipeline_rewrite {

/// Asks nvcc what the kernels of one file take, as written and rewritten, and
/// holds the plans against the answer.
class RegisterCheck {
public:
  /// Asks about the file as it is, if the options want it and nvcc is there. An
  /// error where the options insist and it is not.
  static llvm::Expected<RegisterCheck> create(const Options &Opts,
                                              const ParsedUnit &Unit,
                                              llvm::StringRef Input,
                                              llvm::StringRef Text);

  bool active() const { return !Before.empty(); }

  /// Of the kernel as written; 0 unknown.
  unsigned registersBefore(const LoopFacts &Facts) const;

  /// Asks about the rewritten file and enters the figures into the loops'
  /// budgets. Where a rewrite loses a resident block by its registers, or spills
  /// more than the original, the loop gets another form or variant to try, or in
  /// the end the reason why there is none.
  /// \returns true if some loop has to be decided again.
  bool reconsider(const std::vector<RewrittenFile> &Files,
                  std::vector<SourceLoop *> Loops, const Arch &Machine);

  /// What the user should know: why there is no report. May be empty.
  const std::string &note() const { return Note; }

private:
  RegisterCheck(const Options &Opts) : Opts(Opts) {}

  llvm::Expected<CompilerReport> ask(const std::vector<RewrittenFile> &Files);
  std::string holdAgainst(SourceLoop &Loop, const CompilerReport &After,
                          const Arch &Machine) const;
  void chooseOther(SourceLoop &Loop);

  const Options &Opts;
  CompilerRequest Request; ///< with the original's text
  CompilerReport Before;
  std::string Note;
  unsigned Attempts = 0;
};

} // namespace pipeline_rewrite
