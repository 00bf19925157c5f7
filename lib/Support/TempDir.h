#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pipeline_rewrite {

/// A folder of its own under the system's temporary folder, removed with all it
/// holds when the object goes out of scope. Files named through `file` are
/// removed on a fatal signal as well.
class TempDir {
public:
  /// \param Prefix how the folder's name starts, for a person who looks into
  /// /tmp.
  static llvm::Expected<TempDir> create(llvm::StringRef Prefix);

  TempDir(TempDir &&Other) noexcept;
  TempDir &operator=(TempDir &&Other) noexcept;
  TempDir(const TempDir &) = delete;
  TempDir &operator=(const TempDir &) = delete;
  ~TempDir();

  const std::string &path() const { return Path; }

  /// \returns the path of \p Name in this folder; the file itself is not made.
  std::string file(llvm::StringRef Name);

  /// Leaves the folder where it is, for a person to look at.
  void keep();

private:
  explicit TempDir(std::string Path) : Path(std::move(Path)) {}
  void remove();

  std::string Path; ///< Empty: nothing to remove.
  std::vector<std::string> Files;
  bool Kept = false;
};

} // namespace pipeline_rewrite
