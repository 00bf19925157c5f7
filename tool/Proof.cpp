#include "Proof.h"
#include "Frontend/CudaToolkit.h"
#include "Frontend/NvccArgs.h"
#include "GpuProof.h"
#include "Progress.h"
#include "Support/File.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FormatVariadic.h"
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

/// One version that is to be proved.
struct Version {
  std::string Path; ///< Empty: our own rewrite, not written yet.
  StringRef Text;
};

/// The lines that a failure of our own rewrite names: nobody has the file, as
/// it is not written.
void printRewrittenLines(StringRef Path, StringRef Message, StringRef Text) {
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

bool onGpu(const Options &Opts) {
  return Opts.Verify == "gpu" || (Opts.Verify == "auto" && canRunOnGpu());
}

/// Proves versions of one original, each on the machine that was asked for.
class Prover {
public:
  Prover(const Options &Opts, ProofRequest Request, NvccBuild Build)
      : Opts(Opts), Request(std::move(Request)), Build(std::move(Build)) {}

  /// Prints the result, or what was used wrongly. \returns the exit code.
  int run(const Version &V, ProofResult &Result) {
    Expected<ProofResult> Proof = onGpu(Opts) ? gpu(V) : cpu(V);
    if (!Proof) {
      errs() << "pipeline-rewrite: error: " << toString(Proof.takeError())
             << "\n";
      return UsageError;
    }
    Result = std::move(*Proof);
    StringRef Path = V.Path.empty() ? StringRef(Request.Path) : V.Path;
    printProof(Opts, Path, "", Result);
    if (Result.Status == ProofStatus::Failed && V.Path.empty())
      for (const ProofFailure &F : Result.Failures)
        printRewrittenLines(Path, F.Message, V.Text);
    return exitCodeOf(Result.Status);
  }

private:
  Expected<ProofResult> gpu(const Version &V) {
    Request.RewrittenText = V.Text.str();
    return proveOnGpu(Request, Build);
  }

  Expected<ProofResult> cpu(const Version &V) {
    if (!Cpu) {
      Expected<CpuProver> Made = CpuProver::create(Request);
      if (!Made)
        return Made.takeError();
      Cpu.emplace(std::move(*Made));
    }
    ProgressLine Line(V.Path.empty() ? Request.Path : V.Path,
                      [&] { return Cpu->progress(); });
    return Cpu->prove(V.Path, V.Text);
  }

  const Options &Opts;
  ProofRequest Request;
  NvccBuild Build;
  std::optional<CpuProver> Cpu;
};

/// Reads a file, or says why it cannot be read.
std::optional<std::string> readOrSay(StringRef Path) {
  Expected<std::string> Text = readFile(Path);
  if (Text)
    return std::move(*Text);
  errs() << "pipeline-rewrite: error: " << toString(Text.takeError()) << "\n";
  return std::nullopt;
}

} // namespace

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
  Request.CompileArgs = Outcome.LanguageArgs;
  ProofResult Result;
  int Code = Prover(Opts, std::move(Request), nvccBuildOf(Opts, Outcome, File))
                 .run({"", File.Rewritten}, Result);
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
  std::optional<std::string> Original = readOrSay(Opts.Compare);
  if (!Original)
    return UsageError;
  Request.OriginalText = std::move(*Original);
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
  Prover Prove(Opts, std::move(Request), std::move(Build));
  int Code = Proved;
  // A file that cannot be read does not hide what is wrong with the others.
  for (const std::string &Path : Opts.Files) {
    std::optional<std::string> Text = readOrSay(Path);
    ProofResult Result;
    Code = std::max<int>(Code, Text ? Prove.run({Path, *Text}, Result)
                                    : UsageError);
  }
  return Code;
}

} // namespace pipeline_rewrite
