#include "Budget/CompilerReport.h"

#include "Support/File.h"
#include "Support/Process.h"
#include "Support/TempDir.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace path = llvm::sys::path;

namespace pipeline_rewrite {
namespace {

// The number before \p Unit: "Used 125 registers, ..." has 125 "registers".
uint64_t figureBefore(llvm::StringRef Line, llvm::StringRef Unit) {
  size_t End = Line.find(Unit);
  if (End == llvm::StringRef::npos)
    return 0;
  llvm::StringRef Left = Line.take_front(End).rtrim();
  uint64_t Value = 0;
  Left.substr(Left.find_last_not_of("0123456789") + 1).getAsInteger(10, Value);
  return Value;
}

struct Flag {
  llvm::StringLiteral Name;
  bool TakesValue; // In the next argument, where it is not joined by '='.
};

// Of the user's nvcc options those that change the code of a kernel.
constexpr Flag CodeFlags[] = {
    {"-maxrregcount", true},     {"--maxrregcount", true},
    {"-Xptxas", true},           {"--ptxas-options", true},
    {"-use_fast_math", false},   {"--use_fast_math", false},
    {"-ftz", true},              {"--ftz", true},
    {"-prec-div", true},         {"--prec-div", true},
    {"-prec-sqrt", true},        {"--prec-sqrt", true},
    {"-fmad", true},             {"--fmad", true},
    {"-G", false},               {"--device-debug", false},
    {"-rdc", true},              {"--relocatable-device-code", true},
    {"-extra-device-vectorization", false},
    {"--extra-device-vectorization", false},
    {"-expt-relaxed-constexpr", false},
    {"--expt-relaxed-constexpr", false},
    {"-extended-lambda", false}, {"--extended-lambda", false},
    {"-expt-extended-lambda", false},
    {"--expt-extended-lambda", false},
    {"-default-stream", true},   {"--default-stream", true},
    {"-ccbin", true},            {"--compiler-bindir", true}};

// Of the language options those that nvcc takes as they are.
bool isForBoth(llvm::StringRef Argument) {
  return Argument.starts_with("-D") || Argument.starts_with("-U") ||
         Argument.starts_with("-I") || Argument.starts_with("-std=");
}

bool takesValue(llvm::StringRef Argument) {
  return Argument == "-isystem" || Argument == "-include" ||
         Argument == "-D" || Argument == "-U" || Argument == "-I";
}

std::string firstError(const ProcessResult &Result) {
  llvm::SmallVector<llvm::StringRef> Lines;
  llvm::StringRef(Result.Err).split(Lines, '\n');
  for (llvm::StringRef Line : Lines)
    if (Line.contains("error") || Line.contains("fatal"))
      return Line.str();
  return Result.describe();
}

// Puts the source, and headers that were changed, into \p Folder.
llvm::Expected<std::string> writeSources(const CompilerRequest &Request,
                                         const TempDir &Folder) {
  auto Write = [&](llvm::StringRef Name,
                   llvm::StringRef Text) -> llvm::Expected<std::string> {
    llvm::SmallString<256> File(Folder.path());
    path::append(File, Name);
    if (std::error_code EC =
            llvm::sys::fs::create_directories(path::parent_path(File)))
      return llvm::errorCodeToError(EC);
    if (llvm::Error Failed = writeFileAtomically(File, Text))
      return Failed;
    return File.str().str();
  };
  for (const auto &[Name, Text] : Request.Headers)
    if (auto Written = Write(Name, Text); !Written)
      return Written.takeError();
  return Write((path::stem(Request.Path) + ".cu").str(), Request.Text);
}

} // namespace

CompilerReport parseCompilerReport(llvm::StringRef Output) {
  CompilerReport Report;
  KernelReport *Current = nullptr;
  llvm::SmallVector<llvm::StringRef> Lines;
  Output.split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    llvm::StringRef Rest = Line;
    if (size_t At = Line.find("Compiling entry function '");
        At != llvm::StringRef::npos) {
      Rest = Line.drop_front(Line.find('\'') + 1);
      Current = &Report[Rest.take_until([](char C) { return C == '\''; }).str()];
    } else if (size_t At = Line.find("Function properties for ");
               At != llvm::StringRef::npos) {
      Rest = Line.drop_front(At + sizeof("Function properties for ") - 1);
      auto Known = Report.find(Rest.trim().trim('\'').str());
      Current = Known == Report.end() ? nullptr : &Known->second;
    } else if (Current && Line.contains("bytes spill stores")) {
      Current->SpillBytes = figureBefore(Line, "bytes spill stores") +
                            figureBefore(Line, "bytes spill loads");
    } else if (Current && Line.contains("Used ")) {
      Current->Registers = figureBefore(Line, "registers");
      Current->Barriers = figureBefore(Line, "barriers");
      Current->SharedBytes = figureBefore(Line, "bytes smem");
    }
  }
  // A name without its figures is no report.
  for (auto At = Report.begin(); At != Report.end();)
    At = At->second.Registers ? std::next(At) : Report.erase(At);
  return Report;
}

std::vector<std::string> codeOptions(const std::vector<std::string> &Language,
                                     const std::vector<std::string> &Nvcc) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Language.size(); ++I) {
    bool Pair = takesValue(Language[I]) && I + 1 < Language.size();
    if (!Pair && !isForBoth(Language[I]))
      continue;
    Result.push_back(Language[I]);
    if (Pair)
      Result.push_back(Language[++I]);
  }
  for (size_t I = 0; I < Nvcc.size(); ++I) {
    llvm::StringRef Name = llvm::StringRef(Nvcc[I]).split('=').first;
    if (Name == "-dc" || Name == "--device-c") // it names an output, too
      Result.push_back("-rdc=true");
    const Flag *Known =
        llvm::find_if(CodeFlags, [&](const Flag &F) { return F.Name == Name; });
    if (Known == std::end(CodeFlags))
      continue;
    Result.push_back(Nvcc[I]);
    if (Known->TakesValue && Name == Nvcc[I] && I + 1 < Nvcc.size())
      Result.push_back(Nvcc[++I]);
  }
  return Result;
}

llvm::Expected<CompilerReport> askCompiler(const CompilerRequest &Request) {
  llvm::Expected<TempDir> Folder = TempDir::create("pipeline-rewrite-registers");
  if (!Folder)
    return Folder.takeError();
  llvm::Expected<std::string> Source = writeSources(Request, *Folder);
  if (!Source)
    return Source.takeError();
  llvm::SmallString<256> Includes(Request.Path);
  if (std::error_code EC = llvm::sys::fs::make_absolute(Includes))
    return llvm::errorCodeToError(EC);
  std::vector<std::string> Command = {
      Request.Nvcc, "-cubin", "-w", "-Xptxas", "-v", "-arch=" + Request.Arch,
      "-I" + path::parent_path(Includes).str()};
  llvm::append_range(Command, Request.Args);
  Command.insert(Command.end(), {"-o", Folder->file("out.cubin"), *Source});
  llvm::Expected<ProcessResult> Result = runProcess(Command);
  if (!Result)
    return Result.takeError();
  if (!Result->succeeded())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   firstError(*Result));
  return parseCompilerReport(Result->Err + Result->Out);
}

} // namespace pipeline_rewrite
