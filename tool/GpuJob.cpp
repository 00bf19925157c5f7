#include "Exit.h"
#include "Gpu/Bench.h"
#include "GpuCandidates.h"
#include "GpuSteps.h"
#include "Output.h"
#include "Proof.h"
#include "Report/Bench.h"
#include "Support/File.h"
#include "Support/InstallPaths.h"
#include "Support/TempDir.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// The version that `--compare` brings along.
constexpr const char *ByHand = "by-hand";

BundleMode modeOf(const Options &Opts) {
  return Opts.Tune    ? BundleMode::Tune
         : Opts.Bench ? BundleMode::Bench
                      : BundleMode::Verify;
}

/// A bundle that was run, on its way to the reports.
class Conclusion {
public:
  Conclusion(const Options &Opts, const SessionContext &Context, StringRef Dir)
      : Opts(Opts), Context(Context), Dir(Dir.str()) {}

  int run() {
    Expected<Manifest> Read = readManifest(Dir);
    if (!Read)
      return reportError(Read.takeError(), Usage);
    M = std::move(*Read);
    Expected<BundleResults> Found = resultsOf(Dir, M);
    if (!Found)
      return reportError(Found.takeError(), ProofNotRun);
    Results = std::move(*Found);
    if (Results.Problem.empty())
      for (const VersionResult &V : Results.Versions)
        printProof(Opts, M.Source, M.Mode == BundleMode::Verify ? "" : V.Name,
                   V.Proof);
    else
      printProblem();
    if (M.Mode != BundleMode::Verify)
      Bench = benchOf(M, Results);
    if (M.Mode == BundleMode::Tune)
      chooseWinner(*Bench);
    int Code = exitCode();
    if (Error E = report(Code))
      return reportError(std::move(E), Code == Done ? NotParsed : Code);
    return Code;
  }

private:
  int exitCode() const {
    bool Wrong = false, Proved = false, Unable = false;
    for (const VersionResult &V : Results.Versions) {
      int Code = exitCodeOf(V.Proof.Status);
      Wrong |= Code == ProofFailed;
      Unable |= Code == ProofNotRun;
      Proved |= Code == Done;
    }
    if (Wrong)
      return ProofFailed;
    if (M.Mode == BundleMode::Verify)
      return Unable ? ProofNotRun : Done;
    bool Timed = any_of(Bench->Tables, [](const BenchTable &Table) {
      return any_of(Table.Rows, [](const BenchRow &R) { return R.SpeedUp; });
    });
    // Without any version to time there is nothing that could not be run.
    bool Nothing = Results.Versions.empty();
    return Nothing || (Proved && Timed) ? Done : ProofNotRun;
  }

  /// Nothing could be run: one message, not one a version, and what is known
  /// all the same.
  void printProblem() const {
    errs() << M.Source << ": error: " << Results.Problem << " [machine]\n";
    for (const VersionResult &V : Results.Versions)
      for (const std::string &Note : V.Proof.Notes)
        errs() << "note: " << V.Name << ": " << Note << "\n";
  }

  /// The version whose loops the reports describe; null: the original is kept.
  const BundleVersion *described() const {
    for (const BundleVersion &V : M.Versions)
      if (M.Mode == BundleMode::Tune && Results.Problem.empty()
              ? V.Name == Bench->Winner
              : !V.File.empty())
        return &V;
    return nullptr;
  }

  /// Parses the bundle's copy again: the reports are made from its loops.
  Expected<FileOutcome> parseAgain(const BundleVersion &Version) const {
    Options Again = Opts;
    applySettings(M.Settings, Again);
    applyVersion(Version, Again);
    Again.Arch = M.Arch;
    Again.Quiet = true;
    Again.Dump.clear();
    Again.HasCompilerFlags = true;
    for (const std::string &Argument : M.Arguments)
      Again.CompilerFlags.push_back(
          Argument == "tree" || StringRef(Argument).starts_with("tree/")
              ? Dir + "/" + Argument
              : Argument);
    std::string Messages;
    return processFile(Dir + "/" + M.Original,
                       {Again, Context.Archs, Context.Rules}, Messages);
  }

  const ProofResult *proofOf(StringRef Name) const {
    for (const VersionResult &V : Results.Versions)
      if (V.Name == Name)
        return &V.Proof;
    return nullptr;
  }

  Error report(int Code) {
    const BundleVersion *Version = described();
    Expected<FileOutcome> Outcome =
        parseAgain(Version ? *Version : M.Versions.front());
    if (!Outcome)
      return Outcome.takeError();
    RunResult Run;
    Run.Arch = Outcome->Arch;
    Run.Machine = Outcome->Machine;
    Run.UsedToolkit = Outcome->UsedToolkit;
    Run.Bench = Bench;
    std::vector<RewrittenFile> Sources;
    // What was written by hand has no loops that this program rewrote.
    for (RewrittenFile &File : Outcome->Files)
      if (File.IsInput && !(Version && Version->Name == ByHand))
        Sources.push_back(std::move(File));
    for (RewrittenFile &File : Sources) {
      if (Error E = describe(File, Version))
        return E;
      Run.Files.push_back(File.Result);
    }
    if (Code == Done)
      if (Error E = writeProved(Sources))
        return E;
    if (Bench && !Results.Problem.empty())
      Bench->Tables.clear();
    bool OnStdout = M.Mode != BundleMode::Tune && !(Opts.Json && Opts.JsonFile.empty());
    if (Bench && Results.Problem.empty())
      printBench(*Bench, OnStdout ? outs() : errs());
    return writeReports(Opts, Run);
  }

  /// Gives \p File the bundle's texts and the author's path.
  Error describe(RewrittenFile &File, const BundleVersion *Version) {
    Expected<std::string> Original = readFile(Dir + "/" + M.Original);
    if (!Original)
      return Original.takeError();
    File.Original = File.Rewritten = *Original;
    File.Path = File.Result.Path = M.Source;
    for (LoopResult &Loop : File.Result.Loops)
      for (EditResult &Edit : Loop.Edits)
        Edit.File = M.Source;
    if (!Version) {
      for (LoopResult &Loop : File.Result.Loops)
        if (Loop.Status != LoopStatus::Skipped) {
          Loop.Status = LoopStatus::Refused;
          Loop.Edits.clear();
          Loop.Reasons = {{ReasonId::NotWorthIt, Loop.Line, Loop.Column,
                           "measured: " + Bench->Because}};
        }
      return Error::success();
    }
    Expected<std::string> Text = readFile(Dir + "/" + Version->File);
    if (!Text)
      return Text.takeError();
    File.Rewritten = std::move(*Text);
    if (const ProofResult *Proof = proofOf(Version->Name))
      attachProof(*Proof, File.Result);
    return Error::success();
  }

  /// A search answers with a source, like a run without it; a proof and a
  /// measurement only where the options name a place for one.
  Error writeProved(const std::vector<RewrittenFile> &Sources) {
    bool Asked = Opts.InPlace || Opts.Diff || !Opts.Output.empty();
    if (M.Mode == BundleMode::Tune || (M.Mode == BundleMode::Verify && Asked))
      return writeSources(Opts, Sources);
    return Error::success();
  }

  const Options &Opts;
  const SessionContext &Context;
  std::string Dir;
  Manifest M;
  BundleResults Results;
  std::optional<BenchReport> Bench;
};

/// Where a search keeps what it measured: found again by the key of all that it
/// depends on.
Expected<std::string> cacheFolder(const BundleRequest &Request) {
  Expected<std::string> Key = bundleKey(Request);
  if (!Key)
    return Key.takeError();
  SmallString<256> Folder;
  if (std::optional<std::string> Cache = sys::Process::GetEnv("XDG_CACHE_HOME");
      Cache && !Cache->empty())
    Folder = *Cache;
  else if (!sys::path::cache_directory(Folder))
    return createStringError("there is no folder for caches; set HOME or "
                             "XDG_CACHE_HOME, or give --bundle=DIR");
  sys::path::append(Folder, "pipeline-rewrite", "tune", *Key);
  return std::string(Folder);
}

/// The bundle's request with all versions, or an exit code.
class Job {
public:
  Job(const Options &Opts, const SessionContext &Context)
      : Opts(Opts), Context(Context), Mode(modeOf(Opts)) {}

  int run() {
    if (Opts.Files.size() != 1)
      return reportError(createStringError(
                      std::make_error_code(std::errc::invalid_argument),
                      "--bundle, --bench and --tune take one input file"),
                  Usage);
    if (std::optional<int> Code = prepare())
      return *Code;
    bool OnlyBundle = !Opts.Bundle.empty() && Opts.Verify != "gpu";
    if (OnlyBundle) {
      if (Error E = writeBundle(Request, Opts.Bundle))
        return reportError(std::move(E), ProofNotRun);
      errs() << "pipeline-rewrite: wrote " << Opts.Bundle << "; run 'sh "
             << Opts.Bundle << "/run.sh' where nvcc and a GPU are, then "
             << "'pipeline-rewrite --report-bundle=" << Opts.Bundle << "'\n";
      return Done;
    }
    return runHere();
  }

private:
  std::optional<int> prepare() {
    Expected<InstallPaths> Paths = findInstallPaths();
    if (!Paths)
      return reportError(Paths.takeError(), Usage);
    const std::string &Path =
        Opts.Compare.empty() ? Opts.Files.front() : Opts.Compare;
    std::string Messages;
    Expected<FileOutcome> Outcome = processFile(Path, Context, Messages);
    errs() << Messages;
    if (!Outcome)
      return reportError(Outcome.takeError(), NotParsed);
    sayNotes(*Outcome);
    if (Outcome->HadErrors && !Opts.KeepGoing)
      return NotParsed;
    const RewrittenFile *Input = nullptr;
    for (const RewrittenFile &File : Outcome->Files)
      if (File.IsInput)
        Input = &File;
    Expected<std::vector<VersionText>> Versions = versionsOf(Path);
    if (!Versions)
      return reportError(Versions.takeError(), NotParsed);
    bool Any = any_of(*Versions,
                      [](const VersionText &V) { return !V.Text.empty(); });
    if (!Any || !Input) {
      errs() << "pipeline-rewrite: note: no loop was rewritten; there is nothing "
                "to prove or to time\n";
      return Done;
    }
    ProofRequest Proof = requestFor(Opts, *Paths);
    Proof.Path = Input->Path;
    Proof.OriginalText = Input->Original;
    NvccBuild Build = nvccBuildOf(Opts, *Outcome, *Input);
    ToolkitRoot = Build.ToolkitRoot;
    Request = bundleRequestOf(Proof, Build);
    Request.Mode = Mode;
    Request.Settings = settingsOf(Opts);
    Request.Versions = std::move(*Versions);
    return std::nullopt;
  }

  void sayNotes(const FileOutcome &Outcome) const {
    if (!Opts.Quiet)
      for (const std::string &Note : Outcome.Notes)
        errs() << "pipeline-rewrite: note: " << Note << "\n";
    for (const RewrittenFile &File : Outcome.Files)
      if (File.IsInput)
        errs() << File.Messages;
  }

  Expected<std::vector<VersionText>> versionsOf(const std::string &Path) {
    if (Opts.Compare.empty())
      return makeVersions(Mode, Path, Context);
    Expected<std::string> Text = readFile(Opts.Files.front());
    if (!Text)
      return Text.takeError();
    std::vector<VersionText> Versions;
    if (Mode != BundleMode::Verify) {
      Expected<std::vector<VersionText>> Own = makeVersions(Mode, Path, Context);
      if (!Own)
        return Own.takeError();
      Versions = std::move(*Own);
    }
    VersionText Other;
    Other.About.Name = ByHand;
    Other.Text = std::move(*Text);
    Versions.push_back(std::move(Other));
    return Versions;
  }

  int runHere() {
    std::string Dir = Opts.Bundle;
    std::optional<TempDir> Temporary;
    if (Dir.empty() && Mode == BundleMode::Tune) {
      Expected<std::string> Folder = cacheFolder(Request);
      if (!Folder)
        return reportError(Folder.takeError(), Usage);
      Dir = *Folder;
    } else if (Dir.empty()) {
      Expected<TempDir> Made = TempDir::create("pipeline-rewrite-gpu");
      if (!Made)
        return reportError(Made.takeError(), ProofNotRun);
      Temporary.emplace(std::move(*Made));
      if (Opts.KeepTemps)
        Temporary->keep();
      Dir = Temporary->file("bundle");
    }
    if (Error E = writeBundle(Request, Dir))
      return reportError(std::move(E), ProofNotRun);
    if (Error E = runBundle(Dir, ToolkitRoot))
      return reportError(std::move(E), ProofNotRun);
    return Conclusion(Opts, Context, Dir).run();
  }

  const Options &Opts;
  const SessionContext &Context;
  BundleMode Mode;
  BundleRequest Request;
  std::string ToolkitRoot;
};

} // namespace

int runGpuJob(const Options &Opts, const SessionContext &Context) {
  return Job(Opts, Context).run();
}

int reportBundle(const Options &Opts, const SessionContext &Context) {
  return Conclusion(Opts, Context, Opts.ReportBundle).run();
}

} // namespace pipeline_rewrite
