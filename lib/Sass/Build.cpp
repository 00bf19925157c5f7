#include "Sass/Build.h"
#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <set>

using namespace llvm;

namespace pipeline_rewrite {

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

/// \p Name in the first of \p Folders that has it, else on PATH, else empty.
static std::string findProgram(StringRef Name, ArrayRef<StringRef> Folders,
                               StringRef LastFolder = "") {
  for (StringRef Folder : Folders)
    if (!Folder.empty())
      if (ErrorOr<std::string> Found = sys::findProgramByName(Name, {Folder}))
        return *Found;
  if (ErrorOr<std::string> Found = sys::findProgramByName(Name))
    return *Found;
  if (!LastFolder.empty())
    if (ErrorOr<std::string> Found = sys::findProgramByName(Name, {LastFolder}))
      return *Found;
  return "";
}

Expected<SassTools> findSassTools(StringRef ToolkitRoot, StringRef PrivateBin) {
  SmallString<128> Bin(ToolkitRoot);
  if (!ToolkitRoot.empty())
    sys::path::append(Bin, "bin");
  SassTools Tools;
  Tools.Nvcc = findProgram("nvcc", {Bin});
  if (Tools.Nvcc.empty())
    return failure("nvcc was not found" +
                   (Bin.empty() ? "" : " in '" + Bin.str().str() + "'") +
                   " or on PATH");
  SmallString<128> Real;
  if (sys::fs::real_path(Tools.Nvcc, Real))
    Real = Tools.Nvcc;
  StringRef Beside = sys::path::parent_path(Real);
  Tools.Disassembler = findProgram("nvdisasm", {Bin, Beside}, PrivateBin);
  Tools.LineInformation = !Tools.Disassembler.empty();
  if (Tools.Disassembler.empty())
    Tools.Disassembler = findProgram("cuobjdump", {Bin, Beside}, PrivateBin);
  if (Tools.Disassembler.empty())
    return failure("neither nvdisasm nor cuobjdump was found beside nvcc ('" +
                   Beside + "') or on PATH");
  return Tools;
}

std::vector<std::string> argsForCubin(ArrayRef<std::string> NvccArgs) {
  static const StringRef WithValue[] = {
      "-arch",          "--gpu-architecture", "-gencode",      "--generate-code",
      "-code",          "--gpu-code",         "--cuda-gpu-arch", "--offload-arch",
      "--no-offload-arch", "--no-cuda-gpu-arch", "--cuda-path", "-resource-dir",
      "-target",        "--target",           "-mllvm"};
  static const StringRef Alone[] = {"-nocudainc", "-nogpuinc", "-nocudalib",
                                    "-nogpulib",  "-keep",     "--keep",
                                    "-dryrun",    "--dryrun",  "-Qunused-arguments",
                                    "--offload-new-driver", "-save-temps",
                                    "--save-temps"};
  std::vector<std::string> Kept;
  for (size_t I = 0; I < NvccArgs.size(); ++I) {
    StringRef Arg = NvccArgs[I];
    if (is_contained(WithValue, Arg)) {
      ++I;
      continue;
    }
    if (is_contained(WithValue, Arg.split('=').first) || is_contained(Alone, Arg))
      continue;
    // A cubin is made of relocatable code by another option than an object.
    if (Arg == "-dc" || Arg == "--device-c" || Arg == "-dw" || Arg == "--device-w")
      Kept.push_back("-rdc=true");
    else
      Kept.push_back(Arg.str());
  }
  return Kept;
}

namespace {

/// The sources in a folder of their own, under the paths they have.
class Mirror {
public:
  Mirror(StringRef Root, ArrayRef<SassSource> Sources)
      : Root(Root), Sources(Sources) {}
  Error write() const;
  std::string pathOf(StringRef Path) const { return (Root + Path).str(); }
  std::vector<std::string> searchPaths(ArrayRef<std::string> Args) const;
  std::vector<std::string> lastSearchPaths() const;

private:
  StringRef Root;
  ArrayRef<SassSource> Sources;
};

Error Mirror::write() const {
  for (const SassSource &S : Sources) {
    std::string Path = pathOf(S.Path);
    if (std::error_code Code =
            sys::fs::create_directories(sys::path::parent_path(Path)))
      return createStringError(Code, "cannot create the folder of '" + Path + "'");
    if (Error Failed = writeFileAtomically(Path, S.Text))
      return Failed;
  }
  return Error::success();
}

/// A header that changed must be found before the one on disk.
std::vector<std::string> Mirror::searchPaths(ArrayRef<std::string> Args) const {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Folder = Args[I];
    bool Joined = Folder.consume_front("-I") || Folder.consume_front("-isystem");
    if (!Joined)
      continue;
    if (Folder.empty() && I + 1 < Args.size())
      Folder = Args[I + 1];
    std::string Copy = pathOf(Folder.ltrim('='));
    if (sys::path::is_absolute(Folder) && sys::fs::is_directory(Copy))
      Result.push_back("-I" + Copy);
  }
  return Result;
}

/// Everything else that stands beside the sources.
std::vector<std::string> Mirror::lastSearchPaths() const {
  std::set<std::string> Folders;
  for (const SassSource &S : Sources)
    Folders.insert("-I" + sys::path::parent_path(S.Path).str());
  return {Folders.begin(), Folders.end()};
}

} // namespace

static std::string firstLines(StringRef Text, unsigned Count) {
  SmallVector<StringRef, 8> Lines;
  Text.trim().split(Lines, '\n');
  std::string Result;
  for (StringRef Line : ArrayRef(Lines).take_front(Count))
    Result += "\n  " + Line.str();
  return Result;
}

static Error runOrFail(ArrayRef<std::string> Command, unsigned TimeoutSeconds,
                       ProcessResult &Result) {
  ProcessOptions Options;
  Options.TimeoutSeconds = TimeoutSeconds;
  Expected<ProcessResult> Run = runProcess(Command, Options);
  if (!Run)
    return Run.takeError();
  if (!Run->succeeded())
    return failure(sys::path::filename(Command[0]) + " failed (" +
                   Run->describe() + "):" +
                   firstLines(Run->Err.empty() ? Run->Out : Run->Err, 6));
  Result = std::move(*Run);
  return Error::success();
}

/// The listing's spelling of \p Path.
static std::string spelledIn(const SassListing &Listing, StringRef Path) {
  SmallString<128> Real;
  bool HasReal = !sys::fs::real_path(Path, Real);
  for (const SassFunction &F : Listing.Functions)
    for (const SassInstruction &I : F.Code)
      for (const SassPlace &P : I.Places)
        if (P.File == Path || (HasReal && P.File == Real))
          return P.File;
  return "";
}

Expected<SassBuild> buildSass(const SassTools &Tools,
                              const SassBuildRequest &Request) {
  Expected<TempDir> Folder = TempDir::create("pipeline-rewrite-sass");
  if (!Folder)
    return Folder.takeError();
  Mirror Copies(Folder->path(), Request.Sources);
  if (Error Failed = Copies.write())
    return Failed;
  std::string Cubin = Folder->file("kernel.cubin");
  std::vector<std::string> Args = argsForCubin(Request.NvccArgs);
  std::vector<std::string> Command{Tools.Nvcc};
  for (const std::vector<std::string> &Part :
       {Copies.searchPaths(Args), Args, Copies.lastSearchPaths()})
    Command.insert(Command.end(), Part.begin(), Part.end());
  for (StringRef Last : {"-cubin", "-lineinfo", "-Xptxas", "-v", "-x", "cu", "-o"})
    Command.push_back(Last.str());
  Command.push_back(Cubin);
  Command.push_back("-arch=" + Request.Arch);
  Command.push_back(Copies.pathOf(Request.Sources.front().Path));
  ProcessResult Compiled, Listed;
  if (Error Failed = runOrFail(Command, Request.TimeoutSeconds, Compiled))
    return Failed;
  Command = {Tools.Disassembler};
  if (Tools.LineInformation)
    Command.insert(Command.end(), {"-c", "-hex", "-gi"});
  else
    Command.push_back("-sass");
  Command.push_back(Cubin);
  if (Error Failed = runOrFail(Command, Request.TimeoutSeconds, Listed))
    return Failed;
  SassBuild Build;
  Build.HasLines = Tools.LineInformation;
  Build.Resources = parseResources(Compiled.Err + Compiled.Out);
  Expected<SassListing> Listing = parseSass(Listed.Out);
  if (Listing)
    Build.Listing = std::move(*Listing);
  else if (Build.Resources.empty()) // templates without an instantiation
    consumeError(Listing.takeError());
  else
    return Listing.takeError();
  for (const SassSource &S : Request.Sources)
    Build.Files.push_back(spelledIn(Build.Listing, Copies.pathOf(S.Path)));
  return Build;
}

} // namespace pipeline_rewrite
