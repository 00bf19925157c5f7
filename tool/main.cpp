// pipeline-rewrite: options -> session -> exit code.
#include "Budget/ArchReport.h"
#include "Options.h"
#include "Output.h"
#include "Proof.h"
#include "Report/Report.h"
#include "Session.h"
#include "Support/InstallPaths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pipeline_rewrite;

namespace {

// DESIGN: 0 done, 1 --fail-on hit, 2 usage or rules, 3 the input did not parse,
// 4 the proof failed, 5 the proof could not be run.
enum ExitCode {
  Done = 0,
  FailOnHit = 1,
  Usage = 2,
  NotParsed = 3,
  ProofFailed = 4,
  ProofNotRun = 5
};

int report(Error E, int Otherwise) {
  bool Wrong = false;
  handleAllErrors(std::move(E), [&](const ErrorInfoBase &Info) {
    Wrong |= Info.convertToErrorCode() == std::errc::invalid_argument;
    errs() << "pipeline-rewrite: error: " << Info.message() << "\n";
  });
  return Wrong ? Usage : Otherwise;
}

bool hitsFailOn(const RunResult &Run, FailOn Fail) {
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      for (const Reason &R : Loop.Reasons)
        if (Fail == FailOn::Refused ||
            (Fail == FailOn::Budget && R.Id == ReasonId::Budget))
          return true;
  return false;
}

int explainId(const std::string &Id) {
  std::string Text = explain(Id);
  if (Text.empty()) {
    errs() << "pipeline-rewrite: error: --explain=" << Id
           << ": there is no such id\n";
    return Usage;
  }
  outs() << Text;
  return Done;
}

int listArchs(const Options &Opts, const ArchTable &Archs) {
  if (Opts.Json)
    outs() << formatv("{0:2}", archTableJson(Archs)) << "\n";
  else
    outs() << renderArchTable(Archs);
  return Done;
}

void collect(FileOutcome &Outcome, StringRef Path, RunResult &Run) {
  Run.Arch = Outcome.Arch;
  Run.Machine = Outcome.Machine;
  Run.ArchAssumed |= Outcome.ArchAssumed;
  Run.UsedToolkit |= Outcome.UsedToolkit;
  if (Outcome.HadErrors)
    Run.FilesWithErrors.push_back(Path.str());
}

bool isRewritten(const RewrittenFile &File) {
  return File.Original != File.Rewritten;
}

bool anyConsidered(const RunResult &Run) {
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      if (Loop.Status != LoopStatus::Skipped)
        return true;
  return false;
}

void keepOriginal(RewrittenFile &File, LoopStatus Status) {
  File.Rewritten = File.Original;
  for (LoopResult &Loop : File.Result.Loops)
    if (Loop.Status == LoopStatus::Rewritten)
      Loop.Status = Status;
}

/// Loops in headers: each header is edited once, only where the options say how,
/// and only if all files that include it lead to the same text.
void settleHeaders(const Options &Opts, std::vector<RewrittenFile> &Known,
                   FileOutcome &Outcome) {
  auto IsKnown = [&](RewrittenFile &File) {
    for (RewrittenFile &Other : Known) {
      bool Same = false;
      if (sys::fs::equivalent(Other.Path, File.Path, Same) || !Same)
        continue;
      if (Other.Rewritten != File.Rewritten) {
        errs() << "pipeline-rewrite: warning: " << File.Path
               << " is left as it is: the files that include it lead to "
                  "different rewrites\n";
        keepOriginal(Other, LoopStatus::Skipped);
      }
      return true;
    }
    return false;
  };
  llvm::erase_if(Outcome.Files, IsKnown);
  for (RewrittenFile &File : Outcome.Files)
    if (!File.IsInput && isRewritten(File) && !Opts.InPlace && !Opts.Diff &&
        !Opts.DryRun) {
      errs() << "pipeline-rewrite: note: the loops of " << File.Path
             << " can be pipelined; -i or --diff rewrites included files\n";
      keepOriginal(File, LoopStatus::Eligible);
    }
}

int processFiles(const Options &Opts, const SessionContext &Context) {
  RunResult Run;
  std::vector<RewrittenFile> Sources;
  int Code = Done;
  for (const std::string &Path : Opts.Files) {
    Expected<FileOutcome> Outcome = processFile(Path, Context);
    if (!Outcome) {
      Code = std::max(Code, report(Outcome.takeError(), NotParsed));
      continue;
    }
    if (Outcome->HadErrors && !Opts.KeepGoing)
      Code = NotParsed;
    outs() << Outcome->Dump;
    for (RewrittenFile &File : Outcome->Files)
      if (!Opts.Verify.empty() && !Opts.DryRun && File.IsInput && isRewritten(File))
        Code = std::max(Code, proveRewrite(Opts, *Outcome, File));
    settleHeaders(Opts, Sources, *Outcome);
    collect(*Outcome, Path, Run);
    std::move(Outcome->Files.begin(), Outcome->Files.end(),
              std::back_inserter(Sources));
  }
  for (RewrittenFile &File : Sources)
    Run.Files.push_back(File.Result);
  bool Narrowed = Opts.Loop || !Opts.Kernel.empty();
  if (Narrowed && !anyConsidered(Run))
    errs() << "pipeline-rewrite: note: no K loop matches"
           << (Opts.Kernel.empty() ? "" : " --kernel=" + Opts.Kernel)
           << (Opts.Loop ? " --loop=" + std::to_string(Opts.Loop) : "") << "\n";
  // Nothing is written unless every proof that was asked for holds.
  bool Unproved = Code == Usage || Code == ProofFailed || Code == ProofNotRun;
  if (Unproved && Opts.Verify.empty())
    return Code;
  if (!Unproved)
    if (Error Failed = writeSources(Opts, Sources))
      return report(std::move(Failed), Usage);
  if (Error Failed = writeReports(Opts, Run))
    return report(std::move(Failed), Usage);
  if (Code == Done && Opts.Fail != FailOn::None && hitsFailOn(Run, Opts.Fail))
    return FailOnHit;
  return Code;
}

} // namespace

int main(int Argc, const char **Argv) {
  InitLLVM Init(Argc, Argv);
  Expected<Options> Opts = parseOptions(Argc, Argv);
  if (!Opts)
    return report(Opts.takeError(), Usage);
  if (!Opts->Explain.empty())
    return explainId(Opts->Explain);
  if (!Opts->Compare.empty())
    return proveComparison(*Opts);
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths)
    return report(Paths.takeError(), Usage);
  std::vector<std::string> RuleDirs{Paths->Rules};
  RuleDirs.insert(RuleDirs.end(), Opts->RulesDirs.begin(), Opts->RulesDirs.end());
  Expected<ArchTable> Archs = ArchTable::load(RuleDirs);
  if (!Archs)
    return report(Archs.takeError(), Usage);
  Expected<VariantRules> Rules = VariantRules::load(RuleDirs);
  if (!Rules)
    return report(Rules.takeError(), Usage);
  if (Opts->ListArchs)
    return listArchs(*Opts, *Archs);
  return processFiles(*Opts, {*Opts, *Archs, *Rules});
}
