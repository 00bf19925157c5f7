#include "Support/TempDir.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

namespace pipeline_rewrite {

llvm::Expected<TempDir> TempDir::create(llvm::StringRef Prefix) {
  llvm::SmallString<128> Path;
  if (std::error_code EC = llvm::sys::fs::createUniqueDirectory(Prefix, Path))
    return llvm::createStringError(EC, "cannot make a temporary folder: " +
                                           EC.message());
  return TempDir(Path.str().str());
}

TempDir::TempDir(TempDir &&Other) noexcept
    : Path(std::move(Other.Path)), Files(std::move(Other.Files)),
      Kept(Other.Kept) {
  Other.Path.clear();
}

TempDir &TempDir::operator=(TempDir &&Other) noexcept {
  if (this == &Other)
    return *this;
  remove();
  Path = std::move(Other.Path);
  Files = std::move(Other.Files);
  Kept = Other.Kept;
  Other.Path.clear();
  return *this;
}

TempDir::~TempDir() { remove(); }

std::string TempDir::file(llvm::StringRef Name) {
  llvm::SmallString<128> File(Path);
  llvm::sys::path::append(File, Name);
  if (!Kept) {
    llvm::sys::RemoveFileOnSignal(File);
    Files.push_back(File.str().str());
  }
  return File.str().str();
}

void TempDir::keep() {
  Kept = true;
  for (const std::string &File : Files)
    llvm::sys::DontRemoveFileOnSignal(File);
  Files.clear();
}

void TempDir::remove() {
  if (Path.empty() || Kept)
    return;
  for (const std::string &File : Files)
    llvm::sys::DontRemoveFileOnSignal(File);
  llvm::sys::fs::remove_directories(Path);
}

} // namespace pipeline_rewrite
