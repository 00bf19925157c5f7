#include "Verify/MachineBuild.h"
#include "Verify/DeviceModule.h"

#include "Support/File.h"
#include "Support/InstallPaths.h"
#include "Support/Process.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace pipeline_rewrite {

// A compilation that takes longer than this has gone wrong.
static constexpr unsigned CompileSeconds = 300;

std::string MachineBuild::path(StringRef Name) const {
  SmallString<128> Path(WorkDir);
  sys::path::append(Path, Name);
  return std::string(Path);
}

/// An absolute form of a folder, for the compiler that runs elsewhere.
static std::string absolute(StringRef Path) {
  SmallString<128> Whole(Path);
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, true);
  return std::string(Whole);
}

Expected<MachineBuild> MachineBuild::create(const ProofRequest &Request,
                                            std::string WorkDir) {
  MachineBuild Build;
  Build.Request = &Request;
  Build.WorkDir = std::move(WorkDir);
  for (const char *Name : {"clang++-19", "/usr/lib/llvm-19/bin/clang++"})
    if (ErrorOr<std::string> Found = sys::findProgramByName(Name)) {
      Build.Compiler = *Found;
      break;
    }
  if (Build.Compiler.empty())
    return createStringError(
        "a proof on the CPU needs clang++-19, which is not "
        "installed (package clang-19)");
  Build.HeaderDir = absolute(Request.RuntimeDir + "/include");
  if (!sys::fs::exists(Build.HeaderDir + "/pr_device_prelude.h"))
    return createStringError("the headers of the CPU machine are not in " +
                             Build.HeaderDir);
  Expected<std::string> Library = Build.machineLibrary();
  if (!Library)
    return Library.takeError();
  Build.Library = *Library;
  return Build;
}

/// The library beside the program: ../lib/pipeline-rewrite in a build tree and
/// in an installation. Where it is missing, it is compiled from its sources.
Expected<std::string> MachineBuild::machineLibrary() {
  std::string Program = runningProgram();
  StringRef Prefix = sys::path::parent_path(sys::path::parent_path(Program));
  std::vector<std::string> Places = {(Prefix + "/lib").str(),
                                     (Prefix + "/lib64").str(),
                                     (Prefix + "/lib/x86_64-linux-gnu").str(),
                                     (Prefix + "/lib/aarch64-linux-gnu").str()};
  for (const std::string &Place : Places)
    if (std::string File = Place + "/pipeline-rewrite/libpr_machine.a";
        sys::fs::exists(File))
      return File;
  std::string Sources = absolute(Request->RuntimeDir + "/src");
  std::vector<std::string> Command = {
      Compiler,         "-std=c++17",     "-O2", "-fPIC",     "-fno-exceptions",
      "-fno-rtti",      "-I" + HeaderDir, "-r",  "-nostdlib", "-o",
      path("machine.o")};
  std::error_code EC;
  for (sys::fs::directory_iterator It(Sources, EC), End; It != End && !EC;
       It.increment(EC))
    if (sys::path::extension(It->path()) == ".cpp")
      Command.push_back(It->path());
  Expected<Refusal> Result = run(Command);
  if (!Result)
    return Result.takeError();
  if (Result->Refused)
    return createStringError("the CPU machine does not compile: " +
                             Result->Message);
  return path("machine.o");
}

std::vector<std::string> MachineBuild::cudaCommand(bool Device,
                                                   StringRef Shown) const {
  std::string Folder = absolute(Shown);
  std::vector<std::string> Command = {
      Compiler, "-x", "cuda",
      Device ? "--cuda-device-only" : "--cuda-host-only",
      // Our own headers stand for the toolkit's; none is needed, or looked for.
      "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
      "--cuda-gpu-arch=sm_80", "-isystem", HeaderDir, "-include",
      "pr_device_prelude.h", "-std=c++17", "-w", "-O1",
      // One rounding for each operation, in both versions.
      "-ffp-contract=off", "-iquote", Folder, "-I", Folder};
  Command.insert(Command.end(), Request->CompileArgs.begin(),
                 Request->CompileArgs.end());
  return Command;
}

Expected<MachineBuild::Refusal>
MachineBuild::run(const std::vector<std::string> &Command) const {
  ProcessOptions Options;
  Options.TimeoutSeconds = CompileSeconds;
  Expected<ProcessResult> Result = runProcess(Command, Options);
  if (!Result)
    return Result.takeError();
  if (Result->succeeded())
    return Refusal();
  Refusal R;
  R.Refused = true;
  // The first line that says "error", or the linker's complaint about a name.
  // Why a call fits none of the functions with its name is in the first note.
  SmallVector<StringRef, 32> Lines;
  StringRef(Result->Err).split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (R.Message.empty() &&
        (Line.contains("error:") || Line.contains("undefined reference")))
      R.Message = Line.str();
    auto [Before, Note] = Line.split("note: candidate ");
    if (StringRef(R.Message).contains("no matching function") && !Note.empty()) {
      R.Message += " (" + Note.str() + ")";
      break;
    }
  }
  if (R.Message.empty())
    R.Message = "the compiler ended with " + Result->describe();
  return R;
}

/// Replaces every \p From in \p Text.
static void replaceAll(std::string &Text, StringRef From, StringRef To) {
  for (size_t At = Text.find(From.str()); At != std::string::npos;
       At = Text.find(From.str(), At + To.size()))
    Text.replace(At, From.size(), To.str());
}

Expected<MachineBuild::Refusal>
MachineBuild::kernels(StringRef Source, StringRef Name, StringRef ShownAs) {
  std::vector<std::string> Command =
      cudaCommand(true, sys::path::parent_path(ShownAs));
  std::string Bitcode = path((Name + ".bc").str());
  std::string Lowered = path((Name + ".machine.bc").str());
  Command.insert(Command.end(),
                 {"-emit-llvm", "-Xclang", "-disable-llvm-passes", "-Xclang",
                  "-debug-info-kind=line-tables-only",
                  // A null pointer is an address like another, to be checked.
                  "-fno-delete-null-pointer-checks",
                  // Else a path loses what it shares with the current folder.
                  "-fdebug-compilation-dir=/",
                  "-ffile-prefix-map=" + path(Name) +
                      "/=" + sys::path::parent_path(ShownAs).str() +
                      (sys::path::has_parent_path(ShownAs) ? "/" : ""),
                  "-c", Source.str(), "-o", Bitcode});
  Expected<Refusal> Result = run(Command);
  if (!Result || Result->Refused) {
    if (Result)
      replaceAll(Result->Message, path(Name) + "/", "");
    return Result;
  }
  if (Error E = lowerDeviceModule(Bitcode, Lowered, {HeaderDir}))
    return E;
  Result = run({Compiler, "-x", "ir", "-O1", "-Xclang", "-disable-llvm-passes",
                "-march=native", "-ffp-contract=off", "-fPIC", "-w", "-shared",
                Lowered, "-o", path((Name + ".so").str()), "-lm"});
  return Result;
}

Expected<MachineBuild::Refusal> MachineBuild::program(StringRef Source,
                                                      StringRef Name,
                                                      StringRef Folder,
                                                      bool Checked) {
  std::string Object = path((Name + ".o").str());
  // What the compiler would embed for the GPU; its presence alone makes it
  // write the start-up code that registers the kernels' names.
  std::string Embedded = path("embedded");
  if (Error E = writeFileAtomically(Embedded, "-"))
    return E;
  std::vector<std::string> Command = cudaCommand(false, Folder);
  // The machine has the functions that such a program calls.
  if (Checked)
    Command.insert(Command.end(),
                   {"-fsanitize=signed-integer-overflow,integer-divide-by-zero",
                    "-fsanitize-minimal-runtime", "-fno-sanitize-recover=all"});
  Command.insert(Command.end(),
                 {"-Xclang", "-target-sdk-version=12.3", "-Xclang",
                  "-fcuda-include-gpubinary", "-Xclang", Embedded, "-c",
                  Source.str(), "-o", Object});
  Expected<Refusal> Result = run(Command);
  if (!Result || Result->Refused)
    return Result;
  return run({Compiler, "-rdynamic", Object, "-o", path(Name),
              "-Wl,--whole-archive", Library, "-Wl,--no-whole-archive",
              "-lboost_context", "-ldl", "-lpthread", "-lm"});
}

} // namespace pipeline_rewrite
