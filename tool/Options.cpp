#include "Options.h"
#include "Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

cl::OptionCategory Input("Input options"), Target("Target and budget options"),
    Rewriting("Rewrite options"), Output("Output options"),
    Proof("Proof options");

/// Every option of the program; alive only while the command line is parsed.
struct OptionTable {
  cl::list<std::string> Files{cl::Positional, cl::desc("FILE.cu..."),
                              cl::cat(Input)};
  cl::opt<std::string> BuildDir{
      "p",
      cl::desc("Folder with a compile_commands.json; without FILE every .cu "
               "file in it"),
      cl::value_desc("dir"), cl::cat(Input)};
  cl::opt<unsigned> Jobs{
      "j", cl::desc("Files at a time (1); 0: one for each processor"),
      cl::value_desc("n"), cl::Prefix, cl::init(1), cl::cat(Input)};
  cl::list<std::string> ExtraArg{
      "extra-arg", cl::desc("Compiler flag to add behind the file's own"),
      cl::value_desc("flag"), cl::cat(Input)};
  cl::list<std::string> ExtraArgBefore{
      "extra-arg-before", cl::desc("Compiler flag to add before the file's own"),
      cl::value_desc("flag"), cl::cat(Input)};
  cl::opt<std::string> CudaPath{
      "cuda-path",
      cl::desc("CUDA toolkit; 'none' uses the built-in declarations"),
      cl::value_desc("dir"), cl::cat(Input)};
  cl::opt<std::string> ResourceDir{"resource-dir",
                                   cl::desc("Clang's resource directory"),
                                   cl::value_desc("dir"), cl::cat(Input)};
  cl::opt<bool> KeepGoing{
      "keep-going",
      cl::desc("Rewrite the functions that parsed although others did not"),
      cl::cat(Input)};
  cl::opt<std::string> Kernel{"kernel",
                              cl::desc("Only functions whose name matches"),
                              cl::value_desc("regex"), cl::cat(Input)};
  cl::opt<unsigned> Loop{"loop", cl::desc("Only the loop at this line"),
                         cl::value_desc("line"), cl::cat(Input)};
  cl::opt<std::string> Arch{"arch",
                            cl::desc("Machine to budget for (sm_75 ... sm_121)"),
                            cl::value_desc("sm_XX"), cl::cat(Target)};
  cl::opt<std::string> Ratio{
      "ratio", cl::desc("Compute/load ratio, operations per byte copied"),
      cl::value_desc("number"), cl::cat(Target)};
  cl::opt<std::string> Block{"block", cl::desc("Block size of the launch"),
                             cl::value_desc("X[,Y[,Z]]"), cl::cat(Target)};
  cl::list<std::string> Assume{
      "assume", cl::desc("Value of a name the source leaves open"),
      cl::value_desc("NAME=VALUE"), cl::cat(Target)};
  cl::opt<bool> AllowCliff{"allow-cliff",
                           cl::desc("Accept the loss of resident blocks"),
                           cl::cat(Target)};
  cl::opt<std::string> RegistersName{
      "registers",
      cl::desc("compiler (nvcc compiles original and rewrite), estimate, or auto: "
               "compiler with --dry-run and --verify"),
      cl::value_desc("source"), cl::init("auto"), cl::cat(Target)};
  cl::opt<bool> ListArchs{"list-archs",
                          cl::desc("Print the machines and their cliffs"),
                          cl::cat(Target)};
  cl::list<std::string> Rules{
      "rules", cl::desc("Folder whose rules add to or override the built-in"),
      cl::value_desc("dir"), cl::cat(Target)};
  cl::opt<std::string> VariantName{
      "variant", cl::desc("auto, ldg, cp-async or register-prefetch"),
      cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<std::string> Stages{"stages", cl::desc("auto, or 2 to 8 slots"),
                              cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<std::string> FormName{"form",
                                cl::desc("auto, peel, predicate or ring"),
                                cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<std::string> IssueName{
      "issue",
      cl::desc("When the next copies set off: auto, first, or last (behind the "
               "compute phase; rings of three, predicated ldg)"),
      cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<std::string> AddressesName{
      "addresses",
      cl::desc("How copies find their addresses: auto, indexed (as written), or "
               "stepped (a pointer for each copy of a thread moves on)"),
      cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<std::string> Unroll{
      "unroll",
      cl::desc("Unroll the steady state: auto, 1 to 8, or 0 (as the compiler likes). "
               "By the slots of a ring, every slot is a constant"),
      cl::value_desc("N"), cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<bool> AssumeNoAlias{
      "assume-no-alias",
      cl::desc("Stores in the loop never write what its copies read"),
      cl::cat(Rewriting)};
  cl::opt<std::string> FormatStyle{
      "format-style",
      cl::desc("auto (a .clang-format, if there is one), file, llvm, ..., none"),
      cl::init("auto"), cl::cat(Rewriting)};
  cl::opt<bool> DryRun{"dry-run", cl::desc("Report the budget, write nothing"),
                       cl::cat(pipeline_rewrite::Output)};
  cl::opt<bool> InPlace{"i", cl::desc("Rewrite the files in place"),
                        cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> OutputFile{"o", cl::desc("Write the result to a file"),
                                  cl::value_desc("file"),
                                  cl::cat(pipeline_rewrite::Output)};
  cl::opt<bool> Diff{"diff", cl::desc("Print a unified diff"),
                     cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Json{"json", cl::desc("Results as JSON (- or no value: "
                                             "to stdout, instead of the source)"),
                            cl::value_desc("file"), cl::ValueOptional,
                            cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Sarif{"sarif", cl::desc("Results as SARIF 2.1.0"),
                             cl::value_desc("file"),
                             cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Html{"html", cl::desc("Results as one HTML page"),
                            cl::value_desc("file"),
                            cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> ExportFixes{
      "export-fixes", cl::desc("Edits as YAML for clang-apply-replacements"),
      cl::value_desc("file"), cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Remarks{"remarks",
                               cl::desc("Results as LLVM optimisation remarks"),
                               cl::value_desc("file"),
                               cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> FailOnName{
      "fail-on", cl::desc("refused, budget or none: when to exit with 1"),
      cl::init("none"), cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Explain{"explain", cl::desc("Explain a reason id"),
                               cl::value_desc("id"),
                               cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Dump{
      "dump", cl::desc("Print a stage's value: facts, verdict, budget, plan, edits"),
      cl::value_desc("stage"), cl::cat(pipeline_rewrite::Output)};
  cl::opt<bool> Quiet{"quiet", cl::desc("No remarks on stderr"),
                      cl::cat(pipeline_rewrite::Output)};
  cl::opt<std::string> Verify{"verify", cl::desc("cpu, gpu or auto: prove it"),
                              cl::value_desc("backend"), cl::cat(Proof)};
  cl::opt<std::string> Launch{"launch", cl::desc("How to run the kernel (YAML)"),
                              cl::value_desc("file"), cl::cat(Proof)};
  cl::opt<std::string> Compare{
      "compare", cl::desc("Prove FILE against this original, rewrite nothing"),
      cl::value_desc("file"), cl::cat(Proof)};
  cl::opt<std::string> Tolerance{
      "tolerance", cl::desc("bitwise, TYPE, rel:X, abs:X or ulp:N"),
      cl::init("bitwise"), cl::cat(Proof)};
  cl::opt<unsigned long long> Seed{"seed", cl::desc("Seed of the random runs"),
                                   cl::init(1), cl::cat(Proof)};
  cl::opt<bool> Sass{
      "sass", cl::desc("Check the overlap in machine code (needs nvcc, no GPU)"),
      cl::cat(Proof)};
  cl::opt<bool> KeepTemps{"keep-temps", cl::desc("Keep the generated programs"),
                          cl::cat(Proof)};
  cl::opt<std::string> Bundle{
      "bundle",
      cl::desc("Write the proof as a folder that needs only nvcc and a GPU"),
      cl::value_desc("dir"), cl::cat(Proof)};
  cl::opt<std::string> ReportBundle{
      "report-bundle",
      cl::desc("Report what a bundle found where it was run"),
      cl::value_desc("dir"), cl::cat(Proof)};
  cl::opt<bool> Bench{"bench",
                      cl::desc("Prove and time each variant on the GPU"),
                      cl::cat(Proof)};
  cl::opt<bool> Tune{"tune",
                     cl::desc("Time all variants and forms, keep the best or "
                              "the original"),
                     cl::cat(Proof)};
  cl::opt<unsigned> Timeout{"timeout", cl::desc("Seconds a proof may take"),
                            cl::init(120), cl::cat(Proof)};
};

Error usage(const Twine &Message) {
  return createStringError(std::make_error_code(std::errc::invalid_argument), Message);
}

/// Reads the choice that \p Text spells; of `auto`, none.
template <typename Choice, size_t N>
Error readChoice(StringRef Option, StringRef Text, const Choice (&All)[N],
                 std::optional<Choice> &To) {
  To = choiceOf(Text, All);
  if (To || Text == "auto")
    return Error::success();
  std::string Expected = "auto";
  for (size_t I = 0; I < N; ++I)
    Expected += (I + 1 < N ? ", " : " or ") + std::string(toString(All[I]));
  return usage("--" + Option + "=" + Text + ": expected " + Expected);
}

Error readUnroll(StringRef Text, std::optional<unsigned> &To) {
  unsigned Count = 0;
  if (Text == "auto")
    return Error::success();
  if (Text.getAsInteger(10, Count) || Count > 8)
    return usage("--unroll=" + Text + ": expected auto or 0 to 8");
  To = Count;
  return Error::success();
}

Error readWish(const OptionTable &Table, Wish &W) {
  if (Error E = readChoice("variant", Table.VariantName, Variants, W.Kind))
    return E;
  if (Error E = readChoice("form", Table.FormName, Forms, W.Shape))
    return E;
  if (Error E = readChoice("issue", Table.IssueName, Issues, W.When))
    return E;
  if (Error E = readChoice("addresses", Table.AddressesName, Addressings, W.Addresses))
    return E;
  return readUnroll(Table.Unroll, W.Unroll);
}

Error readKinds(const OptionTable &Table, Options &O) {
  if (Error E = readWish(Table, O))
    return E;
  if (Table.RegistersName == "compiler")
    O.Registers = RegisterSource::Compiler;
  else if (Table.RegistersName == "estimate")
    O.Registers = RegisterSource::Estimate;
  else if (Table.RegistersName != "auto")
    return usage("--registers=" + Table.RegistersName +
                 ": expected auto, compiler or estimate");
  if (Table.FailOnName == "refused")
    O.Fail = FailOn::Refused;
  else if (Table.FailOnName == "budget")
    O.Fail = FailOn::Budget;
  else if (Table.FailOnName != "none")
    return usage("--fail-on=" + Table.FailOnName +
                 ": expected refused, budget or none");
  return Error::success();
}

Error readNumbers(const OptionTable &Table, Options &O) {
  if (Table.Stages != "auto" &&
      (StringRef(Table.Stages).getAsInteger(10, O.Stages) || O.Stages < 2 ||
       O.Stages > 8))
    return usage("--stages=" + Table.Stages + ": expected auto or 2 to 8");
  if (!Table.Ratio.empty()) {
    double Value = 0;
    if (StringRef(Table.Ratio).getAsDouble(Value) || !(Value > 0) ||
        !std::isfinite(Value))
      return usage("--ratio=" + Table.Ratio + ": expected a positive number");
    O.Ratio = Value;
  }
  if (!Table.Block.empty()) {
    SmallVector<StringRef, 3> Parts;
    StringRef(Table.Block).split(Parts, ',');
    O.BlockThreads = 1;
    for (const StringRef &Part : Parts) {
      unsigned Value = 0;
      if (Parts.size() > 3 || Part.getAsInteger(10, Value) || Value == 0 ||
          Value > 1024)
        return usage("--block=" + Table.Block +
                     ": expected one to three positive numbers");
      O.Block[&Part - Parts.begin()] = Value;
      O.BlockThreads *= Value;
    }
    if (O.BlockThreads > 1024)
      return usage("--block=" + Table.Block + ": no block has more than 1024 "
                   "threads");
  }
  for (const std::string &Pair : Table.Assume) {
    auto [Name, Value] = StringRef(Pair).split('=');
    if (Name.empty() || Value.empty())
      return usage("--assume=" + Pair + ": expected NAME=VALUE");
    O.Assume.push_back({Name.str(), Value.str()});
  }
  return Error::success();
}

Error checkTogether(const Options &O) {
  if (O.InPlace + !O.Output.empty() + O.Diff > 1)
    return usage("-i, -o and --diff exclude each other");
  if (O.Sass && !O.Compare.empty())
    return usage("--sass checks a rewrite, and --compare makes none");
  bool NeedsFile =
      !O.ListArchs && O.Explain.empty() && O.ReportBundle.empty();
  bool WholeProject = O.Files.empty() && !O.BuildDir.empty() && O.Compare.empty();
  if (!O.Output.empty() && (O.Files.size() > 1 || WholeProject))
    return usage("-o takes one input file; use -i for several");
  if (!O.Verify.empty() && O.Verify != "cpu" && O.Verify != "gpu" &&
      O.Verify != "auto")
    return usage("--verify=" + O.Verify + ": expected cpu, gpu or auto");
  static const StringRef Stages[] = {"facts", "verdict", "budget", "plan",
                                     "edits"};
  if (!O.Dump.empty() && !is_contained(Stages, O.Dump))
    return usage("--dump=" + O.Dump +
                 ": expected facts, verdict, budget, plan or edits");
  std::string Wrong;
  if (!O.Kernel.empty() && !Regex(O.Kernel).isValid(Wrong))
    return usage("--kernel=" + O.Kernel + ": " + Wrong);
  if (O.Bench && O.Tune)
    return usage("--bench and --tune exclude each other");
  if ((O.Bench || O.Tune) && O.Verify == "cpu")
    return usage("--bench and --tune need --verify=gpu");
  if (!O.Bundle.empty() && O.Verify == "cpu")
    return usage("--bundle is a proof for a GPU: --verify=cpu makes none");
  if (!O.ReportBundle.empty() && (!O.Files.empty() || !O.Bundle.empty()))
    return usage("--report-bundle takes neither an input file nor --bundle");
  if (NeedsFile && O.Files.empty() && !WholeProject)
    return usage("no input file (see --help)");
  return Error::success();
}

void printVersion(raw_ostream &OS) {
  OS << "pipeline-rewrite " << toolVersion() << " (LLVM " << LLVM_VERSION_STRING
     << ", rules schema 1)\n";
}

} // namespace

Expected<Options> parseOptions(int Argc, const char **Argv) {
  OptionTable Table;
  Options O;
  std::vector<const char *> Own;
  int Dashes = 0;
  for (; Dashes < Argc && StringRef(Argv[Dashes]) != "--"; ++Dashes)
    Own.push_back(Argv[Dashes]);
  O.HasCompilerFlags = Dashes < Argc;
  for (int I = Dashes + 1; I < Argc; ++I)
    O.CompilerFlags.push_back(Argv[I]);

  cl::HideUnrelatedOptions(
      {&Input, &Target, &Rewriting, &Output, &Proof});
  cl::SetVersionPrinter(printVersion);
  std::string Messages;
  raw_string_ostream OS(Messages);
  if (!cl::ParseCommandLineOptions(
          Own.size(), Own.data(),
          "Gives the K loops of CUDA kernels a software pipeline.\n\n"
          "  pipeline-rewrite [options] FILE.cu... [-- compiler flags]\n",
          &OS))
    // A wrong number has been printed by its option's own parser.
    return usage(OS.str().empty() ? "wrong value of an option (see --help)"
                                  : StringRef(OS.str()).trim());

  O.Files.assign(Table.Files.begin(), Table.Files.end());
  O.BuildDir = Table.BuildDir;
  O.Jobs = Table.Jobs;
  O.ExtraArgs.assign(Table.ExtraArg.begin(), Table.ExtraArg.end());
  O.ExtraArgsBefore.assign(Table.ExtraArgBefore.begin(),
                           Table.ExtraArgBefore.end());
  O.Arch = Table.Arch;
  O.CudaPath = Table.CudaPath;
  O.ResourceDir = Table.ResourceDir;
  O.Kernel = Table.Kernel;
  O.Loop = Table.Loop;
  O.AssumeNoAlias = Table.AssumeNoAlias;
  O.AllowCliff = Table.AllowCliff;
  O.DryRun = Table.DryRun;
  O.InPlace = Table.InPlace;
  O.Diff = Table.Diff;
  O.Output = Table.OutputFile;
  O.Json = Table.Json.getNumOccurrences() > 0;
  O.JsonFile = Table.Json == "-" ? std::string() : Table.Json.getValue();
  O.Sarif = Table.Sarif;
  O.Html = Table.Html;
  O.ExportFixes = Table.ExportFixes;
  O.Remarks = Table.Remarks;
  O.FormatStyle = Table.FormatStyle;
  O.KeepGoing = Table.KeepGoing;
  O.Quiet = Table.Quiet;
  O.Explain = Table.Explain;
  O.Dump = Table.Dump;
  O.ListArchs = Table.ListArchs;
  O.RulesDirs.assign(Table.Rules.begin(), Table.Rules.end());
  O.Verify = Table.Verify;
  O.Launch = Table.Launch;
  O.Compare = Table.Compare;
  O.Tolerance = Table.Tolerance;
  O.Seed = Table.Seed;
  O.Sass = Table.Sass;
  O.KeepTemps = Table.KeepTemps;
  O.Timeout = Table.Timeout;
  O.Bundle = Table.Bundle;
  O.ReportBundle = Table.ReportBundle;
  O.Bench = Table.Bench;
  O.Tune = Table.Tune;
  if (Error Wrong = readKinds(Table, O))
    return Wrong;
  if (Error Wrong = readNumbers(Table, O))
    return Wrong;
  if (Error Wrong = checkTogether(O))
    return Wrong;
  return O;
}

} // namespace pipeline_rewrite
