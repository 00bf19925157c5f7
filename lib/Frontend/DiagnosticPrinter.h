#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace pipeline_rewrite {

/// Prints diagnostics as Clang does, with two differences.
///
/// While a file is parsed only errors are shown, with their notes: the user
/// asked for a rewrite, not for a second compiler's warnings. And each is shown
/// once, though a device parse repeats those that it had put off. After the
/// parse it stays usable: remarks about the file, at places in it, go the same
/// way.
class DiagnosticPrinter : public clang::DiagnosticConsumer {
public:
  DiagnosticPrinter(llvm::raw_ostream &Out, clang::DiagnosticOptions *Options)
      : Printer(Out, Options) {}

  void BeginSourceFile(const clang::LangOptions &Options,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// Whether the parse met an error, also one that was shown before.
  bool hadParseErrors() const { return ParseErrors; }

  /// Where the errors were, the tolerated ones included.
  llvm::ArrayRef<clang::SourceLocation> errorLocations() const {
    return ErrorLocations;
  }

private:
  bool isNew(clang::DiagnosticsEngine::Level Level,
             const clang::Diagnostic &Info);

  clang::TextDiagnosticPrinter Printer;
  llvm::StringSet<> Shown;
  std::vector<clang::SourceLocation> ErrorLocations;
  bool Parsing = true; ///< The driver's own messages are part of the parse.
  bool ParseErrors = false;
  bool SkipNotes =
      false; ///< The diagnostic that the next notes belong to was not shown.
};

} // namespace pipeline_rewrite
