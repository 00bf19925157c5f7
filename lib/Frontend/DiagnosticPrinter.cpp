#include "Frontend/DiagnosticPrinter.h"

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

void DiagnosticPrinter::HandleDiagnostic(Level Level,
                                         const clang::Diagnostic &Info) {
  bool IsError = Level >= Level::Error;
  ParseErrors |= Parsing && IsError;
  if (Level == Level::Note ? SkipNotes
                           : (Parsing && !IsError) || !isNew(Level, Info)) {
    SkipNotes = true;
    return;
  }
  if (Level != Level::Note)
    SkipNotes = false;
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  Printer.HandleDiagnostic(Level, Info);
}

} // namespace pipeline_rewrite
