#include "Proof.h"
#include "Frontend/CudaToolkit.h"
#include "Frontend/NvccArgs.h"
#include "GpuProof.h"
#include "Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

enum ExitCode { Proved = 0, UsageError = 2, Failed = 4, CouldNotRun = 5 };

const char *statusName(ProofStatus Status) {
  switch (Status) {
  case ProofStatus::Proved:
    return "proved";
  case ProofStatus::Failed:
    return "failed";
  case ProofStatus::CouldNotRun:
    return "could-not-run";
  case ProofStatus::OriginalBroken:
    return "original-broken";
  }
  return "";
}

} // namespace

int exitCodeOf(ProofStatus Status) {
  switch (Status) {
  case ProofStatus::Proved:
    return Proved;
  case ProofStatus::Failed:
  case ProofStatus::OriginalBroken:
    return Failed;
  case ProofStatus::CouldNotRun:
    return CouldNotRun;
  }
  return CouldNotRun;
}

void printProof(const Options &Opts, StringRef Path, StringRef Name,
                const ProofResult &R) {
  if (R.Status == ProofStatus::Proved && Opts.Quiet)
    return;
  errs() << Path << ": " << (Name.empty() ? "" : Name + ": ") << "proof ("
         << R.Backend << "): " << statusName(R.Status)
         << ", " << R.Runs << " runs, " << R.Comparisons << " comparisons\n";
  for (const ProofFailure &F : R.Failures)
    errs() << (F.Where.empty() ? Path.str() : F.Where) << ": error: " << F.Message
           << " [" << F.Check << "]\n";
  for (const std::string &Note : R.Notes)
    errs() << "note: " << Note << "\n";
  if (R.Status == ProofStatus::Proved || R.Reproduce.empty())
    return;
  // Without --keep-temps the programs that the command runs are gone by now.
  if (Opts.KeepTemps)
    errs() << "note: reproduce with: " << R.Reproduce << "\n";
  else
    errs() << "note: the same command line with --seed=" << Opts.Seed
           << " reproduces this; with --keep-temps it keeps the programs and "
              "shows how to run them\n";
}

/// \p Header as a file beside \p File would include it.
std::string relativeTo(StringRef File, StringRef Header) {
  SmallString<128> Folder(sys::path::parent_path(File)), Path(Header);
  sys::path::remove_dots(Folder, true);
  sys::path::remove_dots(Path, true);
  StringRef Rest = Path;
  if (Rest.consume_front(Folder))
    Rest.consume_front("/");
  bool Beside = !sys::path::is_absolute(Rest) && !Rest.starts_with("..");
  return (Beside ? Rest : sys::path::filename(Rest)).str();
}

ProofRequest requestFor(const Options &Opts, const InstallPaths &Paths) {
  ProofRequest Request;
  Request.LaunchFile = Opts.Launch;
  Request.Seed = Opts.Seed;
  Request.Tolerance = Opts.Tolerance;
  Request.KeepTemps = Opts.KeepTemps;
  Request.TimeoutSeconds = Opts.Timeout;
  Request.RuntimeDir = Paths.Runtime;
  Request.RulesDir = Paths.Rules;
  return Request;
}

void attachProof(const ProofResult &Result, FileResult &File) {
  ProofSummary Summary;
  Summary.Backend = Result.Backend;
  Summary.Runs = Result.Runs;
  Summary.Comparisons = Result.Comparisons;
  Summary.Status = statusName(Result.Status);
  for (const ProofFailure &F : Result.Failures)
    Summary.Failures.push_back({F.Check, F.Message, F.Where});
  for (LoopResult &Loop : File.Loops)
    if (Loop.Status == LoopStatus::Rewritten)
      Loop.Proof = Summary;
}

/// Runs the request; wrong usage is printed and gives exit code 2.
static int run(const Options &Opts, const ProofRequest &Request,
               const NvccBuild &Build, ProofResult &Result) {
  bool OnGpu = Opts.Verify == "gpu" || (Opts.Verify == "auto" && canRunOnGpu());
  Expected<ProofResult> Proof =
      OnGpu ? proveOnGpu(Request, Build) : proveOnCpu(Request);
  if (!Proof) {
    errs() << "pipeline-rewrite: error: " << toString(Proof.takeError()) << "\n";
    return UsageError;
  }
  Result = std::move(*Proof);
  printProof(Opts, Request.Path, "", Result);
  return exitCodeOf(Result.Status);
}

int proveRewrite(const Options &Opts, const FileOutcome &Outcome,
                 RewrittenFile &File) {
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths) {
    errs() << "pipeline-rewrite: error: " << toString(Paths.takeError()) << "\n";
    return UsageError;
  }
  ProofRequest Request = requestFor(Opts, *Paths);
  Request.Path = File.Path;
  Request.OriginalText = File.Original;
  Request.RewrittenText = File.Rewritten;
  Request.CompileArgs = Outcome.LanguageArgs;
  Request.Grown = File.Grown;
  for (const RewrittenFile &Other : Outcome.Files)
    if (File.Linked && Other.Linked && !Other.IsInput)
      Request.RewrittenHeaders.push_back(
          {relativeTo(File.Path, Other.Path), Other.Rewritten});
  ProofResult Result;
  int Code = run(Opts, Request, nvccBuildOf(Opts, Outcome, File), Result);
  attachProof(Result, File.Result);
  return Code;
}

int proveComparison(const Options &Opts) {
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths) {
    errs() << "pipeline-rewrite: error: " << toString(Paths.takeError()) << "\n";
    return UsageError;
  }
  ProofRequest Request = requestFor(Opts, *Paths);
  Request.Path = Opts.Compare;
  for (auto [Path, Text] : {std::make_pair(Opts.Compare, &Request.OriginalText),
                            std::make_pair(Opts.Files.front(),
                                           &Request.RewrittenText)}) {
    Expected<std::string> Read = readFile(Path);
    if (!Read) {
      errs() << "pipeline-rewrite: error: " << toString(Read.takeError()) << "\n";
      return UsageError;
    }
    *Text = std::move(*Read);
  }
  Expected<TranslatedArgs> Arguments = translateArgs(Opts.CompilerFlags, {});
  if (!Arguments) {
    errs() << "pipeline-rewrite: error: " << toString(Arguments.takeError())
           << "\n";
    return UsageError;
  }
  Request.CompileArgs = Arguments->Clang;
  NvccBuild Build;
  Build.Arguments = Arguments->Nvcc;
  Build.Arch = Build.BudgetArch = Opts.Arch;
  if (Expected<ToolkitInfo> Toolkit = findToolkit(Opts.CudaPath))
    Build.ToolkitRoot = Toolkit->Root;
  else
    consumeError(Toolkit.takeError());
  ProofResult Result;
  return run(Opts, Request, Build, Result);
}

} // namespace pipeline_rewrite
