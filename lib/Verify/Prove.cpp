#include "Verify/Prove.h"
#include "Verify/DriverWriter.h"
#include "Verify/LaunchFile.h"
#include "Verify/MachineBuild.h"
#include "Verify/MachineReport.h"
#include "Verify/Tolerance.h"

#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// One proof while it is under way.
class Proof {
public:
  Proof(const ProofRequest &Request, TempDir &Dir, MachineBuild Build,
        std::optional<LaunchFile> Launch, ToleranceSpec Limit,
        ToleranceSpec Reference)
      : Request(Request), Dir(Dir), Build(std::move(Build)),
        Launch(std::move(Launch)), Limit(std::move(Limit)),
        Reference(std::move(Reference)) {}

  Expected<ProofResult> run();

private:
  Expected<std::string> writeVersion(StringRef Name, StringRef Text);
  Error writeHeader(StringRef Header, StringRef Text);
  Expected<std::optional<ProofResult>> compile();
  Expected<std::string> rewrittenShared();
  std::vector<std::string> environment(StringRef Shared) const;

  const ProofRequest &Request;
  TempDir &Dir;
  MachineBuild Build;
  std::optional<LaunchFile> Launch;
  ToleranceSpec Limit, Reference;
  std::string OriginalSource, RewrittenSource;
};

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

/// Writes one version, and the program around it where there is a launch file.
/// \returns the file to compile.
Expected<std::string> Proof::writeVersion(StringRef Name, StringRef Text) {
  if (std::error_code EC = sys::fs::create_directory(Dir.file(Name)))
    return createStringError("cannot make a folder: " + EC.message());
  std::string File =
      Dir.file(Name) + "/" + sys::path::filename(Request.Path).str();
  if (Error E = writeFileAtomically(File, Text))
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
Error Proof::writeHeader(StringRef Header, StringRef Text) {
  std::string File = Dir.file("rewritten") + "/" + Header.str();
  if (std::error_code EC =
          sys::fs::create_directories(sys::path::parent_path(File)))
    return createStringError("cannot make a folder: " + EC.message());
  return writeFileAtomically(File, Text);
}

/// \returns a result where the proof ends here.
Expected<std::optional<ProofResult>> Proof::compile() {
  Expected<MachineBuild::Refusal> R =
      Build.kernels(OriginalSource, "original", Request.Path);
  if (!R)
    return R.takeError();
  if (!R->Refused)
    R = Build.program(OriginalSource, "program");
  if (!R)
    return R.takeError();
  if (R->Refused)
    return originalRefused(R->Message);
  R = Build.kernels(RewrittenSource, "rewritten", Request.Path);
  if (!R)
    return R.takeError();
  if (R->Refused) {
    ProofResult Result =
        unableTo("does-not-compile",
                 "the rewritten file does not compile: " + R->Message);
    Result.Status = ProofStatus::Failed;
    return Result;
  }
  return std::nullopt;
}

/// What the rewritten kernels get as dynamic shared memory: "same" where
/// neither version has any; what the rewritten program asks for, launch by
/// launch; "any" where that cannot be known.
Expected<std::string> Proof::rewrittenShared() {
  auto HasDynamic = [](StringRef Text) {
    return Text.contains("extern") && Text.contains("__shared__");
  };
  bool Dynamic = HasDynamic(Request.OriginalText) || HasDynamic(Request.RewrittenText);
  for (const auto &[Header, Text] : Request.RewrittenHeaders)
    Dynamic |= HasDynamic(Text);
  if (!Dynamic)
    return "same";
  if (Launch)
    return "any";
  Expected<MachineBuild::Refusal> R =
      Build.program(RewrittenSource, "program2");
  if (!R)
    return R.takeError();
  if (R->Refused)
    return "any";
  std::vector<std::string> Command = {Build.path("program2")};
  Command.insert(Command.end(), Request.ProgramArgs.begin(),
                 Request.ProgramArgs.end());
  ProcessOptions Options;
  Options.TimeoutSeconds = Request.TimeoutSeconds;
  Options.ExtraEnvironment = {"PR_RECORD=" + Dir.file("launches")};
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

std::vector<std::string> Proof::environment(StringRef Shared) const {
  double Seconds = Request.TimeoutSeconds;
  return {
      "PR_ORIGINAL=" + Build.path("original.so"),
      "PR_REWRITTEN=" + Build.path("rewritten.so"),
      "PR_RESULT=" + Build.path("result"),
      "PR_SEED=" + std::to_string(Request.Seed),
      // One run of a launch may take a twelfth of the time: there are two
      // versions and four schedules, and the rest is for comparing. What is
      // left out of a large launch then is blocks like those that were run.
      formatv("PR_LAUNCH_SECONDS={0:f2}", std::min(2.0, Seconds / 12)).str(),
      formatv("PR_TOTAL_SECONDS={0:f2}", Seconds / 2).str(),
      formatv("PR_RELATIVE={0:e10}", Limit.Relative).str(),
      formatv("PR_ABSOLUTE={0:e10}", Limit.Absolute).str(),
      "PR_ULPS=" + std::to_string(Limit.Ulps), "PR_TYPE=" + Limit.ElementType,
      "PR_REWRITTEN_SHARED=" + Shared.str()};
}

Expected<ProofResult> Proof::run() {
  for (auto [Name, Text, Source] :
       {std::tuple("original", &Request.OriginalText, &OriginalSource),
        {"rewritten", &Request.RewrittenText, &RewrittenSource}}) {
    Expected<std::string> File = writeVersion(Name, *Text);
    if (!File)
      return File.takeError();
    *Source = *File;
  }
  for (const auto &[Header, Text] : Request.RewrittenHeaders)
    if (Error E = writeHeader(Header, Text))
      return E;
  Expected<std::optional<ProofResult>> Early = compile();
  if (!Early)
    return Early.takeError();
  if (*Early)
    return **Early;
  Expected<std::string> Shared = rewrittenShared();
  if (!Shared)
    return Shared.takeError();
  std::vector<std::string> Command = {Build.path("program")};
  Command.insert(Command.end(), Request.ProgramArgs.begin(),
                 Request.ProgramArgs.end());
  ProcessOptions Options;
  Options.TimeoutSeconds = Request.TimeoutSeconds;
  Options.ExtraEnvironment = environment(*Shared);
  Expected<ProcessResult> Ended = runProcess(Command, Options);
  if (!Ended)
    return Ended.takeError();
  std::string Report;
  if (Expected<std::string> Text = readFile(Build.path("result")))
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

} // namespace

Expected<ProofResult> proveOnCpu(const ProofRequest &Request) {
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
  Expected<MachineBuild> Build = MachineBuild::create(Request, Dir->path());
  if (!Build)
    return Build.takeError();
  return Proof(Request, *Dir, std::move(*Build), std::move(Launch), *Limit,
               std::move(Reference))
      .run();
}

} // namespace pipeline_rewrite
