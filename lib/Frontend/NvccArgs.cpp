#include "Frontend/NvccArgs.h"

#include "Frontend/NvccTable.h"
#include "Support/File.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

namespace pipeline_rewrite {

/// Option files may name option files; a cycle must end.
static constexpr unsigned MaxNesting = 16;

/// Splits a comma list. A comma inside brackets or quotes, or after a
/// backslash, is text.
static std::vector<std::string> splitList(llvm::StringRef Text) {
  std::vector<std::string> Parts(1);
  unsigned Depth = 0;
  char Quote = 0;
  for (size_t I = 0; I != Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && I + 1 != Text.size() && Text[I + 1] == ',') {
      Parts.back() += ',';
      ++I;
      continue;
    }
    if (C == ',' && !Depth && !Quote) {
      Parts.emplace_back();
      continue;
    }
    if (C == '"' || C == '\'')
      Quote = Quote == C ? 0 : Quote ? Quote : C;
    if (llvm::StringRef("([{<").contains(C))
      ++Depth;
    if (llvm::StringRef(")]}>").contains(C) && Depth)
      --Depth;
    Parts.back() += C;
  }
  llvm::erase_if(Parts, [](const std::string &Part) { return Part.empty(); });
  return Parts;
}

static std::vector<std::string> splitWords(llvm::StringRef Text) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return std::vector<std::string>(Words.begin(), Words.end());
}

static std::string absolutePath(llvm::StringRef Path,
                                llvm::StringRef Directory) {
  if (Directory.empty() || llvm::sys::path::is_absolute(Path))
    return Path.str();
  llvm::SmallString<256> Result(Directory);
  llvm::sys::path::append(Result, Path);
  return Result.str().str();
}

/// "compute_80", "lto_80", "sm_80", "80" -> "sm_80"; "native", "all" -> "".
static std::string normalizeArch(llvm::StringRef Name) {
  Name = Name.trim("'\" ");
  for (llvm::StringRef Prefix : {"sm_", "compute_", "lto_"})
    if (Name.consume_front(Prefix))
      break;
  bool IsNumber = !Name.empty() && llvm::isDigit(Name.front());
  return IsNumber ? ("sm_" + Name).str() : "";
}

/// Whether a `-f` flag changes what the source means. The others steer code
/// generation, and gcc's would be warned about one by one.
static bool changesLanguage(llvm::StringRef Flag) {
  Flag.consume_front("no-");
  return llvm::is_contained({"exceptions", "rtti", "char8_t", "signed-char",
                             "unsigned-char", "short-wchar", "ms-extensions",
                             "declspec", "coroutines", "aligned-allocation",
                             "sized-deallocation", "gpu-rdc", "gnu-keywords",
                             "operator-names", "concepts"},
                            Flag) ||
         Flag.starts_with("constexpr-") || Flag.starts_with("include-") ||
         Flag.starts_with("implicit-constexpr");
}

/// The kinds that nvcc's -Werror takes as its next argument.
static bool isErrorKind(llvm::StringRef Text) {
  return llvm::all_of(splitList(Text), [](llvm::StringRef Kind) {
    return llvm::is_contained(
        {"all-warnings", "cross-execution-space-call", "reorder",
         "default-stream-launch", "missing-launch-bounds",
         "ext-lambda-captures-this", "deprecated-declarations"},
        Kind);
  });
}

namespace {

/// One pass over a command line.
class Translator {
public:
  Translator(llvm::StringRef Directory, TranslatedArgs &Result)
      : Directory(Directory), Result(Result) {}

  /// \param ForHost the arguments come from -Xcompiler: what is unknown there
  /// is the host's affair.
  llvm::Error translate(llvm::ArrayRef<std::string> Arguments, bool ForHost,
                        unsigned Nesting);

private:
  /// \param Written the option as it stands in the command.
  llvm::Error apply(const MatchedArg &Match, llvm::StringRef Written,
                    bool ForHost, unsigned Nesting);
  llvm::Error translateHostFlags(llvm::StringRef List, unsigned Nesting);
  void addKept(const MatchedArg &Match);
  void addGenCode(llvm::StringRef Clauses);
  llvm::Error readOptionsFile(llvm::StringRef Name, bool ForHost,
                              unsigned Nesting);
  void keepForNvcc(ArgAction Action, llvm::ArrayRef<std::string> Written,
                   size_t FirstClangArg);
  void addList(const MatchedArg &Match, bool IsPath);
  void addWords(llvm::StringRef Clang);
  void addArchs(llvm::StringRef List);

  llvm::StringRef Directory;
  TranslatedArgs &Result;
};

} // namespace

void Translator::addWords(llvm::StringRef Clang) {
  llvm::SmallVector<llvm::StringRef> Words;
  Clang.split(Words, ' ', -1, /*KeepEmpty=*/false);
  Result.Clang.insert(Result.Clang.end(), Words.begin(), Words.end());
}

void Translator::addList(const MatchedArg &Match, bool IsPath) {
  for (std::string &Part : splitList(Match.Value)) {
    // A file to include may also be meant relative to the search path.
    bool Anchor =
        IsPath && (Match.Rule->Clang != "-include" ||
                   llvm::sys::fs::exists(absolutePath(Part, Directory)));
    std::string Text = Anchor ? absolutePath(Part, Directory) : Part;
    llvm::StringRef Flag = Match.Rule->Clang;
    if (Flag.size() == 2) {
      Result.Clang.push_back(Flag.str() + Text);
    } else {
      Result.Clang.push_back(Flag.str());
      Result.Clang.push_back(Text);
    }
  }
}

void Translator::addArchs(llvm::StringRef List) {
  for (const std::string &Name : splitList(List))
    if (std::string Arch = normalizeArch(Name); !Arch.empty())
      Result.Archs.push_back(Arch);
}

llvm::Error Translator::readOptionsFile(llvm::StringRef Name, bool ForHost,
                                        unsigned Nesting) {
  if (Nesting == MaxNesting)
    return llvm::createStringError("the option file '" + Name +
                                   "' includes itself");
  llvm::Expected<std::string> Text = readFile(absolutePath(Name, Directory));
  if (!Text)
    return Text.takeError();
  return translate(splitWords(*Text), ForHost, Nesting + 1);
}

void Translator::addKept(const MatchedArg &Match) {
  llvm::StringRef Flag = Match.Rule->Clang;
  // A blank at the end of the spelling asks for a value of its own.
  if (Flag.consume_back(" ")) {
    Result.Clang.push_back(Flag.str());
    Result.Clang.push_back(Match.Value);
  } else {
    Result.Clang.push_back(Flag.str() + Match.Value);
  }
}

void Translator::addGenCode(llvm::StringRef Clauses) {
  for (llvm::StringRef Clause : splitList(Clauses.trim("'\" ")))
    if (Clause = Clause.trim(); Clause.consume_front("arch="))
      addArchs(Clause);
}

llvm::Error Translator::translateHostFlags(llvm::StringRef List,
                                           unsigned Nesting) {
  std::vector<std::string> Flags;
  for (const std::string &Part : splitList(List))
    llvm::append_range(Flags, splitWords(Part));
  return translate(Flags, /*ForHost=*/true, Nesting);
}

llvm::Error Translator::apply(const MatchedArg &Match, llvm::StringRef Written,
                              bool ForHost, unsigned Nesting) {
  const ArgRule &Rule = *Match.Rule;
  switch (Rule.Action) {
  case ArgAction::Drop:
  case ArgAction::Output:
  case ArgAction::ErrorKind:
    break;
  case ArgAction::Keep:
    addKept(Match);
    break;
  case ArgAction::List:
  case ArgAction::Path:
    addList(Match, Rule.Action == ArgAction::Path);
    break;
  case ArgAction::Replace:
    addWords(Rule.Clang);
    break;
  case ArgAction::WhenTrue:
  case ArgAction::PerThread:
    if (Match.Value ==
        (Rule.Action == ArgAction::WhenTrue ? "true" : "per-thread"))
      addWords(Rule.Clang);
    break;
  case ArgAction::Feature:
    if (changesLanguage(Match.Value))
      Result.Clang.push_back(Written.str());
    break;
  case ArgAction::Warning:
    if (llvm::StringRef(Match.Value).starts_with("no-"))
      Result.Clang.push_back(Written.str());
    break;
  case ArgAction::Arch:
    addArchs(Match.Value);
    break;
  case ArgAction::GenCode:
    addGenCode(Match.Value);
    break;
  case ArgAction::HostFlags:
    return translateHostFlags(Match.Value, Nesting);
  case ArgAction::OptionsFile:
    for (const std::string &Name : splitList(Match.Value))
      if (llvm::Error E = readOptionsFile(Name, ForHost, Nesting))
        return E;
    break;
  case ArgAction::CudaPath:
    Result.CudaPath = absolutePath(Match.Value, Directory);
    break;
  case ArgAction::NoToolkit:
    Result.WithoutToolkit = true;
    break;
  }
  return llvm::Error::success();
}

/// \param FirstClangArg where the translation of the same option begins in
/// Result.Clang.
void Translator::keepForNvcc(ArgAction Action,
                             llvm::ArrayRef<std::string> Written,
                             size_t FirstClangArg) {
  // The content of an option file has been kept option by option.
  if (Action == ArgAction::Output || Action == ArgAction::OptionsFile)
    return;
  // nvcc may run in another folder than the command did; these spellings it
  // shares with Clang.
  if (Action == ArgAction::Path)
    Written = llvm::ArrayRef(Result.Clang).drop_front(FirstClangArg);
  Result.Nvcc.insert(Result.Nvcc.end(), Written.begin(), Written.end());
}

llvm::Error Translator::translate(llvm::ArrayRef<std::string> Arguments,
                                  bool ForHost, unsigned Nesting) {
  while (!Arguments.empty()) {
    llvm::StringRef Head = Arguments.front();
    // What is no option is an input: the caller knows which file it parses.
    if (!Head.starts_with("-") || Head == "-") {
      if (Head.consume_front("@"))
        if (llvm::Error E = readOptionsFile(Head, ForHost, Nesting))
          return E;
      Arguments = Arguments.drop_front();
      continue;
    }
    std::optional<MatchedArg> Match = matchArg(Arguments);
    if (!Match) {
      if (!ForHost)
        Result.Unknown.push_back(Head.str());
      Arguments = Arguments.drop_front();
      continue;
    }
    unsigned Consumed = Match->Consumed;
    if (Match->Rule->Action == ArgAction::ErrorKind && Arguments.size() > 1 &&
        isErrorKind(Arguments[1]))
      Consumed = 2;
    size_t ClangArgs = Result.Clang.size();
    if (llvm::Error E = apply(*Match, Head, ForHost, Nesting))
      return E;
    if (!ForHost)
      keepForNvcc(Match->Rule->Action, Arguments.take_front(Consumed),
                  ClangArgs);
    Arguments = Arguments.drop_front(Consumed);
  }
  return llvm::Error::success();
}

/// Drops the commands around the one that compiles: the last that has a `-c` or
/// names a CUDA file.
static llvm::ArrayRef<std::string>
compilingCommand(llvm::ArrayRef<std::string> Arguments) {
  llvm::ArrayRef<std::string> Best, Rest = Arguments;
  while (!Rest.empty()) {
    auto *End = llvm::find(Rest, "&&");
    llvm::ArrayRef<std::string> Command(Rest.begin(), End);
    bool Compiles = llvm::any_of(Command, [](llvm::StringRef A) {
      return A == "-c" || A == "-dc" || A.ends_with(".cu");
    });
    if (Compiles || Best.empty())
      Best = Command;
    Rest = Rest.drop_front(std::min(Rest.size(), Command.size() + 1));
  }
  return Best;
}

/// Drops launchers (`ccache`, `env A=B`) and the compiler itself.
static llvm::ArrayRef<std::string>
withoutCompiler(llvm::ArrayRef<std::string> Arguments) {
  auto IsLauncher = [](llvm::StringRef Word) {
    llvm::StringRef Name = llvm::sys::path::filename(Word);
    bool Assigns = !Word.starts_with("-") && Word.contains('=');
    return Assigns ||
           llvm::is_contained({"ccache", "sccache", "distcc", "icecc", "gomacc",
                               "buildcache", "env", "time", "nice"},
                              Name);
  };
  if (Arguments.empty() || llvm::StringRef(Arguments.front()).starts_with("-"))
    return Arguments;
  while (!Arguments.empty() && IsLauncher(Arguments.front()))
    Arguments = Arguments.drop_front();
  return Arguments.empty() ? Arguments : Arguments.drop_front();
}

llvm::Expected<TranslatedArgs>
translateArgs(llvm::ArrayRef<std::string> Arguments,
              llvm::StringRef Directory) {
  TranslatedArgs Result;
  Translator T(Directory, Result);
  if (llvm::Error E = T.translate(withoutCompiler(compilingCommand(Arguments)),
                                  /*ForHost=*/false, /*Nesting=*/0))
    return E;
  return Result;
}

std::string newestArch(llvm::ArrayRef<std::string> Archs) {
  // "sm_90a" carries features that no other number has, "sm_90f" those of a
  // family.
  auto Rank = [](llvm::StringRef Arch) {
    unsigned Number = 0;
    Arch.consume_front("sm_");
    Arch.consumeInteger(10, Number);
    return std::pair(Number, Arch == "a" ? 2 : Arch == "f" ? 1 : 0);
  };
  std::string Best;
  for (const std::string &Arch : Archs)
    if (Best.empty() || Rank(Best) < Rank(Arch))
      Best = Arch;
  return Best;
}

} // namespace pipeline_rewrite
