#include "Support/File.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

namespace fs = llvm::sys::fs;

namespace pipeline_rewrite {

/// "cannot <verb> '<path>': <reason>", with the reason's code kept for the
/// caller.
static llvm::Error fileError(llvm::StringRef Verb, llvm::StringRef Path,
                             std::error_code EC) {
  return llvm::createStringError(EC, "cannot " + Verb + " '" + Path +
                                         "': " + EC.message());
}

llvm::Expected<std::string> readFile(llvm::StringRef Path) {
  if (fs::is_directory(Path))
    return fileError("read", Path,
                     std::make_error_code(std::errc::is_a_directory));
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return fileError("read", Path, Buffer.getError());
  return (*Buffer)->getBuffer().str();
}

/// The mode bits that the new file must have, or why the target must not be
/// replaced.
static llvm::Expected<fs::perms>
targetPermissions(llvm::StringRef Path,
                  std::optional<llvm::StringRef> Expected) {
  if (!fs::exists(Path))
    return static_cast<fs::perms>((fs::all_read | fs::all_write) &
                                  ~fs::getUmask());
  if (fs::is_directory(Path))
    return fileError("write", Path,
                     std::make_error_code(std::errc::is_a_directory));
  llvm::ErrorOr<fs::perms> Mode = fs::getPermissions(Path);
  if (!Mode)
    return fileError("write", Path, Mode.getError());
  if (!(*Mode & fs::all_write) || fs::access(Path, fs::AccessMode::Write))
    return fileError("write", Path,
                     std::make_error_code(std::errc::permission_denied));
  if (Expected) {
    llvm::Expected<std::string> Now = readFile(Path);
    if (!Now)
      return Now.takeError();
    if (*Now != *Expected)
      return llvm::createStringError(
          std::make_error_code(std::errc::resource_unavailable_try_again),
          "cannot write '" + Path + "': it has changed since it was read");
  }
  return *Mode;
}

/// Fills the temporary file, and removes it again where that fails.
static std::error_code fillTemporary(int Descriptor, llvm::StringRef Temporary,
                                     llvm::StringRef Text, fs::perms Mode) {
  llvm::raw_fd_ostream Out(Descriptor, /*shouldClose=*/true);
  Out << Text;
  Out.close();
  std::error_code EC = Out.error();
  Out.clear_error();
  if (!EC)
    EC = fs::setPermissions(Temporary, Mode);
  return EC;
}

llvm::Error writeFileAtomically(llvm::StringRef Path, llvm::StringRef Text,
                                std::optional<llvm::StringRef> Expected) {
  llvm::SmallString<256> Target;
  if (fs::real_path(Path, Target))
    Target = Path;
  llvm::Expected<fs::perms> Mode = targetPermissions(Target, Expected);
  if (!Mode)
    return Mode.takeError();

  llvm::SmallString<256> Temporary;
  int Descriptor;
  if (std::error_code EC =
          fs::createUniqueFile(Target + ".%%%%%%%%.tmp", Descriptor, Temporary))
    return fileError("write beside", Path, EC);
  llvm::sys::RemoveFileOnSignal(Temporary);
  std::error_code EC = fillTemporary(Descriptor, Temporary, Text, *Mode);
  if (!EC)
    EC = fs::rename(Temporary, Target);
  if (EC)
    fs::remove(Temporary);
  llvm::sys::DontRemoveFileOnSignal(Temporary);
  return EC ? fileError("write", Path, EC) : llvm::Error::success();
}

} // namespace pipeline_rewrite
