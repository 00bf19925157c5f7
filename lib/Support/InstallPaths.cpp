#include "Support/InstallPaths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace path = llvm::sys::path;

namespace pipeline_rewrite {

std::string runningProgram() {
  // The address tells LLVM which of the loaded objects is the program.
  return llvm::sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&runningProgram));
}

static std::string joined(llvm::StringRef Base, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Base);
  path::append(Path, Name);
  return Path.str().str();
}

static llvm::SmallVector<std::string> candidates(llvm::StringRef Executable) {
  llvm::SmallVector<std::string> Places;
  if (auto Given = llvm::sys::Process::GetEnv("PIPELINE_REWRITE_DATA"))
    Places.push_back(*Given);
  llvm::SmallString<256> Beside(
      path::parent_path(path::parent_path(Executable)));
  path::append(Beside, "share", "pipeline-rewrite");
  Places.push_back(Beside.str().str());
  return Places;
}

llvm::Expected<InstallPaths> findInstallPaths(llvm::StringRef Executable) {
  std::string Tried;
  for (const std::string &Place : candidates(Executable)) {
    InstallPaths Paths{Place, joined(Place, "rules"), joined(Place, "runtime"),
                       ""};
    Paths.RuntimeInclude = joined(Paths.Runtime, "include");
    std::string Missing;
    for (const std::string &Needed :
         {joined(Paths.Rules, "arch"), Paths.RuntimeInclude})
      if (Missing.empty() && !llvm::sys::fs::is_directory(Needed))
        Missing = Needed;
    if (Missing.empty())
      return Paths;
    Tried += "\n  " + Place + " (no folder " + Missing + ")";
  }
  return llvm::createStringError(
      std::make_error_code(std::errc::no_such_file_or_directory),
      "cannot find the rules/ and runtime/ folders that belong to this "
      "program; looked in:" +
          Tried + "\nset PIPELINE_REWRITE_DATA to the folder that holds them");
}

} // namespace pipeline_rewrite
