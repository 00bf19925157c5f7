#include "Frontend/ResourceDir.h"

#include "Support/Process.h"

#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

namespace path = llvm::sys::path;

namespace pipeline_rewrite {

/// The first of the needed files that \p Dir lacks, or the empty string.
static std::string missingFile(llvm::StringRef Dir) {
  for (llvm::StringRef Name : {"include/__clang_cuda_runtime_wrapper.h",
                               "include/cuda_wrappers/algorithm"}) {
    llvm::SmallString<256> File(Dir);
    path::append(File, Name);
    if (!llvm::sys::fs::exists(File))
      return File.str().str();
  }
  return "";
}

/// What the installed compiler itself says; empty where it cannot be asked.
static std::string askClang() {
  std::string Name = "clang-" CLANG_VERSION_MAJOR_STRING;
  auto Result = runProcess({Name, "-print-resource-dir"});
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return "";
  }
  return llvm::StringRef(Result->Out).trim().str();
}

llvm::Expected<std::string> findResourceDir(llvm::StringRef Given,
                                            llvm::StringRef Executable) {
  std::string Tried;
  auto Accept = [&Tried](llvm::StringRef Dir) {
    std::string Missing = missingFile(Dir);
    if (!Missing.empty())
      Tried += "\n  " + Dir.str() + " (no file " + Missing + ")";
    return Missing.empty();
  };
  auto Failure = [&Tried] {
    return llvm::createStringError(
        std::make_error_code(std::errc::invalid_argument),
        "cannot find Clang's own headers; looked in:" + Tried +
            "\nthey are in the package "
            "libclang-common-" CLANG_VERSION_MAJOR_STRING "-dev");
  };

  if (!Given.empty()) {
    if (Accept(Given))
      return Given.str();
    return Failure();
  }
  llvm::SmallVector<std::string> Places;
  if (auto Path = llvm::sys::Process::GetEnv("PIPELINE_REWRITE_RESOURCE_DIR"))
    Places.push_back(*Path);
  Places.push_back(PR_CLANG_LIBRARY_DIR "/" CLANG_VERSION_MAJOR_STRING);
  llvm::SmallString<256> Beside(
      path::parent_path(path::parent_path(Executable)));
  path::append(Beside, "lib", "clang", CLANG_VERSION_MAJOR_STRING);
  Places.push_back(Beside.str().str());
  for (const std::string &Place : Places)
    if (Accept(Place))
      return Place;
  std::string Asked = askClang();
  if (!Asked.empty() && Accept(Asked))
    return Asked;
  return Failure();
}

} // namespace pipeline_rewrite
