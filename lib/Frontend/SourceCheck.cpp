#include "Frontend/SourceCheck.h"

#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

namespace pipeline_rewrite {

/// Generated sources of some megabytes exist; beyond this it is data.
static constexpr uint64_t MaxSourceBytes = 64ull << 20;

/// Text may hold a stray control character. One in this many bytes is more than
/// stray.
static constexpr size_t TextBytesPerControl = 100;

static bool isControl(char C) {
  return static_cast<unsigned char>(C) < 0x20 &&
         !llvm::StringRef("\t\n\v\f\r\x1b\x1a").contains(C);
}

static llvm::Error unusable(llvm::StringRef Path, const llvm::Twine &Why,
                            std::errc Code) {
  return llvm::createStringError(std::make_error_code(Code),
                                 "cannot parse '" + Path + "': " + Why);
}

llvm::Error checkSourceFile(llvm::StringRef Path) {
  llvm::sys::fs::file_status Status;
  if (std::error_code EC = llvm::sys::fs::status(Path, Status))
    return unusable(Path, EC.message(), static_cast<std::errc>(EC.value()));
  if (llvm::sys::fs::is_directory(Status))
    return unusable(Path, "it is a folder", std::errc::is_a_directory);
  if (!llvm::sys::fs::is_regular_file(Status))
    return unusable(Path, "it is not a file", std::errc::not_supported);
  if (Status.getSize() == 0)
    return unusable(Path, "it is empty", std::errc::no_message);
  if (Status.getSize() > MaxSourceBytes)
    return unusable(Path,
                    "it has " + llvm::Twine(Status.getSize()) +
                        " bytes, and the limit is " +
                        llvm::Twine(MaxSourceBytes),
                    std::errc::file_too_large);

  llvm::Expected<std::string> Text = readFile(Path);
  if (!Text)
    return Text.takeError();
  if (size_t Zero = Text->find('\0'); Zero != std::string::npos)
    return unusable(
        Path, "it is no text (a zero byte at offset " + llvm::Twine(Zero) + ")",
        std::errc::illegal_byte_sequence);
  size_t Controls = llvm::count_if(*Text, isControl);
  if (Controls > Text->size() / TextBytesPerControl)
    return unusable(Path,
                    "it is no text (" + llvm::Twine(Controls) +
                        " control characters)",
                    std::errc::illegal_byte_sequence);
  return llvm::Error::success();
}

} // namespace pipeline_rewrite
