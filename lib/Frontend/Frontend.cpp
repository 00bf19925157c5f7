#include "Frontend/Frontend.h"

#include "Frontend/DiagnosticPrinter.h"
#include "Frontend/NvccArgs.h"
#include "Frontend/ParseArch.h"
#include "Frontend/ResourceDir.h"
#include "Frontend/Shim.h"
#include "Frontend/SourceText.h"
#include "Support/InstallPaths.h"

#include "clang/Basic/Cuda.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/Host.h"

namespace path = llvm::sys::path;

namespace pipeline_rewrite {

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

/// The machine where neither the user nor the command names one: the first with
/// asynchronous copies.
static constexpr llvm::StringLiteral DefaultArch = "sm_80";

static std::string joined(llvm::StringRef Base, llvm::StringRef Name) {
  llvm::SmallString<256> Path(Base);
  path::append(Path, Name);
  return Path.str().str();
}

/// The arguments that lead Clang to the toolkit's headers, behind the user's
/// own search paths.
static void addToolkitArgs(const ToolkitInfo &Toolkit,
                           std::vector<std::string> &Args) {
  std::string Include = joined(Toolkit.Root, "include");
  Args.insert(Args.end(),
              {"--cuda-path=" + Toolkit.Root, "--no-cuda-version-check"});
  llvm::append_range(Args, shimArgs(Include));
  // CUDA 13 moved its C++ library there, and nvcc adds the path by itself.
  if (std::string Cccl = joined(Include, "cccl"); llvm::sys::fs::exists(Cccl))
    Args.insert(Args.end(), {"-isystem", Cccl});
  // nvcc defines its version; libraries hide what they think an older one
  // cannot compile.
  if (Toolkit.Major != 0)
    Args.insert(Args.end(),
                {"-D__CUDACC_VER_MAJOR__=" + std::to_string(Toolkit.Major),
                 "-D__CUDACC_VER_MINOR__=" + std::to_string(Toolkit.Minor),
                 "-D__CUDACC_VER_BUILD__=0"});
}

/// The arguments for a parse against our own declarations.
static llvm::Error addOwnDeclarationArgs(llvm::StringRef Given,
                                         std::vector<std::string> &Args) {
  std::string Include = Given.str();
  if (Include.empty()) {
    llvm::Expected<InstallPaths> Paths = findInstallPaths();
    if (!Paths)
      return Paths.takeError();
    Include = Paths->RuntimeInclude;
  }
  Args.insert(Args.end(),
              {"-nocudainc", "--cuda-path=/nonexistent", "-isystem", Include,
               "-include", joined(Include, "pr_device_prelude.h")});
  llvm::append_range(Args, ownShimArgs());
  return llvm::Error::success();
}

/// The whole driver command: exactly one device job, no output.
static llvm::Expected<std::vector<std::string>>
driverCommand(llvm::StringRef Path, const ParsedUnit &Unit,
              const FrontendOptions &Options) {
  llvm::Expected<std::string> Resources =
      findResourceDir(Options.ResourceDir, runningProgram());
  if (!Resources)
    return Resources.takeError();
  // <prefix>/bin/clang++ belongs to <prefix>/lib/clang/<version>.
  std::string Clang = joined(
      path::parent_path(path::parent_path(path::parent_path(*Resources))),
      "bin/clang++");
  std::vector<std::string> Args = {
      Clang, "-x", "cuda", "--cuda-device-only", "-fsyntax-only",
      "--offload-arch=" + Unit.ParseArch, "-resource-dir", *Resources,
      "-nocudalib", "-fno-delayed-template-parsing",
      // Warnings are the business of the user's compiler. nvcc
      // accepts narrowing in braces, so it is no error here.
      "-w", "-Wno-c++11-narrowing", "-Qunused-arguments"};
  if (Options.KeepGoing)
    Args.push_back("-ferror-limit=0");
  Args.insert(Args.end(), Unit.LanguageArgs.begin(), Unit.LanguageArgs.end());
  if (Unit.Toolkit.Real)
    addToolkitArgs(Unit.Toolkit, Args);
  else if (llvm::Error E =
               addOwnDeclarationArgs(Options.RuntimeIncludeDir, Args))
    return E;
  Args.push_back(Path.starts_with("-") ? ("./" + Path).str() : Path.str());
  return Args;
}

/// Lets the driver turn its command into the compiler's, and reads that. Null
/// after an error, which has been printed.
static std::shared_ptr<clang::CompilerInvocation>
createInvocation(const std::vector<std::string> &Command,
                 DiagnosticPrinter &Printer, FileSystem Files) {
  std::vector<const char *> Args;
  for (const std::string &Argument : Command)
    Args.push_back(Argument.c_str());
  auto DiagOptions = clang::CreateAndPopulateDiagOpts(Args);
  auto Diagnostics = clang::CompilerInstance::createDiagnostics(
      DiagOptions.release(), &Printer,
      /*ShouldOwnClient=*/false);
  clang::driver::Driver Driver(Args.front(),
                               llvm::sys::getDefaultTargetTriple(),
                               *Diagnostics, "pipeline-rewrite", Files);
  std::unique_ptr<clang::driver::Compilation> Compilation(
      Driver.BuildCompilation(Args));
  if (!Compilation || Printer.hadParseErrors())
    return nullptr;
  for (const clang::driver::Command &Job : Compilation->getJobs()) {
    const llvm::opt::ArgStringList &JobArgs = Job.getArguments();
    if (JobArgs.empty() || llvm::StringRef(JobArgs.front()) != "-cc1")
      continue;
    auto Invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(
            *Invocation, llvm::ArrayRef(JobArgs).drop_front(), *Diagnostics,
            Args.front()))
      return nullptr;
    return Invocation;
  }
  return nullptr;
}

/// The version of CUDA that Clang is to believe in: it knows none newer than
/// itself. It decides which runtime function a kernel launch is checked
/// against.
static llvm::VersionTuple sdkVersionFor(const ToolkitInfo &Toolkit) {
  llvm::VersionTuple Newest, Version(Toolkit.Major, Toolkit.Minor);
  // A literal of Clang's own always parses.
  (void)Newest.tryParse(
      clang::CudaVersionToString(clang::CudaVersion::FULLY_SUPPORTED));
  return Toolkit.Major == 0 ? Newest : std::min(Version, Newest);
}

/// Settings that have no driver option or that a user's argument must not
/// change.
static void adjust(clang::CompilerInvocation &Invocation,
                   const ToolkitInfo &Toolkit) {
  Invocation.getFrontendOpts().DisableFree = false;
  Invocation.getFrontendOpts().SkipFunctionBodies = false;
  Invocation.getCodeGenOpts().DisableFree = false;
  Invocation.getLangOpts().DelayedTemplateParsing = false;
  // A comment that switches the tool off for a loop is an ordinary one.
  Invocation.getLangOpts().CommentOpts.ParseAllComments = true;
  // The driver forgets to pass it on where it is to look for no device library.
  if (Toolkit.Real)
    Invocation.getTargetOpts().SDKVersion = sdkVersionFor(Toolkit);
}

/// Puts the file's own text behind a tree that was parsed from its reordered
/// copy. Both have the same length, and whoever edits the file by the tree's
/// offsets must see what is really there.
static void showOriginalText(clang::ASTUnit &AST, llvm::StringRef Text) {
  clang::SourceManager &Sources = AST.getSourceManager();
  if (auto File = Sources.getFileEntryRefForID(Sources.getMainFileID()))
    Sources.overrideFileContents(
        *File, llvm::MemoryBuffer::getMemBufferCopy(Text, File->getName()));
}

/// Lets lines of \p File have the numbers that it asks for.
static void noteLines(clang::ASTUnit &AST, const ReplacedText &File) {
  auto Entry = AST.getFileManager().getFileRef(File.Path);
  if (!Entry)
    return llvm::consumeError(Entry.takeError());
  clang::SourceManager &Sources = AST.getSourceManager();
  clang::FileID Id = Sources.translateFile(*Entry);
  if (Id.isInvalid())
    return;
  int Name = Sources.getLineTableFilenameID(OriginalLines);
  for (const LineNote &Note : File.Lines)
    Sources.AddLineNote(Sources.getComposedLoc(Id, Note.Offset), Note.Line, Name,
                        /*IsFileEntry=*/false, /*IsFileExit=*/false,
                        clang::SrcMgr::C_User);
}

/// Runs Clang's front end.
/// \param Text what the main file holds.
static void parse(const std::vector<std::string> &Command, llvm::StringRef Text,
                  const std::vector<ReplacedText> &Replaced, ParsedUnit &Unit,
                  llvm::raw_ostream &Messages) {
  FileSystem Files = fileSystemWithShim();
  auto PrinterOptions = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  PrinterOptions->ShowColors = llvm::sys::Process::StandardErrHasColors();
  auto Printer =
      std::make_unique<DiagnosticPrinter>(Messages, PrinterOptions.get());
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      createInvocation(Command, *Printer, Files);
  if (!Invocation) {
    Unit.HadErrors = true;
    return;
  }
  adjust(*Invocation, Unit.Toolkit);
  std::optional<std::string> Ordered = withAlignasFirst(Text);
  auto Remap = [&](llvm::StringRef File, llvm::StringRef With) {
    Invocation->getPreprocessorOpts().addRemappedFile(
        File, llvm::MemoryBuffer::getMemBufferCopy(With).release());
  };
  for (const ReplacedText &R : Replaced)
    if (R.Path != Command.back())
      Remap(R.Path, R.Text);
  if (Ordered || !Replaced.empty())
    Remap(Command.back(), Ordered ? llvm::StringRef(*Ordered) : Text);
  DiagnosticPrinter *Seen = Printer.get();
  auto Diagnostics = clang::CompilerInstance::createDiagnostics(
      &Invocation->getDiagnosticOpts(), Printer.release(),
      /*ShouldOwnClient=*/true);
  auto FileManager = llvm::makeIntrusiveRefCnt<clang::FileManager>(
      clang::FileSystemOptions(), Files);
  Unit.AST = clang::ASTUnit::LoadFromCompilerInvocation(
      Invocation, std::make_shared<clang::PCHContainerOperations>(),
      Diagnostics, FileManager.get());
  Unit.HadErrors = !Unit.AST || Seen->hadParseErrors();
  if (Ordered && Unit.AST)
    showOriginalText(*Unit.AST, Text);
  if (Unit.AST)
    for (const ReplacedText &R : Replaced)
      noteLines(*Unit.AST, R);
  Unit.ErrorLocations = Seen->errorLocations().vec();
  // After a fatal error the engine would swallow everything that we still have
  // to say.
  Diagnostics->Reset(/*soft=*/true);
}

/// Fills in all that is known before the parse.
static llvm::Error prepare(const std::vector<std::string> &CompileArgs,
                           const FrontendOptions &Options, ParsedUnit &Unit) {
  llvm::Expected<TranslatedArgs> Args =
      translateArgs(CompileArgs, Options.Directory);
  if (!Args)
    return Args.takeError();
  llvm::Expected<TranslatedArgs> Extra =
      translateArgs(Options.ExtraArgs, /*Directory=*/"");
  if (!Extra)
    return Extra.takeError();
  for (TranslatedArgs *Part : {&*Args, &*Extra}) {
    Unit.LanguageArgs.insert(Unit.LanguageArgs.end(), Part->Clang.begin(),
                             Part->Clang.end());
    Unit.NvccArgs.insert(Unit.NvccArgs.end(), Part->Nvcc.begin(),
                         Part->Nvcc.end());
    for (const std::string &Unknown : Part->Unknown)
      Unit.Notes.push_back("the compile option '" + Unknown +
                           "' is not known and was left out of the parse");
  }
  Args->Archs.insert(Args->Archs.end(), Extra->Archs.begin(),
                     Extra->Archs.end());

  std::string CudaPath = Options.CudaPath;
  if (CudaPath.empty())
    CudaPath = !Extra->CudaPath.empty() ? Extra->CudaPath : Args->CudaPath;
  if (Options.CudaPath.empty() &&
      (Args->WithoutToolkit || Extra->WithoutToolkit))
    CudaPath = "none";
  llvm::Expected<ToolkitInfo> Toolkit = findToolkit(CudaPath);
  if (!Toolkit)
    return Toolkit.takeError();
  Unit.Toolkit = std::move(*Toolkit);
  Unit.Notes.insert(Unit.Notes.begin(), describeToolkit(Unit.Toolkit));

  std::string Arch =
      Options.BudgetArch.empty() ? newestArch(Args->Archs) : Options.BudgetArch;
  Unit.ArchAssumed = Arch.empty();
  if (Unit.ArchAssumed)
    Arch = DefaultArch.str();
  llvm::Expected<std::string> ParseArch = parseArchFor(Arch);
  if (!ParseArch)
    return ParseArch.takeError();
  Unit.ParseArch = std::move(*ParseArch);
  Unit.BudgetArch = budgetArchFor(Arch);
  return llvm::Error::success();
}

llvm::Expected<ParsedUnit>
parseCudaFile(llvm::StringRef Path, const std::vector<std::string> &CompileArgs,
              const FrontendOptions &Options) {
  ParsedUnit Unit;
  llvm::Expected<std::string> Text = readSourceFile(Path);
  if (!Text)
    return Text.takeError();
  if (llvm::Error E = prepare(CompileArgs, Options, Unit))
    return E;
  llvm::Expected<std::vector<std::string>> Command =
      driverCommand(Path, Unit, Options);
  if (!Command)
    return Command.takeError();
  for (const ReplacedText &R : Options.Replaced)
    if (R.Path == Path)
      *Text = R.Text;
  parse(*Command, *Text, Options.Replaced, Unit,
        Options.Messages ? *Options.Messages : llvm::errs());
  return Unit;
}

} // namespace pipeline_rewrite
