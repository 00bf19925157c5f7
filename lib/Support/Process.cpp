#include "Support/Process.h"

#include "Support/File.h"
#include "Support/TempDir.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <unistd.h>

namespace pipeline_rewrite {

std::string ProcessResult::describe() const {
  if (TimedOut)
    return "ran longer than its limit";
  if (!Signal.empty())
    return Signal;
  return "exit code " + std::to_string(ExitCode);
}

static llvm::Expected<std::string> findProgram(llvm::StringRef Name) {
  if (Name.contains('/'))
    return Name.str();
  llvm::ErrorOr<std::string> Path = llvm::sys::findProgramByName(Name);
  if (!Path)
    return llvm::createStringError(
        Path.getError(), "cannot find the program '" + Name + "' on PATH");
  return *Path;
}

/// This program's environment with the given settings over it.
static std::vector<std::string>
environmentWith(llvm::ArrayRef<std::string> Extra) {
  std::vector<std::string> Result(Extra.begin(), Extra.end());
  for (char **Entry = environ; *Entry; ++Entry) {
    llvm::StringRef Name = llvm::StringRef(*Entry).split('=').first;
    bool Replaced = llvm::any_of(Extra, [&](const std::string &E) {
      return llvm::StringRef(E).split('=').first == Name;
    });
    if (!Replaced)
      Result.emplace_back(*Entry);
  }
  return Result;
}

static llvm::SmallVector<llvm::StringRef, 32>
asRefs(llvm::ArrayRef<std::string> Strings) {
  return llvm::SmallVector<llvm::StringRef, 32>(Strings.begin(), Strings.end());
}

/// LLVM reports both a limit and a signal as -2 and tells them apart in words
/// only.
static void readEnd(int Code, llvm::StringRef Message, ProcessResult &Result) {
  if (Code >= 0) {
    Result.ExitCode = Code;
    return;
  }
  Result.TimedOut = Message.contains("timed out");
  if (!Result.TimedOut)
    Result.Signal = Message.empty() ? "was killed" : Message.str();
}

llvm::Expected<ProcessResult> runProcess(llvm::ArrayRef<std::string> Argv,
                                         const ProcessOptions &Options) {
  llvm::Expected<std::string> Program = findProgram(Argv.front());
  if (!Program)
    return Program.takeError();
  llvm::Expected<TempDir> Scratch = TempDir::create("pipeline-rewrite-run");
  if (!Scratch)
    return Scratch.takeError();
  std::string OutFile = Scratch->file("stdout"),
              ErrFile = Scratch->file("stderr");
  std::optional<llvm::StringRef> Redirects[] = {
      llvm::StringRef(), llvm::StringRef(OutFile), llvm::StringRef(ErrFile)};

  std::vector<std::string> Environment =
      environmentWith(Options.ExtraEnvironment);
  auto Start = std::chrono::steady_clock::now();
  std::string Message;
  bool Failed = false;
  int Code = llvm::sys::ExecuteAndWait(
      *Program, asRefs(Argv),
      std::optional<llvm::ArrayRef<llvm::StringRef>>(asRefs(Environment)),
      Redirects, Options.TimeoutSeconds, Options.MemoryLimitMB, &Message,
      &Failed);
  if (Failed || Code == -1)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "cannot run '" + *Program + "': " + Message);

  ProcessResult Result;
  readEnd(Code, Message, Result);
  Result.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  for (auto [Name, Text] :
       {std::pair(&OutFile, &Result.Out), std::pair(&ErrFile, &Result.Err)}) {
    llvm::Expected<std::string> Read = readFile(*Name);
    if (!Read)
      return Read.takeError();
    *Text = std::move(*Read);
  }
  return Result;
}

std::string quoteCommand(llvm::ArrayRef<std::string> Argv) {
  auto IsPlain = [](char C) {
    return llvm::isAlnum(C) || llvm::StringRef("-_=+./,:@%").contains(C);
  };
  std::string Line;
  for (const std::string &Argument : Argv) {
    if (!Line.empty())
      Line += ' ';
    if (!Argument.empty() && llvm::all_of(Argument, IsPlain)) {
      Line += Argument;
      continue;
    }
    Line += '\'';
    for (char C : Argument)
      Line += C == '\'' ? std::string("'\\''") : std::string(1, C);
    Line += '\'';
  }
  return Line;
}

} // namespace pipeline_rewrite
