#include "Frontend/CudaToolkit.h"

#include "Support/File.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace path = llvm::sys::path;

namespace pipeline_rewrite {

static std::string headerOf(llvm::StringRef Root, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Root);
  path::append(Path, "include", Name);
  return Path.str().str();
}

/// Reads `#define CUDA_VERSION 13000` (1000 * major + 10 * minor).
static void readVersion(ToolkitInfo &Toolkit) {
  llvm::Expected<std::string> Text = readFile(headerOf(Toolkit.Root, "cuda.h"));
  if (!Text) {
    // A toolkit of headers only may lack cuda.h; its version stays unknown.
    llvm::consumeError(Text.takeError());
    return;
  }
  llvm::StringRef Rest = *Text;
  llvm::StringRef Key = "#define CUDA_VERSION ";
  size_t At = Rest.find(Key);
  if (At == llvm::StringRef::npos)
    return;
  unsigned Version = 0;
  Rest = Rest.drop_front(At + Key.size()).ltrim();
  if (Rest.consumeInteger(10, Version))
    return;
  Toolkit.Major = Version / 1000;
  Toolkit.Minor = Version % 1000 / 10;
}

/// The toolkit in \p Root, or one that is not Real.
static ToolkitInfo probe(llvm::StringRef Root) {
  ToolkitInfo Toolkit;
  llvm::SmallString<256> Absolute(Root);
  if (Root.empty() || llvm::sys::fs::make_absolute(Absolute))
    return Toolkit;
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  if (!llvm::sys::fs::exists(headerOf(Absolute, "cuda_runtime.h")))
    return Toolkit;
  Toolkit.Real = true;
  Toolkit.Root = Absolute.str().str();
  readVersion(Toolkit);
  return Toolkit;
}

llvm::Expected<ToolkitInfo> findToolkit(llvm::StringRef Given) {
  if (Given == "none")
    return ToolkitInfo();
  if (!Given.empty()) {
    ToolkitInfo Toolkit = probe(Given);
    if (!Toolkit.Real)
      return llvm::createStringError(
          std::make_error_code(std::errc::invalid_argument),
          "no CUDA toolkit in '" + Given + "': there is no file " +
              headerOf(Given, "cuda_runtime.h"));
    return Toolkit;
  }

  llvm::SmallVector<std::string> Places;
  if (auto Path = llvm::sys::Process::GetEnv("CUDA_PATH"))
    Places.push_back(*Path);
  if (llvm::ErrorOr<std::string> Nvcc = llvm::sys::findProgramByName("nvcc")) {
    llvm::SmallString<256> Real;
    if (!llvm::sys::fs::real_path(*Nvcc, Real))
      Places.push_back(path::parent_path(path::parent_path(Real)).str());
  }
  Places.push_back("/usr/local/cuda");
  for (const std::string &Place : Places)
    if (ToolkitInfo Toolkit = probe(Place); Toolkit.Real)
      return Toolkit;
  return ToolkitInfo();
}

std::string describeToolkit(const ToolkitInfo &Toolkit) {
  if (!Toolkit.Real)
    return "parsed with this program's own CUDA declarations, without a CUDA "
           "toolkit";
  std::string Version =
      Toolkit.Major == 0
          ? "an unknown version"
          : std::to_string(Toolkit.Major) + "." + std::to_string(Toolkit.Minor);
  return "parsed with the headers of CUDA " + Version + " in " + Toolkit.Root;
}

} // namespace pipeline_rewrite
