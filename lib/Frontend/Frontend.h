#pragma once

#include "Frontend/CudaToolkit.h"
#include "Support/OriginalLines.h"

#include "clang/Frontend/ASTUnit.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What a file is read as, instead of what it holds.
struct ReplacedText {
  std::string Path; ///< as the parsed unit names it
  std::string Text;
  std::vector<LineNote> Lines; ///< the numbers of its lines
};

/// How to parse.
struct FrontendOptions {
  /// The toolkit; empty: looked for (see findToolkit), "none": our own
  /// declarations.
  std::string CudaPath;
  std::string ResourceDir;       ///< Clang's own headers; empty: looked for.
  std::string RuntimeIncludeDir; ///< Our CUDA declarations; empty: looked for
                                 ///< beside the program.
  /// The machine to budget for, as "sm_86"; empty: the one in the command, else
  /// sm_80.
  std::string BudgetArch;
  std::vector<std::string>
      ExtraArgs; ///< Added behind the file's own arguments.
  std::string
      Directory; ///< Where the compile command runs; empty: the current folder.
  /// Parse to the end of the file, however many errors there are on the way.
  bool KeepGoing = false;
  std::vector<ReplacedText> Replaced;
  /// Where the compiler's messages go, as long as the parsed unit lives; null:
  /// stderr. Every other state is the call's own, so that files may be parsed at
  /// the same time.
  llvm::raw_ostream *Messages = nullptr;
};

/// One file, parsed for one device.
struct ParsedUnit {
  /// The syntax tree. Its DiagnosticsEngine stays usable after the parse: a
  /// custom diagnostic at a place in the file is printed on stderr with caret
  /// and the user's path.
  std::unique_ptr<clang::ASTUnit> AST;
  ToolkitInfo Toolkit;
  std::string BudgetArch;   ///< As asked, never clamped: "sm_120".
  bool ArchAssumed = false; ///< Neither the options nor the command named one.
  std::string ParseArch;    ///< The one that Clang knows: "sm_90".
  /// The original command's options, for a verification build with nvcc:
  /// without compiler, input, output and `-c`.
  std::vector<std::string> NvccArgs;
  /// The language options alone (-D -I -isystem -include -std -f...), with
  /// absolute paths: what a host compile of the same source needs.
  std::vector<std::string> LanguageArgs;
  /// Sentences that the user should see once; the first says against what the
  /// file was parsed.
  std::vector<std::string> Notes;
  bool HadErrors = false; ///< The input did not parse without errors.
  /// Where errors were found. A function that holds one has a syntax tree with
  /// holes, and must be left alone. There can be some without HadErrors: nvcc
  /// accepts with a warning what Clang calls an error in `__shared__
  /// cuda::barrier<...> b;`.
  std::vector<clang::SourceLocation> ErrorLocations;
};

/// Parses one CUDA file as one device translation unit, with every function
/// body.
///
/// \param Path as the user wrote it; messages show it so. Any extension: it is
/// parsed as CUDA.
/// \param CompileArgs for nvcc, Clang or gcc, with or without the compiler in
/// front; they are translated by one table (NvccTable.cpp).
///
/// The compiler's errors go to Options.Messages and set HadErrors (AST may then be null
/// or partial). An error is returned where there is nothing to parse: no such
/// file, a folder, no text, an empty file or one above 64 MiB, a toolkit or
/// resource folder that is not what it should be, an unreadable option file.
/// Those with std::errc::invalid_argument are the command line's fault, the
/// others the file's.
llvm::Expected<ParsedUnit>
parseCudaFile(llvm::StringRef Path, const std::vector<std::string> &CompileArgs,
              const FrontendOptions &Options);

} // namespace pipeline_rewrite
