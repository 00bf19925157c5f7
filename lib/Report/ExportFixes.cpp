#include "Report/Figures.h"
#include "Report/Positions.h"
#include "Report/Report.h"

#include "clang/Tooling/Core/Diagnostic.h"
#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/YAMLTraits.h"

#include <algorithm>
#include <set>

namespace pipeline_rewrite {
namespace {

using clang::tooling::Diagnostic;
using clang::tooling::DiagnosticMessage;
using clang::tooling::Replacement;

std::string absolute(llvm::StringRef Path) {
  llvm::SmallString<256> Full(Path);
  // Without a current folder the name stays as it is, which is the best left.
  if (!llvm::sys::fs::make_absolute(Full))
    llvm::sys::path::remove_dots(Full, /*remove_dot_dot=*/false);
  return Full.str().str();
}

/// Adds \p Edit, unless an earlier loop brought the same one (an include, or a
/// tile that two loops share).
void add(const EditResult &Edit, std::set<Replacement> &Known,
         DiagnosticMessage &Message) {
  std::string Path = absolute(Edit.File);
  Replacement One(Path, Edit.Offset, Edit.Length, Edit.Text);
  if (!Known.insert(One).second)
    return;
  clang::tooling::Replacements &Fix = Message.Fix[Path];
  // Two insertions at one place count as a conflict; the second one follows the
  // first.
  if (llvm::Error Conflict = Fix.add(One)) {
    llvm::consumeError(std::move(Conflict));
    unsigned Behind = Fix.getShiftedCodePosition(Edit.Offset);
    Fix = Fix.merge(clang::tooling::Replacements(
        Replacement(Path, Behind, Edit.Length, Edit.Text)));
  }
}

Diagnostic fixOf(const FileResult &File, const LoopResult &Loop,
                 std::set<Replacement> &Known) {
  DiagnosticMessage Message("the loop can be software-pipelined: " +
                            describeRewrite(Loop));
  Message.FilePath = absolute(File.Path);
  if (!File.Text.empty() && Loop.Line)
    Message.FileOffset = LineTable(File.Text).offsetOf(Loop.Line) +
                         std::max(Loop.Column, 1u) - 1;
  for (const EditResult &Edit : Loop.Edits)
    add(Edit, Known, Message);
  return Diagnostic("pipelined", Message, {}, Diagnostic::Remark, "");
}

} // namespace

std::string toExportFixes(const RunResult &Run) {
  clang::tooling::TranslationUnitDiagnostics Unit;
  if (!Run.Files.empty())
    Unit.MainSourceFile = absolute(Run.Files.front().Path);
  std::set<Replacement> Known;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      if (!Loop.Edits.empty())
        Unit.Diagnostics.push_back(fixOf(File, Loop, Known));
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::yaml::Output Out(Stream);
  Out << Unit;
  return Text;
}

} // namespace pipeline_rewrite
