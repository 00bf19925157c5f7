#include "Frontend/CompileCommands.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
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

/// \p Path as the database would write it.
static llvm::Expected<std::string> absolute(llvm::StringRef Path) {
  llvm::SmallString<256> Absolute(Path);
  if (std::error_code EC = fs::make_absolute(Absolute))
    return llvm::errorCodeToError(EC);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return Absolute.str().str();
}

CompileDatabase::CompileDatabase(
    std::string Path,
    std::unique_ptr<clang::tooling::CompilationDatabase> Commands)
    : Path(std::move(Path)), Commands(std::move(Commands)) {}
CompileDatabase::CompileDatabase(CompileDatabase &&) = default;
CompileDatabase::~CompileDatabase() = default;

llvm::Expected<CompileDatabase> CompileDatabase::load(llvm::StringRef Place) {
  llvm::SmallString<256> File(Place);
  if (fs::is_directory(Place))
    path::append(File, DatabaseName);
  std::string Message;
  auto Commands = clang::tooling::JSONCompilationDatabase::loadFromFile(
      File, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Commands)
    return llvm::createStringError(
        std::make_error_code(std::errc::invalid_argument),
        "cannot read the compile commands in '" + File + "': " + Message);
  return CompileDatabase(File.str().str(), std::move(Commands));
}

llvm::Expected<CompileCommandEntry>
CompileDatabase::find(llvm::StringRef Source) const {
  llvm::Expected<std::string> Absolute = absolute(Source);
  if (!Absolute)
    return Absolute.takeError();
  CompileCommandEntry Entry;
  Entry.Database = Path;
  std::vector<clang::tooling::CompileCommand> Found =
      Commands->getCompileCommands(*Absolute);
  if (Found.empty()) {
    Entry.Note = ("'" + Source + "' is not in '" + Path +
                  "'; it is parsed with default options")
                     .str();
    return Entry;
  }
  Entry.Found = true;
  Entry.Arguments = std::move(Found.front().CommandLine);
  Entry.Directory = std::move(Found.front().Directory);
  return Entry;
}

std::vector<std::string> CompileDatabase::cudaFiles() const {
  std::vector<std::string> Files;
  llvm::StringSet<> Seen;
  for (const clang::tooling::CompileCommand &Command :
       Commands->getAllCompileCommands()) {
    if (path::extension(Command.Filename) != ".cu")
      continue;
    llvm::SmallString<256> File(Command.Filename);
    fs::make_absolute(Command.Directory, File);
    path::remove_dots(File, /*remove_dot_dot=*/true);
    if (Seen.insert(File).second)
      Files.push_back(File.str().str());
  }
  return Files;
}

llvm::Expected<CompileCommandEntry>
findCompileCommand(llvm::StringRef Path, llvm::StringRef BuildDir) {
  std::string Place = BuildDir.str();
  if (Place.empty()) {
    llvm::Expected<std::string> Absolute = absolute(Path);
    if (!Absolute)
      return Absolute.takeError();
    Place = searchAbove(*Absolute);
    if (Place.empty())
      return CompileCommandEntry();
  }
  llvm::Expected<CompileDatabase> Database = CompileDatabase::load(Place);
  if (!Database)
    return Database.takeError();
  return Database->find(Path);
}

} // namespace pipeline_rewrite
