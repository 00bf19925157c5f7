#include "FileLoop.h"
#include "Exit.h"
#include "Headers.h"
#include "Output.h"
#include "Proof.h"
#include "Sass.h"
#include "Workers.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

bool hitsFailOn(const RunResult &Run, FailOn Fail) {
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      for (const Reason &R : Loop.Reasons)
        if (Fail == FailOn::Refused ||
            (Fail == FailOn::Budget && R.Id == ReasonId::Budget))
          return true;
  return false;
}

bool anyConsidered(const RunResult &Run) {
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      if (Loop.Status != LoopStatus::Skipped)
        return true;
  return false;
}

class FileLoop {
public:
  FileLoop(const Options &Opts, const SessionContext &Context)
      : Opts(Opts), Context(Context), Ledger(Opts) {}

  int run() {
    {
      Workers Pool(Context);
      for (size_t I = 0; I < Opts.Files.size(); ++I)
        accept(Opts.Files[I], Pool.take(I));
    }
    Ledger.settle();
    for (RewrittenFile &File : Ledger.Files)
      Run.Files.push_back(File.Result);
    noteNoMatch();
    return write();
  }

private:
  void accept(const std::string &Path, FileJob Job) {
    if (!Job.Outcome) {
      errs() << Job.Messages << "pipeline-rewrite: error: " << Path
             << ": the program itself failed on this file, which is left as it "
                "is\n";
      Code = InternalError;
      return;
    }
    if (!*Job.Outcome) {
      errs() << Job.Messages;
      int Now = reportError(Job.Outcome->takeError(), NotParsed);
      Blocked |= Now == Usage;
      Code = std::max(Code, Now);
      return;
    }
    FileOutcome Outcome = std::move(**Job.Outcome);
    sayMessages(Outcome, Job.Messages);
    if (Outcome.HadErrors && !Opts.KeepGoing)
      Code = std::max<int>(Code, NotParsed);
    outs() << Outcome.Dump;
    if (Opts.Sass)
      settle(checkSass(Context, Path, Outcome));
    for (RewrittenFile &File : Outcome.Files)
      if (!Opts.Verify.empty() && !Opts.DryRun && File.IsInput &&
          File.Original != File.Rewritten)
        prove(Outcome, File);
    collect(Outcome, Path);
    Ledger.add(Path, std::move(Outcome.Files));
  }

  /// What is true of the whole run (the toolkit, ...) is said once.
  void sayMessages(FileOutcome &Outcome, const std::string &Compiler) {
    errs() << Compiler;
    for (const std::string &Note : Outcome.Notes)
      if (!Opts.Quiet && NotesSaid.insert(Note).second)
        errs() << "pipeline-rewrite: note: " << Note << "\n";
    for (RewrittenFile &File : Outcome.Files)
      if (File.IsInput) {
        errs() << File.Messages;
        File.Messages.clear();
      }
  }

  void prove(const FileOutcome &Outcome, RewrittenFile &File) {
    settle(proveRewrite(Opts, Outcome, File));
  }

  void settle(int Now) {
    Blocked |= Now != Done;
    Code = std::max(Code, Now);
  }

  void collect(const FileOutcome &Outcome, StringRef Path) {
    Run.Arch = Outcome.Arch;
    Run.Machine = Outcome.Machine;
    Run.ArchAssumed |= Outcome.ArchAssumed;
    Run.UsedToolkit |= Outcome.UsedToolkit;
    if (Outcome.HadErrors)
      Run.FilesWithErrors.push_back(Path.str());
  }

  void noteNoMatch() const {
    bool Narrowed = Opts.Loop || !Opts.Kernel.empty();
    if (Narrowed && !anyConsidered(Run))
      errs() << "pipeline-rewrite: note: no K loop matches"
             << (Opts.Kernel.empty() ? "" : " --kernel=" + Opts.Kernel)
             << (Opts.Loop ? " --loop=" + std::to_string(Opts.Loop) : "")
             << "\n";
  }

  /// Nothing is written unless every proof that was asked for holds.
  int write() {
    if (Blocked && Opts.Verify.empty() && !Opts.Sass)
      return Code;
    if (!Blocked)
      if (Error Failed = writeSources(Opts, Ledger.Files))
        return std::max(Code, reportError(std::move(Failed), Usage));
    if (Error Failed = writeReports(Opts, Run))
      return std::max(Code, reportError(std::move(Failed), Usage));
    if (Code == Done && Opts.Fail != FailOn::None && hitsFailOn(Run, Opts.Fail))
      return FailOnHit;
    return Code;
  }

  const Options &Opts;
  const SessionContext &Context;
  RunResult Run;
  FileLedger Ledger;
  StringSet<> NotesSaid;
  int Code = Done;
  bool Blocked = false; ///< a proof failed, or the command line is wrong
};

} // namespace

int processFiles(const Options &Opts, const SessionContext &Context) {
  return FileLoop(Opts, Context).run();
}

} // namespace pipeline_rewrite
