#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace clang::tooling {
class CompilationDatabase;
}

namespace pipeline_rewrite {

/// How a file is compiled, as a compile_commands.json says it.
struct CompileCommandEntry {
  bool Found = false; ///< False: no database, or no entry for the file.
  std::vector<std::string> Arguments; ///< The whole command, untranslated.
  std::string Directory;              ///< Where it runs.
  std::string Database; ///< The file that was read; empty where there is none.
  /// A sentence for the user where there is a database without an entry for the
  /// file, else empty.
  std::string Note;
};

/// A compile_commands.json that was read once for many files. Its calls may run
/// at the same time.
class CompileDatabase {
public:
  /// \param Place the folder that holds it, or the file itself.
  /// \returns an error (std::errc::invalid_argument) where that is no database.
  static llvm::Expected<CompileDatabase> load(llvm::StringRef Place);

  CompileDatabase(CompileDatabase &&);
  ~CompileDatabase();

  /// The command for \p Path. One without an entry is no error.
  llvm::Expected<CompileCommandEntry> find(llvm::StringRef Path) const;

  /// The CUDA sources in it (`*.cu`), absolute, each once, in its order.
  std::vector<std::string> cudaFiles() const;

private:
  CompileDatabase(std::string Path,
                  std::unique_ptr<clang::tooling::CompilationDatabase> Commands);

  std::string Path;
  std::unique_ptr<clang::tooling::CompilationDatabase> Commands;
};

/// Looks up the command for \p Path.
/// \param BuildDir the folder (or file) given by `-p`. Empty: the folders above
/// \p Path are searched for a compile_commands.json, and finding none is no
/// error.
/// \returns an error where \p BuildDir holds no readable database.
llvm::Expected<CompileCommandEntry>
findCompileCommand(llvm::StringRef Path, llvm::StringRef BuildDir);

} // namespace pipeline_rewrite
