#include "Proof.h"
#include "Progress.h"
#include "Frontend/CudaToolkit.h"
#include "Frontend/NvccArgs.h"
#include "GpuProof.h"
#include "Support/File.h"
#include "Support/InstallPaths.h"
#include "Verify/Prove.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <set>

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

/// The lines that a failure of our own rewrite names: nobody has the file, as
/// it is not written.
static void printRewrittenLines(StringRef Path, StringRef Message, StringRef Text) {
  SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  std::set<size_t> Numbers;
  std::string Place = Path.str() + ":";
  for (size_t At = Message.find(Place); At != StringRef::npos;
       At = Message.find(Place, At + 1)) {
    size_t Number = 0;
    StringRef Digits = Message.substr(At + Place.size());
    if (!Digits.consumeInteger(10, Number) && Number > 0 &&
        Number <= Lines.size())
      Numbers.insert(Number);
  }
  if (Numbers.empty())
    return;
  errs() << "note: in the rewritten text, which is not written:\n";
  for (size_t Number : Numbers)
    errs() << formatv("{0,6} | {1}\n", Number, Lines[Number - 1].rtrim('\r'));
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

namespace {

int sayUsageError(Error E) {
  errs() << "pipeline-rewrite: error: " << toString(std::move(E)) << "\n";
  return UsageError;
}

/// Proves versions of one original where the options say.
class Prover {
public:
  static Expected<Prover> create(const Options &Opts, const ProofRequest &Request,
                                 const NvccBuild &Build) {
    Prover P(Opts, Request, Build);
    if (Opts.Verify == "gpu" || (Opts.Verify == "auto" && canRunOnGpu()))
      return std::move(P);
    Expected<CpuProver> OnCpu = CpuProver::create(Request);
    if (!OnCpu)
      return OnCpu.takeError();
    P.OnCpu.emplace(std::move(*OnCpu));
    return std::move(P);
  }

  /// Proves one version and prints the result. \p Path is empty where the text
  /// is our own rewrite, not written yet. \returns the exit code.
  int run(StringRef Path, StringRef Text, ProofResult &Result) {
    StringRef Shown = Path.empty() ? StringRef(Request.Path) : Path;
    Expected<ProofResult> Proof = [&]() -> Expected<ProofResult> {
      if (!OnCpu)
        return proveOnGpu(Request, Text, Build);
      ProgressLine Line(Shown, [&] { return OnCpu->progress(); });
      return OnCpu->prove(Path, Text);
    }();
    if (!Proof)
      return sayUsageError(Proof.takeError());
    Result = std::move(*Proof);
    printProof(Opts, Shown, "", Result);
    if (Result.Status == ProofStatus::Failed && Path.empty())
      for (const ProofFailure &F : Result.Failures)
        printRewrittenLines(Shown, F.Message, Text);
    return exitCodeOf(Result.Status);
  }

private:
  Prover(const Options &Opts, const ProofRequest &Request, const NvccBuild &Build)
      : Opts(Opts), Request(Request), Build(Build) {}

  const Options &Opts;
  const ProofRequest &Request;
  const NvccBuild &Build;
  std::optional<CpuProver> OnCpu; ///< None: on this machine's GPU.
};

} // namespace

int proveRewrite(const Options &Opts, const FileOutcome &Outcome,
                 RewrittenFile &File) {
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths)
    return sayUsageError(Paths.takeError());
  ProofRequest Request = requestFor(Opts, *Paths);
  Request.Path = File.Path;
  Request.OriginalText = File.Original;
  Request.CompileArgs = Outcome.LanguageArgs;
  Request.Grown = File.Grown;
  for (const RewrittenFile &Other : Outcome.Files)
    if (File.Linked && Other.Linked && !Other.IsInput)
      Request.RewrittenHeaders.push_back(
          {relativeTo(File.Path, Other.Path), Other.Rewritten});
  NvccBuild Build = nvccBuildOf(Opts, Outcome, File);
  Expected<Prover> P = Prover::create(Opts, Request, Build);
  if (!P)
    return sayUsageError(P.takeError());
  ProofResult Result;
  int Code = P->run("", File.Rewritten, Result);
  attachProof(Result, File.Result);
  return Code;
}

int proveComparison(const Options &Opts) {
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths)
    return sayUsageError(Paths.takeError());
  ProofRequest Request = requestFor(Opts, *Paths);
  Request.Path = Opts.Compare;
  Expected<std::string> Original = readFile(Opts.Compare);
  if (!Original)
    return sayUsageError(Original.takeError());
  Request.OriginalText = std::move(*Original);
  Expected<TranslatedArgs> Arguments = translateArgs(Opts.CompilerFlags, {});
  if (!Arguments)
    return sayUsageError(Arguments.takeError());
  Request.CompileArgs = Arguments->Clang;
  NvccBuild Build;
  Build.Arguments = Arguments->Nvcc;
  Build.Arch = Build.BudgetArch = Opts.Arch;
  if (Expected<ToolkitInfo> Toolkit = findToolkit(Opts.CudaPath))
    Build.ToolkitRoot = Toolkit->Root;
  else
    consumeError(Toolkit.takeError());
  int Code = Proved;
  Expected<Prover> P = Prover::create(Opts, Request, Build);
  if (!P)
    Code = sayUsageError(P.takeError());
  // A file that cannot be read does not hide what is wrong with the others.
  for (const std::string &Path : Opts.Files) {
    Expected<std::string> Text = readFile(Path);
    ProofResult Result;
    if (!Text)
      Code = std::max(Code, sayUsageError(Text.takeError()));
    else if (P)
      Code = std::max(Code, P->run(Path, *Text, Result));
  }
  return Code;
}

} // namespace pipeline_rewrite
