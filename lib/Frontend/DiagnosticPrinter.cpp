#include "Frontend/DiagnosticPrinter.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

namespace pipeline_rewrite {

using Level = clang::DiagnosticsEngine::Level;

void DiagnosticPrinter::BeginSourceFile(const clang::LangOptions &Options,
                                        const clang::Preprocessor *PP) {
  Parsing = true;
  Printer.BeginSourceFile(Options, PP);
}

void DiagnosticPrinter::EndSourceFile() {
  // The printer is not told: it would forget how to show a place in the source.
  Parsing = false;
}

bool DiagnosticPrinter::isNew(Level Level, const clang::Diagnostic &Info) {
  llvm::SmallString<128> Key;
  Info.FormatDiagnostic(Key);
  if (Info.getLocation().isValid() && Info.hasSourceManager())
    Key += Info.getLocation().printToString(Info.getSourceManager());
  Key.push_back(static_cast<char>('0' + Level));
  return Shown.insert(Key).second;
}

/// nvcc only warns where a block-shared object has a constructor that does
/// something
/// (`__shared__ cuda::barrier<...> b;`). Clang marks the object as broken and
/// goes on.
static bool isTolerated(const clang::Diagnostic &Info) {
  return Info.getID() == clang::diag::err_shared_var_init;
}

void DiagnosticPrinter::HandleDiagnostic(Level Level,
                                         const clang::Diagnostic &Info) {
  bool IsParseError = Parsing && Level >= Level::Error;
  if (IsParseError && Info.getLocation().isValid())
    ErrorLocations.push_back(Info.getLocation());
  bool Hide = Parsing && (!IsParseError || isTolerated(Info));
  ParseErrors |= IsParseError && !isTolerated(Info);
  if (Level == Level::Note)
    Hide = SkipNotes;
  else
    SkipNotes = Hide = Hide || !isNew(Level, Info);
  if (Hide)
    return;
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  Printer.HandleDiagnostic(Level, Info);
}

} // namespace pipeline_rewrite
