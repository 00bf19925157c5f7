#include "Proof.h"
#include "Progress.h"
#include "Frontend/NvccArgs.h"
#include "Support/File.h"
#include "Support/InstallPaths.h"
#include "Verify/Prove.h"
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

/// One version that is to be proved.
struct Version {
  std::string Path; ///< Empty: our own rewrite, not written yet.
  StringRef Text;
};

void printResult(const Options &Opts, StringRef Original, const Version &V,
                 const ProofResult &R) {
  StringRef Path = V.Path.empty() ? Original : StringRef(V.Path);
  if (R.Status == ProofStatus::Proved && Opts.Quiet)
    return;
  errs() << Path << ": proof (" << R.Backend << "): " << statusName(R.Status)
         << ", " << R.Runs << " runs, " << R.Comparisons << " comparisons\n";
  for (const ProofFailure &F : R.Failures)
    errs() << (F.Where.empty() ? Path.str() : F.Where) << ": error: " << F.Message
           << " [" << F.Check << "]\n";
  if (R.Status == ProofStatus::Failed && V.Path.empty())
    for (const ProofFailure &F : R.Failures)
      printRewrittenLines(Path, F.Message, V.Text);
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

/// The prover, or an exit code after a message.
std::optional<CpuProver> makeProver(const Options &Opts,
                                    const ProofRequest &Request, int &Code) {
  if (Opts.Verify == "gpu") {
    errs() << "pipeline-rewrite: error: --verify=gpu needs a GPU build of the "
              "proof, which this version does not have; use --verify=cpu\n";
    Code = CouldNotRun;
    return std::nullopt;
  }
  Expected<CpuProver> Prover = CpuProver::create(Request);
  if (Prover)
    return std::move(*Prover);
  errs() << "pipeline-rewrite: error: " << toString(Prover.takeError()) << "\n";
  Code = UsageError;
  return std::nullopt;
}

/// Proves one version and prints the result. \returns the exit code.
int run(const Options &Opts, CpuProver &Prover, StringRef Original,
        const Version &V, ProofResult &Result) {
  Expected<ProofResult> Proof = [&] {
    ProgressLine Line(V.Path.empty() ? Original : StringRef(V.Path),
                      [&] { return Prover.progress(); });
    return Prover.prove(V.Path, V.Text);
  }();
  if (!Proof) {
    errs() << "pipeline-rewrite: error: " << toString(Proof.takeError()) << "\n";
    return UsageError;
  }
  Result = std::move(*Proof);
  printResult(Opts, Original, V, Result);
  return exitCodeOf(Result.Status);
}

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
  int Code = Proved;
  std::optional<CpuProver> Prover = makeProver(Opts, Request, Code);
  if (!Prover)
    return Code;
  ProofResult Result;
  Code = run(Opts, *Prover, File.Path, {"", File.Rewritten}, Result);
  for (LoopResult &Loop : File.Result.Loops) {
    if (Loop.Status != LoopStatus::Rewritten)
      continue;
    ProofSummary Summary;
    Summary.Backend = Result.Backend;
    Summary.Runs = Result.Runs;
    Summary.Comparisons = Result.Comparisons;
    Summary.Status = statusName(Result.Status);
    for (const ProofFailure &F : Result.Failures)
      Summary.Failures.push_back({F.Check, F.Message, F.Where});
    Loop.Proof = std::move(Summary);
  }
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
  int Code = Proved;
  std::optional<CpuProver> Prover = makeProver(Opts, Request, Code);
  // A file that cannot be read does not hide what is wrong with the others.
  for (const std::string &Path : Opts.Files) {
    std::optional<std::string> Text = readOrSay(Path);
    ProofResult Result;
    if (!Text)
      Code = std::max<int>(Code, UsageError);
    else if (Prover)
      Code = std::max(Code, run(Opts, *Prover, Opts.Compare, {Path, *Text},
                                Result));
  }
  return Code;
}

} // namespace pipeline_rewrite
