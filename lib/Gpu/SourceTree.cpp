#include "Gpu/SourceTree.h"

#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <set>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

std::string absolute(StringRef Path) {
  SmallString<256> Whole(Path);
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, /*remove_dot_dot=*/true);
  return std::string(Whole);
}

bool isBelow(StringRef Path, StringRef Folder) {
  return Path == Folder || (Path.starts_with(Folder) &&
                            (Folder.ends_with("/") ||
                             Path.drop_front(Folder.size()).starts_with("/")));
}

/// A toolkit is known by the header that every one has.
bool isToolkit(StringRef Folder) {
  return sys::fs::exists(Folder + "/cuda_runtime_api.h");
}

bool isSystem(StringRef Path) {
  for (StringRef Folder : {"/usr/include", "/usr/lib", "/usr/local/include"})
    if (isBelow(Path, Folder))
      return true;
  return false;
}

/// An argument that names a search path or a file to include first.
struct PathArgument {
  StringRef Flag; ///< "-I", "-isystem", "-include" ...
  std::string Path;
  size_t First = 0, Count = 1; ///< Its words.
};

std::vector<PathArgument> pathArguments(ArrayRef<std::string> Arguments) {
  static const StringRef Flags[] = {"-I",         "-isystem", "-iquote",
                                    "-idirafter", "-include", "--include-path",
                                    "--pre-include"};
  std::vector<PathArgument> Found;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef Word = Arguments[I];
    for (StringRef Flag : Flags) {
      if (Word == Flag && I + 1 < Arguments.size())
        Found.push_back({Flag, absolute(Arguments[I + 1]), I, 2});
      else if (Word.starts_with(Flag.str() + "="))
        Found.push_back(
            {Flag, absolute(Word.drop_front(Flag.size() + 1)), I, 1});
      else if (Flag == "-I" && Word.size() > 2 && Word.starts_with(Flag))
        Found.push_back({Flag, absolute(Word.drop_front(2)), I, 1});
      else
        continue;
      I += Found.back().Count - 1;
      break;
    }
  }
  return Found;
}

bool isFile(const PathArgument &Argument) {
  return Argument.Flag.ends_with("include");
}

class Collector {
public:
  explicit Collector(ArrayRef<std::string> Arguments)
      : Paths(pathArguments(Arguments)) {}

  Error add(const std::string &Path) {
    if (!Seen.insert(Path).second)
      return Error::success();
    Expected<std::string> Text = readFile(Path);
    if (!Text)
      return Text.takeError();
    Files.push_back(Path);
    static const Regex Directive(
        "^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]");
    SmallVector<StringRef, 0> Lines;
    StringRef(*Text).split(Lines, '\n');
    for (StringRef Line : Lines) {
      SmallVector<StringRef, 3> Parts;
      if (!Line.contains("include") || !Directive.match(Line, &Parts))
        continue;
      if (std::string Header = find(Parts[2], Parts[1] == "\"", Path);
          !Header.empty())
        if (Error E = add(Header))
          return E;
    }
    return Error::success();
  }

  std::vector<PathArgument> Paths;
  std::vector<std::string> Files;
  std::set<std::string> UsedFolders;

private:
  std::string find(StringRef Name, bool Quoted, StringRef From) {
    if (sys::path::is_absolute(Name))
      return "";
    auto In = [&](StringRef Folder) -> std::string {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Name);
      sys::path::remove_dots(Path, true);
      return sys::fs::is_regular_file(Path) ? std::string(Path) : "";
    };
    if (Quoted)
      if (std::string Path = In(sys::path::parent_path(From)); !Path.empty())
        return Path;
    for (const PathArgument &Argument : Paths) {
      if (isFile(Argument) || isSystem(Argument.Path) ||
          isToolkit(Argument.Path))
        continue;
      if (std::string Path = In(Argument.Path); !Path.empty()) {
        UsedFolders.insert(Argument.Path);
        return Path;
      }
    }
    return "";
  }

  std::set<std::string> Seen;
};

std::string commonFolder(const std::vector<std::string> &Folders) {
  StringRef Common = Folders.front();
  for (const std::string &Folder : Folders)
    while (!isBelow(Folder, Common))
      Common = sys::path::parent_path(Common);
  return Common.str();
}

} // namespace

std::string SourceTree::placeOf(StringRef File) const {
  StringRef Rest = StringRef(File).drop_front(Root.size());
  Rest.consume_front("/");
  return Rest.empty() ? "tree" : ("tree/" + Rest).str();
}

Expected<SourceTree> collectSources(ArrayRef<std::string> Roots,
                                    ArrayRef<std::string> Arguments) {
  Collector C(Arguments);
  for (const std::string &File : Roots)
    if (Error E = C.add(absolute(File)))
      return E;
  for (const PathArgument &Argument : C.Paths)
    if (isFile(Argument) && !isSystem(Argument.Path))
      if (Error E = C.add(Argument.Path))
        return E;
  SourceTree Tree;
  Tree.Files = C.Files;
  std::vector<std::string> Folders(C.UsedFolders.begin(), C.UsedFolders.end());
  for (const std::string &File : Tree.Files)
    Folders.push_back(sys::path::parent_path(File).str());
  Tree.Root = commonFolder(Folders);
  for (size_t I = 0; I < Arguments.size(); ++I) {
    auto Path = find_if(C.Paths, [&](const auto &P) { return P.First == I; });
    if (Path == C.Paths.end()) {
      Tree.Arguments.push_back(Arguments[I]);
      continue;
    }
    I += Path->Count - 1;
    std::string Place = isBelow(Path->Path, Tree.Root)
                            ? Tree.placeOf(Path->Path)
                            : Path->Path;
    if (StringRef(Path->Flag).starts_with("--"))
      Tree.Arguments.push_back(Path->Flag.str() + "=" + Place);
    else
      Tree.Arguments.insert(Tree.Arguments.end(), {Path->Flag.str(), Place});
  }
  return Tree;
}

} // namespace pipeline_rewrite
