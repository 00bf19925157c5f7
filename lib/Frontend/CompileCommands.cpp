#include "Frontend/CompileCommands.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace pipeline_rewrite {

static constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

/// The nearest database in the folders above the file, or the empty string.
static std::string searchAbove(llvm::StringRef AbsolutePath) {
  for (llvm::StringRef Dir = path::parent_path(AbsolutePath); !Dir.empty();
       Dir = path::parent_path(Dir)) {
    llvm::SmallString<256> Candidate(Dir);
    path::append(Candidate, DatabaseName);
    if (fs::exists(Candidate))
      return Candidate.str().str();
  }
  return "";
}

llvm::Expected<CompileCommandEntry>
findCompileCommand(llvm::StringRef Path, llvm::StringRef BuildDir) {
  llvm::SmallString<256> Absolute(Path), Database(BuildDir);
  if (std::error_code EC = fs::make_absolute(Absolute))
    return llvm::errorCodeToError(EC);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  if (BuildDir.empty())
    Database = searchAbove(Absolute);
  else if (fs::is_directory(BuildDir))
    path::append(Database, DatabaseName);

  CompileCommandEntry Entry;
  if (Database.empty())
    return Entry;
  std::string Message;
  auto Commands = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Database, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Commands)
    return llvm::createStringError(
        std::make_error_code(std::errc::invalid_argument),
        "cannot read the compile commands in '" + Database + "': " + Message);
  Entry.Database = Database.str().str();
  std::vector<clang::tooling::CompileCommand> Found =
      Commands->getCompileCommands(Absolute);
  if (Found.empty()) {
    Entry.Note = ("'" + Path + "' is not in '" + Database +
                  "'; it is parsed with default options")
                     .str();
    return Entry;
  }
  Entry.Found = true;
  Entry.Arguments = std::move(Found.front().CommandLine);
  Entry.Directory = std::move(Found.front().Directory);
  return Entry;
}

} // namespace pipeline_rewrite
