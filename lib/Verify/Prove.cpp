#include "Verify/Prove.h"
#include "Verify/DriverWriter.h"
#include "Verify/LaunchFile.h"
#include "Verify/MachineBuild.h"
#include "Verify/MachineReport.h"
#include "Verify/Tolerance.h"

#include "Frontend/SourceText.h"
#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <optional>

using namespace llvm;

namespace pipeline_rewrite {

/// What is kept from one proof to the next: the compiled original.
class CpuProver::State {
public:
  State(ProofRequest Request, TempDir Dir, std::optional<LaunchFile> Launch,
        ToleranceSpec Limit, ToleranceSpec Reference)
      : Request(std::move(Request)), Dir(std::move(Dir)),
        Launch(std::move(Launch)), Limit(std::move(Limit)),
        Reference(std::move(Reference)) {}

  Error prepare();
  Expected<ProofResult> prove(StringRef Path, StringRef Text);
  std::string progress();

private:
  Expected<std::string> writeVersion(StringRef Name, StringRef Path,
                                     StringRef Text);
  Expected<MachineBuild::Refusal> compileOriginal();
  Expected<MachineBuild::Refusal> program(StringRef Source, StringRef Name,
                                          StringRef Path);
  Expected<std::string> rewrittenShared(StringRef Source, StringRef Path,
                                        StringRef Text);
  Error writeHeader(StringRef Header, StringRef Text);
  std::vector<std::string> environment(StringRef Shared) const;
  Expected<ProofResult> run(StringRef Shared);
  void enter(const char *Stage) { CurrentStage = Stage; }

  ProofRequest Request;
  TempDir Dir;
  std::optional<MachineBuild> Build;
  std::optional<LaunchFile> Launch;
  ToleranceSpec Limit, Reference;
  std::optional<MachineBuild::Refusal> Original; ///< Once it was compiled.
  std::atomic<const char *> CurrentStage{""};
};

namespace {

ProofResult unableTo(StringRef Check, const Twine &Message) {
  ProofResult R;
  R.Failures = {{Check.str(), Message.str(), ""}};
  return R;
}

/// What a compiler's complaint about the original means to the user.
ProofResult originalRefused(StringRef Said) {
  if (Said.contains("undefined reference to `main'"))
    return unableTo("launch-file", "no launch file was given (--launch=FILE) "
                                   "and the source has no main to run");
  // The user has not seen the program that is written from a launch file.
  if (Said.contains("pr_driver.cu"))
    return unableTo("launch-file", "the launch file does not fit the kernel: " +
                                       Said.split(" error: ").second);
  return unableTo("does-not-compile",
                  "the original does not compile for the CPU machine: " + Said);
}

} // namespace

/// Writes one version, and the program around it where there is a launch file.
/// \returns the file to compile.
Expected<std::string> CpuProver::State::writeVersion(StringRef Name,
                                                     StringRef Path,
                                                     StringRef Text) {
  if (std::error_code EC = sys::fs::create_directory(Dir.file(Name)))
    return createStringError("cannot make a folder: " + EC.message());
  std::string File = Dir.file(Name) + "/" + sys::path::filename(Path).str();
  // The order of words that Clang accepts, as for the parse.
  if (Error E = writeFileAtomically(File, withAlignasFirst(Text).value_or(Text.str())))
    return E;
  if (!Launch)
    return File;
  std::string Driver = Dir.file(Name) + "/pr_driver.cu";
  if (Error E = writeFileAtomically(
          Driver, writeDriver(*Launch, File, Reference, Request)))
    return E;
  return Driver;
}

/// The rewritten file finds it before the original header.
Error CpuProver::State::writeHeader(StringRef Header, StringRef Text) {
  std::string File = Dir.file("rewritten") + "/" + Header.str();
  if (std::error_code EC =
          sys::fs::create_directories(sys::path::parent_path(File)))
    return createStringError("cannot make a folder: " + EC.message());
  return writeFileAtomically(File, Text);
}

Expected<MachineBuild::Refusal>
CpuProver::State::program(StringRef Source, StringRef Name, StringRef Path) {
  return Build->program(Source, Name, sys::path::parent_path(Path),
                        Launch.has_value());
}

Expected<MachineBuild::Refusal> CpuProver::State::compileOriginal() {
  enter("compiling the original");
  Expected<std::string> Source =
      writeVersion("original", Request.Path, Request.OriginalText);
  if (!Source)
    return Source.takeError();
  Expected<MachineBuild::Refusal> R =
      Build->kernels(*Source, "original", Request.Path);
  if (R && !R->Refused)
    R = program(*Source, "program", Request.Path);
  return R;
}

/// What the rewritten kernels get as dynamic shared memory: "same" where
/// neither version has any; what the rewritten program asks for, launch by
/// launch; "any" where that cannot be known.
Expected<std::string> CpuProver::State::rewrittenShared(StringRef Source,
                                                        StringRef Path,
                                                        StringRef Text) {
  auto HasDynamic = [](StringRef Text) {
    return Text.contains("extern") && Text.contains("__shared__");
  };
  bool Dynamic = HasDynamic(Request.OriginalText) || HasDynamic(Text);
  for (const auto &[Header, HeaderText] : Request.RewrittenHeaders)
    Dynamic |= HasDynamic(HeaderText);
  if (!Dynamic)
    return "same";
  if (Launch)
    return "any";
  Expected<MachineBuild::Refusal> R = program(Source, "program2", Path);
  if (!R)
    return R.takeError();
  if (R->Refused)
    return "any";
  std::vector<std::string> Command = {Build->path("program2")};
  Command.insert(Command.end(), Request.ProgramArgs.begin(),
                 Request.ProgramArgs.end());
  ProcessOptions Options;
  Options.TimeoutSeconds = Request.TimeoutSeconds;
  Options.ExtraEnvironment = {"PR_RECORD=" + Dir.file("launches"),
                              "PR_REWRITTEN=" + Build->path("rewritten.so")};
  Expected<ProcessResult> Run = runProcess(Command, Options);
  if (!Run)
    return Run.takeError();
  Expected<std::string> Sizes = readFile(Dir.file("launches"));
  if (!Sizes) {
    consumeError(Sizes.takeError());
    return "any";
  }
  return Sizes->empty() ? "any" : StringRef(*Sizes).rtrim(',').str();
}

std::vector<std::string> CpuProver::State::environment(StringRef Shared) const {
  double Seconds = Request.TimeoutSeconds;
  return {
      "PR_ORIGINAL=" + Build->path("original.so"),
      "PR_REWRITTEN=" + Build->path("rewritten.so"),
      "PR_RESULT=" + Build->path("result"),
      "PR_SEED=" + std::to_string(Request.Seed),
      // One run of a launch may take a twelfth of the time: there are two
      // versions and four schedules, and the rest is for comparing. What is
      // left out of a large launch then is blocks like those that were run.
      formatv("PR_LAUNCH_SECONDS={0:f2}", std::min(2.0, Seconds / 12)).str(),
      // Sizes that nobody asked for come last and may take a sixth.
      formatv("PR_OPTIONAL_SECONDS={0:f2}", Seconds / 6).str(),
      formatv("PR_TOTAL_SECONDS={0:f2}", Seconds / 2).str(),
      formatv("PR_RELATIVE={0:e10}", Limit.Relative).str(),
      formatv("PR_ABSOLUTE={0:e10}", Limit.Absolute).str(),
      "PR_ULPS=" + std::to_string(Limit.Ulps), "PR_TYPE=" + Limit.ElementType,
      "PR_REWRITTEN_SHARED=" + Shared.str()};
}

/// Runs both versions. \p Shared is what rewrittenShared says.
Expected<ProofResult> CpuProver::State::run(StringRef Shared) {
  enter("running both versions");
  std::vector<std::string> Command = {Build->path("program")};
  Command.insert(Command.end(), Request.ProgramArgs.begin(),
                 Request.ProgramArgs.end());
  ProcessOptions Options;
  Options.TimeoutSeconds = Request.TimeoutSeconds;
  Options.ExtraEnvironment = environment(Shared);
  Expected<ProcessResult> Ended = runProcess(Command, Options);
  if (!Ended)
    return Ended.takeError();
  std::string Report;
  if (Expected<std::string> Text = readFile(Build->path("result")))
    Report = *Text;
  else
    consumeError(Text.takeError());
  std::string How = Ended->describe();
  StringRef Said = StringRef(Ended->Err).rtrim();
  if (!Said.empty())
    How += ": " + Said.substr(Said.rfind('\n') + 1).str();
  ProofResult Result = readMachineReport(Report, How);
  // A program that fails its own check on the original says nothing against the
  // rewrite, unless blocks were left out, which explains it.
  if (Result.Status == ProofStatus::Proved && !Ended->succeeded())
    Result.Notes.push_back("the program itself ended with " +
                           Ended->describe());
  Result.Reproduce = "env";
  for (const std::string &Variable : Options.ExtraEnvironment)
    Result.Reproduce += " " + quoteCommand({Variable});
  Result.Reproduce += " " + quoteCommand(Command);
  return Result;
}

Expected<ProofResult> CpuProver::State::prove(StringRef Path, StringRef Text) {
  for (const char *Old : {"result", "launches", "rewritten"})
    sys::fs::remove_directories(Dir.file(Old));
  if (!Original) {
    Expected<MachineBuild::Refusal> R = compileOriginal();
    if (!R)
      return R.takeError();
    Original = *R;
  }
  if (Original->Refused)
    return originalRefused(Original->Message);
  enter("compiling the rewritten kernels");
  StringRef Shown = Path.empty() ? StringRef(Request.Path) : Path;
  Expected<std::string> Source = writeVersion("rewritten", Shown, Text);
  if (!Source)
    return Source.takeError();
  for (const auto &[Header, HeaderText] : Request.RewrittenHeaders)
    if (Error E = writeHeader(Header, HeaderText))
      return E;
  Expected<MachineBuild::Refusal> R =
      Build->kernels(*Source, "rewritten", Shown);
  if (!R)
    return R.takeError();
  if (R->Refused) {
    ProofResult Result =
        unableTo("does-not-compile",
                 "the rewritten file does not compile: " + R->Message);
    Result.Status = ProofStatus::Failed;
    return Result;
  }
  Expected<std::string> Shared = rewrittenShared(*Source, Shown, Text);
  if (!Shared)
    return Shared.takeError();
  return run(*Shared);
}

Error CpuProver::State::prepare() {
  Expected<MachineBuild> Made = MachineBuild::create(Request, Dir.path());
  if (!Made)
    return Made.takeError();
  Build = std::move(*Made);
  return Error::success();
}

std::string CpuProver::State::progress() {
  std::string Text = CurrentStage.load();
  // Dir.file would take note of the name, and this is another thread.
  Expected<std::string> Report = readFile(Dir.path() + "/result");
  if (!Report) {
    consumeError(Report.takeError());
    return Text;
  }
  std::string Last = lastProgress(*Report);
  return Last.empty() ? Text : Text + ": " + Last;
}

CpuProver::CpuProver(std::unique_ptr<State> S) : S(std::move(S)) {}
CpuProver::CpuProver(CpuProver &&) = default;
CpuProver::~CpuProver() = default;

Expected<CpuProver> CpuProver::create(const ProofRequest &Request) {
  Expected<ToleranceSpec> Limit =
      readTolerance(Request.Tolerance, Request.RulesDir);
  if (!Limit)
    return Limit.takeError();
  std::optional<LaunchFile> Launch;
  ToleranceSpec Reference;
  if (!Request.LaunchFile.empty()) {
    Expected<LaunchFile> File = readLaunchFile(Request.LaunchFile);
    if (!File)
      return File.takeError();
    Launch = std::move(*File);
    if (Launch->Reference) {
      Expected<ToleranceSpec> Spec =
          readTolerance(Launch->Reference->Tolerance, Request.RulesDir);
      if (!Spec)
        return Spec.takeError();
      Reference = *Spec;
    }
  }
  Expected<TempDir> Dir = TempDir::create("pipeline-rewrite-proof");
  if (!Dir)
    return Dir.takeError();
  if (Request.KeepTemps)
    Dir->keep();
  auto S = std::make_unique<State>(Request, std::move(*Dir), std::move(Launch),
                                   *Limit, std::move(Reference));
  if (Error E = S->prepare())
    return E;
  return CpuProver(std::move(S));
}

Expected<ProofResult> CpuProver::prove(StringRef Path, StringRef Text) {
  return S->prove(Path, Text);
}

std::string CpuProver::progress() { return S->progress(); }

} // namespace pipeline_rewrite
