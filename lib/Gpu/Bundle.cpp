#include "Gpu/Bundle.h"

#include "Gpu/Driver.h"
#include "Gpu/SharedBytes.h"
#include "Gpu/SourceTree.h"
#include "Support/File.h"
#include "Support/Process.h"
#include "Support/Version.h"
#include "Verify/LaunchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

Error usage(const Twine &Message) {
  return createStringError(std::make_error_code(std::errc::invalid_argument),
                           Message);
}

std::string absolute(StringRef Path) {
  SmallString<256> Whole(Path);
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, true);
  return std::string(Whole);
}

/// Flags that say what the command makes; the bundle makes something else.
bool saysOutput(StringRef Flag) {
  return is_contained({"-c", "--compile", "-dc", "--device-c", "-ptx", "--ptx",
                       "-cubin", "--cubin", "-shared", "--shared", "-lib",
                       "--lib", "-link", "--link", "-dlink", "--device-link",
                       "-fatbin", "--fatbin", "-E", "--preprocess", "-M", "-MM",
                       "-MD", "-MMD", "-MP"},
                      Flag);
}

bool namesArch(StringRef Flag) {
  for (StringRef Name : {"-arch", "--gpu-architecture", "-gencode",
                         "--generate-code", "-code", "--gpu-code"})
    if (Flag == Name || Flag.starts_with(Name.str() + "="))
      return true;
  return false;
}

/// What the folder runtime/gpu holds, with the place of each in the bundle.
constexpr std::pair<StringLiteral, StringLiteral> Harness[] = {
    {"pr_abi.h", "harness/"},    {"pr_types.h", "harness/"},
    {"support.h", "harness/"},   {"data.h", "harness/"},
    {"data.cpp", "harness/"},    {"runner.cpp", "harness/"},
    {"verify.cpp", "harness/"},  {"time.cpp", "harness/"},
    {"traces.cpp", "harness/"},  {"shim.cpp", "harness/"},
    {"disturb.cu", "harness/"},  {"run.sh", ""},
    {"CMakeLists.txt", ""}};

/// One bundle while it is written.
class BundleWriter {
public:
  BundleWriter(const BundleRequest &Request, StringRef Dir)
      : Request(Request), Dir(Dir.str()) {}

  Error prepare();
  Expected<std::string> key() const;
  Error write();

private:
  Error readLaunch();
  Error collect();
  Error prepareFolder(StringRef Key);
  Error put(const Twine &Place, StringRef Text);
  Error putSources();
  Error putDriver(StringRef Name, StringRef Source, StringRef Shared);
  Error putHarness();
  Error putSettings();
  Error putManifest(StringRef Key);
  std::string versionFile(StringRef Name) const;
  std::string sharedAfter(const VersionText &Version) const;
  std::string fromDrivers(StringRef Place) const { return ("../" + Place).str(); }
  std::string referencePath() const;

  const BundleRequest &Request;
  std::string Dir;
  std::optional<LaunchFile> Launch;
  ToleranceSpec Tolerance, Reference;
  SourceTree Tree;
};

Error BundleWriter::readLaunch() {
  Expected<ToleranceSpec> Limit =
      readTolerance(Request.Tolerance, Request.RulesDir);
  if (!Limit)
    return Limit.takeError();
  Tolerance = *Limit;
  if (Request.LaunchFile.empty())
    return Error::success();
  Expected<LaunchFile> File = readLaunchFile(Request.LaunchFile);
  if (!File)
    return File.takeError();
  Launch = std::move(*File);
  if (!Launch->Reference)
    return Error::success();
  Expected<ToleranceSpec> Spec =
      readTolerance(Launch->Reference->Tolerance, Request.RulesDir);
  if (!Spec)
    return Spec.takeError();
  Reference = *Spec;
  return Error::success();
}

std::string BundleWriter::referencePath() const {
  if (!Launch || !Launch->Reference)
    return "";
  if (sys::path::is_absolute(Launch->Reference->File))
    return Launch->Reference->File;
  SmallString<256> Path(sys::path::parent_path(Launch->Path));
  sys::path::append(Path, Launch->Reference->File);
  return absolute(Path);
}

Error BundleWriter::collect() {
  std::vector<std::string> Roots = {absolute(Request.Path)};
  if (std::string Path = referencePath(); !Path.empty())
    Roots.push_back(Path);
  std::vector<std::string> Arguments;
  bool HasArch = false;
  for (const std::string &Argument : Request.NvccArgs) {
    HasArch |= namesArch(Argument);
    if (!saysOutput(Argument))
      Arguments.push_back(Argument);
  }
  if (!HasArch)
    Arguments.push_back("-arch=" +
                        (Request.Arch.empty() ? "native" : Request.Arch));
  Expected<SourceTree> Found = collectSources(Roots, Arguments);
  if (!Found)
    return Found.takeError();
  Tree = std::move(*Found);
  return Error::success();
}

Error BundleWriter::prepare() {
  if (Error E = readLaunch())
    return E;
  return collect();
}

Expected<std::string> BundleWriter::key() const {
  SHA256 Hash;
  auto Add = [&](StringRef Text) {
    Hash.update(std::to_string(Text.size()) + ":");
    Hash.update(Text);
  };
  Add(toolVersion());
  Add(toString(Request.Mode));
  Add(std::to_string(Request.Seed) + " " + Request.Tolerance);
  for (const std::string &Argument : Tree.Arguments)
    Add(Argument);
  Add(Request.OriginalText);
  for (const VersionText &Version : Request.Versions) {
    Add(Version.About.Name);
    Add(Version.Text);
  }
  std::vector<std::string> Files = Tree.Files;
  if (Launch)
    Files.push_back(Launch->Path);
  for (const auto &Part : Harness)
    Files.push_back(Request.RuntimeDir + "/gpu/" + Part.first.str());
  for (const std::string &File : Files) {
    Expected<std::string> Text = readFile(File);
    if (!Text)
      return Text.takeError();
    Add(*Text);
  }
  return toHex(Hash.final(), /*LowerCase=*/true).substr(0, 16);
}

Error BundleWriter::prepareFolder(StringRef Key) {
  std::error_code EC;
  if (sys::fs::exists(Dir)) {
    bool Empty = sys::fs::directory_iterator(Dir, EC) ==
                 sys::fs::directory_iterator();
    Expected<Manifest> Old = readManifest(Dir);
    bool IsBundle = static_cast<bool>(Old);
    bool Same = IsBundle && Old->Key == Key;
    if (!IsBundle)
      consumeError(Old.takeError());
    if (EC || (!Empty && !IsBundle))
      return usage("--bundle=" + Dir +
                   ": it exists and is neither empty nor a bundle");
    if (IsBundle && !Same)
      for (const char *Part : {"build", "tree", "drivers", "harness"})
        sys::fs::remove_directories(Dir + "/" + Part);
    if (IsBundle && !Same)
      sys::fs::remove(Dir + "/results.json");
  }
  for (const char *Part : {"", "/tree", "/drivers", "/harness"})
    if ((EC = sys::fs::create_directories(Dir + Part)))
      return usage("cannot make the folder '" + Dir + Part +
                   "': " + EC.message());
  return Error::success();
}

Error BundleWriter::put(const Twine &Place, StringRef Text) {
  std::string Path = (Dir + "/" + Place).str();
  if (std::error_code EC =
          sys::fs::create_directories(sys::path::parent_path(Path)))
    return createStringError("cannot make the folder of '" + Path +
                             "': " + EC.message());
  // Left alone where nothing changes: what was built from it stays valid.
  if (Expected<std::string> Old = readFile(Path)) {
    if (*Old == Text)
      return Error::success();
  } else {
    consumeError(Old.takeError());
  }
  return writeFileAtomically(Path, Text);
}

std::string BundleWriter::versionFile(StringRef Name) const {
  std::string Place = Tree.placeOf(absolute(Request.Path));
  if (Name == "original")
    return Place;
  SmallString<256> Other(Place);
  sys::path::replace_extension(Other, Name + sys::path::extension(Place));
  return std::string(Other);
}

/// Dynamic shared bytes of a version, as an expression of the launch file.
std::string BundleWriter::sharedAfter(const VersionText &Version) const {
  if (Launch->SharedAfter)
    return *Launch->SharedAfter;
  if (Version.DynamicAfter)
    return std::to_string(Version.DynamicAfter);
  // A file that was rewritten earlier, or by hand, says it itself.
  std::string Own = sharedBytesCallIn(Version.Text, Launch->Kernel);
  bool IsNew = sharedBytesCallIn(Request.OriginalText, Launch->Kernel).empty();
  return !Own.empty() && IsNew ? Own : Launch->Shared;
}

Error BundleWriter::putSources() {
  for (const std::string &File : Tree.Files) {
    Expected<std::string> Text = readFile(File);
    if (!Text)
      return Text.takeError();
    if (Error E = put(Tree.placeOf(File), *Text))
      return E;
  }
  if (Error E = put(versionFile("original"), Request.OriginalText))
    return E;
  if (Launch)
    if (Error E = putDriver("original", versionFile("original"), Launch->Shared))
      return E;
  for (const VersionText &Version : Request.Versions) {
    if (Version.Text.empty())
      continue;
    std::string Place = versionFile(Version.About.Name);
    if (Error E = put(Place, Version.Text))
      return E;
    if (Launch)
      if (Error E = putDriver(Version.About.Name, Place, sharedAfter(Version)))
        return E;
  }
  return Error::success();
}

Error BundleWriter::putDriver(StringRef Name, StringRef Source,
                              StringRef Shared) {
  DriverRequest Driver;
  Driver.Launch = &*Launch;
  Driver.Source = fromDrivers(Source);
  if (std::string Path = referencePath(); !Path.empty())
    Driver.Reference = fromDrivers(Tree.placeOf(Path));
  Driver.ReferenceTolerance = Reference;
  Driver.Shared = Shared.str();
  return put("drivers/" + Name + ".cu", writeGpuDriver(Driver));
}

Error BundleWriter::putHarness() {
  for (const auto &[File, Folder] : Harness) {
    Expected<std::string> Text = readFile(Request.RuntimeDir + "/gpu/" + File.str());
    if (!Text)
      return Text.takeError();
    if (Error E = put(Folder + File, *Text))
      return E;
  }
  return Error::success();
}

Error BundleWriter::putSettings() {
  std::string Text;
  raw_string_ostream OS(Text);
  std::vector<std::string> Names;
  for (const VersionText &Version : Request.Versions)
    if (!Version.Text.empty())
      Names.push_back(Version.About.Name);
  OS << "# Generated: what run.sh runs.\nKIND="
     << (Launch ? "launch" : "program") << "\nMODE=" << toString(Request.Mode)
     << "\nVERSIONS='" << join(Names, " ") << "'\nSEED=" << Request.Seed
     << "\nTIMEOUT=" << Request.TimeoutSeconds << "\nTOLERANCE='"
     << formatv("--absolute {0:e10} --relative {1:e10} --ulps {2}",
                Tolerance.Absolute, Tolerance.Relative, Tolerance.Ulps)
     << "'\nBENCH_CASES="
     << (Launch ? std::max<size_t>(Launch->Bench.size(), 1) : 0)
     << "\nsource_of() {\n  case $1 in\n";
  Names.insert(Names.begin(), "original");
  for (const std::string &Name : Names)
    OS << "  " << Name << ") echo " << quoteCommand({versionFile(Name)})
       << " ;;\n";
  OS << "  esac\n}\n";
  if (Error E = put("settings.sh", Text))
    return E;
  return put("nvcc.sh", "#!/bin/sh\n# Generated: nvcc with the author's own "
                        "options.\nexec \"$NVCC\" " +
                            quoteCommand(Tree.Arguments) + " \"$@\"\n");
}

Error BundleWriter::putManifest(StringRef Key) {
  Manifest M;
  M.Tool = toolVersion().str();
  M.Mode = Request.Mode;
  M.Source = Request.Path;
  M.Original = versionFile("original");
  M.Arch = Request.BudgetArch;
  M.HasLaunchFile = Launch.has_value();
  if (Launch) {
    M.Launch = "launch.yaml";
    Expected<std::string> Text = readFile(Launch->Path);
    if (!Text)
      return Text.takeError();
    if (Error E = put(M.Launch, *Text))
      return E;
  }
  M.Key = Key.str();
  M.Arguments = Tree.Arguments;
  M.Settings = Request.Settings;
  for (const VersionText &Version : Request.Versions) {
    M.Versions.push_back(Version.About);
    if (!Version.Text.empty())
      M.Versions.back().File = versionFile(Version.About.Name);
  }
  return put("bundle.json", formatv("{0:2}\n", toJson(M)).str());
}

Error BundleWriter::write() {
  Expected<std::string> Key = key();
  if (!Key)
    return Key.takeError();
  if (Error E = prepareFolder(*Key))
    return E;
  if (Error E = putSources())
    return E;
  if (Error E = putHarness())
    return E;
  if (Error E = putSettings())
    return E;
  // Last: a folder with this file is whole.
  return putManifest(*Key);
}

} // namespace

Expected<std::string> bundleKey(const BundleRequest &Request) {
  BundleWriter Writer(Request, "");
  if (Error E = Writer.prepare())
    return E;
  return Writer.key();
}

Error writeBundle(const BundleRequest &Request, StringRef Dir) {
  BundleWriter Writer(Request, Dir);
  if (Error E = Writer.prepare())
    return E;
  return Writer.write();
}

} // namespace pipeline_rewrite
