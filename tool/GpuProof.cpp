#include "GpuProof.h"
#include "Gpu/Bundle.h"
#include "Gpu/Results.h"
#include "GpuSteps.h"
#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

NvccBuild nvccBuildOf(const Options &Opts, const FileOutcome &Outcome,
                      const RewrittenFile &File) {
  NvccBuild Build;
  Build.Arguments = Outcome.NvccArgs;
  Build.Arch = Opts.Arch;
  Build.BudgetArch = Outcome.Arch;
  Build.ToolkitRoot = Outcome.ToolkitRoot;
  for (const LoopResult &Loop : File.Result.Loops)
    if (Loop.Status == LoopStatus::Rewritten &&
        Loop.DynamicAfter > Loop.DynamicBefore)
      Build.DynamicAfter = std::max(Build.DynamicAfter, Loop.DynamicAfter);
  return Build;
}

bool canRunOnGpu() {
  return sys::fs::exists("/dev/nvidia0") &&
         static_cast<bool>(sys::findProgramByName("nvcc"));
}

BundleRequest bundleRequestOf(const ProofRequest &Request,
                              const NvccBuild &Build) {
  BundleRequest B;
  B.Path = Request.Path;
  B.OriginalText = Request.OriginalText;
  B.NvccArgs = Build.Arguments;
  B.Arch = Build.Arch;
  B.BudgetArch = Build.BudgetArch;
  B.LaunchFile = Request.LaunchFile;
  B.Seed = Request.Seed;
  B.Tolerance = Request.Tolerance;
  B.TimeoutSeconds = Request.TimeoutSeconds;
  B.RuntimeDir = Request.RuntimeDir;
  B.RulesDir = Request.RulesDir;
  return B;
}

Error runBundle(StringRef Dir, StringRef ToolkitRoot) {
  ProcessOptions Options;
  // Every step of the script has a limit of its own.
  std::string Nvcc = (ToolkitRoot + "/bin/nvcc").str();
  if (!sys::Process::GetEnv("NVCC") && !sys::findProgramByName("nvcc") &&
      !ToolkitRoot.empty() && sys::fs::exists(Nvcc))
    Options.ExtraEnvironment = {"NVCC=" + Nvcc};
  Expected<ProcessResult> Run =
      runProcess({"sh", (Dir + "/run.sh").str()}, Options);
  if (!Run)
    return Run.takeError();
  if (!sys::fs::exists(Dir + "/results.json"))
    return createStringError("the bundle's script wrote no results: " +
                             Run->describe() + ": " + Run->Err);
  return Error::success();
}

Expected<BundleResults> resultsOf(StringRef Dir, const Manifest &M) {
  std::string Path = (Dir + "/results.json").str();
  Expected<std::string> Text = readFile(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return createStringError("'" + Dir +
                             "' has no results yet; run it where nvcc and a GPU "
                             "are: sh " + Dir + "/run.sh");
  }
  Expected<BundleResults> Results = readResults(*Text, M);
  if (!Results)
    return createStringError(Path + ": " + toString(Results.takeError()));
  return Results;
}

Expected<ProofResult> proveOnGpu(const ProofRequest &Request,
                                 const NvccBuild &Build) {
  Expected<TempDir> Dir = TempDir::create("pipeline-rewrite-gpu");
  if (!Dir)
    return Dir.takeError();
  if (Request.KeepTemps)
    Dir->keep();
  BundleRequest B = bundleRequestOf(Request, Build);
  VersionText Version;
  Version.About.Name = "rewritten";
  Version.Text = Request.RewrittenText;
  Version.DynamicAfter = Build.DynamicAfter;
  B.Versions.push_back(std::move(Version));
  std::string Folder = Dir->file("bundle");
  if (Error E = writeBundle(B, Folder))
    return E;
  Expected<Manifest> M = readManifest(Folder);
  if (!M)
    return M.takeError();
  if (Error E = runBundle(Folder, Build.ToolkitRoot))
    return E;
  Expected<BundleResults> Results = resultsOf(Folder, *M);
  if (!Results)
    return Results.takeError();
  ProofResult Proof = Results->Versions.front().Proof;
  Proof.Reproduce = quoteCommand({"sh", Folder + "/run.sh", "--fresh"});
  return Proof;
}

} // namespace pipeline_rewrite
