// pipeline-rewrite: options -> session -> exit code.
#include "Budget/ArchReport.h"
#include "Exit.h"
#include "FileLoop.h"
#include "GpuProof.h"
#include "Options.h"
#include "Proof.h"
#include "Report/Report.h"
#include "Support/InstallPaths.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace llvm;
using namespace pipeline_rewrite;

namespace {

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

/// The files of the command line or, without any, those of the database.
int processProject(Options &Opts, SessionContext Context) {
  if (Opts.BuildDir.empty())
    return processFiles(Opts, Context);
  Expected<CompileDatabase> Database = CompileDatabase::load(Opts.BuildDir);
  if (!Database)
    return reportError(Database.takeError(), Usage);
  Context.Database = &*Database;
  if (Opts.Files.empty())
    Opts.Files = Database->cudaFiles();
  if (Opts.Files.empty()) {
    errs() << "pipeline-rewrite: error: there is no .cu file in the compile "
              "commands of '"
           << Opts.BuildDir << "'\n";
    return Usage;
  }
  return processFiles(Opts, Context);
}

} // namespace

int main(int Argc, const char **Argv) {
  InitLLVM Init(Argc, Argv);
  Expected<Options> Opts = parseOptions(Argc, Argv);
  if (!Opts)
    return reportError(Opts.takeError(), Usage);
  if (!Opts->Explain.empty())
    return explainId(Opts->Explain);
  bool OnGpu = !Opts->Bundle.empty() || Opts->Bench || Opts->Tune;
  if (!Opts->Compare.empty() && !OnGpu)
    return proveComparison(*Opts);
  Expected<InstallPaths> Paths = findInstallPaths();
  if (!Paths)
    return reportError(Paths.takeError(), Usage);
  std::vector<std::string> RuleDirs{Paths->Rules};
  RuleDirs.insert(RuleDirs.end(), Opts->RulesDirs.begin(), Opts->RulesDirs.end());
  Expected<ArchTable> Archs = ArchTable::load(RuleDirs);
  if (!Archs)
    return reportError(Archs.takeError(), Usage);
  Expected<VariantRules> Rules = VariantRules::load(RuleDirs);
  if (!Rules)
    return reportError(Rules.takeError(), Usage);
  if (Opts->ListArchs)
    return listArchs(*Opts, *Archs);
  SessionContext Context{*Opts, *Archs, *Rules};
  if (!Opts->ReportBundle.empty())
    return reportBundle(*Opts, Context);
  if (OnGpu)
    return runGpuJob(*Opts, Context);
  int Code = processProject(*Opts, Context);
  if (Code == InternalError) {
    // What a failed parse left behind is not fit to be torn down.
    outs().flush();
    std::_Exit(Code);
  }
  return Code;
}
