#include "Output.h"
#include "Report/Report.h"
#include "Support/File.h"
#include "Support/UnifiedDiff.h"
#include "clang/Basic/FileManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

class LoopPrinter {
public:
  LoopPrinter(const ParsedUnit &Unit, bool DryRun)
      : AST(*Unit.AST), Engine(AST.getDiagnostics()), DryRun(DryRun) {}

  void print(const RewrittenFile &File) {
    auto Entry = AST.getFileManager().getFileRef(File.Path);
    if (!Entry)
      return consumeError(Entry.takeError());
    Id = AST.getSourceManager().translateFile(*Entry);
    for (const LoopResult &Loop : File.Result.Loops)
      printLoop(Loop);
  }

private:
  clang::SourceLocation at(unsigned Line, unsigned Column) const {
    return AST.getSourceManager().translateLineCol(Id, Line,
                                                   std::max(Column, 1u));
  }

  void say(clang::DiagnosticIDs::Level Level, unsigned Line, unsigned Column,
           const std::string &Message) {
    std::string Escaped;
    for (char C : Message)
      Escaped += C == '%' ? std::string("%%") : std::string(1, C);
    unsigned Code = Engine.getDiagnosticIDs()->getCustomDiagID(Level, Escaped);
    Engine.Report(at(Line, Column), Code);
  }

  void printLoop(const LoopResult &Loop) {
    using Level = clang::DiagnosticIDs;
    if (Loop.Status == LoopStatus::Skipped)
      return;
    if (Loop.Status == LoopStatus::Refused) {
      bool First = true;
      for (const Reason &R : Loop.Reasons) {
        say(First ? Level::Warning : Level::Note, R.Line, R.Column,
            (First ? "loop at line " + std::to_string(Loop.Line) + " in '" +
                         Loop.Kernel + "' is not pipelined: "
                   : std::string()) +
                R.Message + " [" + slugOf(R.Id) + "]");
        First = false;
      }
      return;
    }
    std::string How = toString(*Loop.Kind);
    say(Level::Remark, Loop.Line, Loop.Column,
        std::string(DryRun ? "can be pipelined: " : "pipelined: ") + How + ", " +
            toString(*Loop.Shape) + ", " + std::to_string(Loop.Stages) +
            (Loop.Stages == 1 ? " slot" : " slots") + " [" + How + "]");
    for (const Reason &R : Loop.Remarks)
      say(Level::Note, R.Line, R.Column, R.Message + " [" + slugOf(R.Id) + "]");
  }

  clang::ASTUnit &AST;
  clang::DiagnosticsEngine &Engine;
  bool DryRun;
  clang::FileID Id;
};

Error writeText(StringRef Path, const std::string &Text) {
  if (Path == "-") {
    outs() << Text;
    return Error::success();
  }
  return writeFileAtomically(Path, Text);
}

std::string asText(const json::Value &Value) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0:2}", Value) << "\n";
  return OS.str();
}

} // namespace

void printDiagnostics(const ParsedUnit &Unit, const RewrittenFile &File,
                      bool DryRun) {
  LoopPrinter(Unit, DryRun).print(File);
}

Error writeSources(const Options &Opts, const std::vector<RewrittenFile> &Files) {
  if (Opts.DryRun || !Opts.Dump.empty())
    return Error::success();
  for (const RewrittenFile &File : Files) {
    bool Changed = File.Original != File.Rewritten;
    if (Opts.Diff) {
      outs() << unifiedDiff(File.Path, File.Original, File.Rewritten);
    } else if (Opts.InPlace) {
      if (Changed)
        if (Error Failed = writeFileAtomically(File.Path, File.Rewritten,
                                               StringRef(File.Original)))
          return Failed;
    } else if (!File.IsInput) {
      continue; // a header changes only in place or in a diff
    } else if (!Opts.Output.empty()) {
      if (Error Failed = writeText(Opts.Output, File.Rewritten))
        return Failed;
    } else if (!(Opts.Json && Opts.JsonFile.empty())) {
      outs() << File.Rewritten;
    }
  }
  return Error::success();
}

Error writeReports(const Options &Opts, const RunResult &Run) {
  if (Opts.Json) {
    std::string Path = Opts.JsonFile.empty() ? "-" : Opts.JsonFile;
    if (Error Failed = writeText(Path, asText(toJson(Run))))
      return Failed;
  }
  bool JsonOnStdout = Opts.Json && Opts.JsonFile.empty();
  if (Opts.DryRun && !JsonOnStdout)
    printTable(Run, outs());
  if (!Opts.Sarif.empty())
    if (Error Failed = writeText(Opts.Sarif, asText(toSarif(Run))))
      return Failed;
  if (!Opts.Html.empty())
    if (Error Failed = writeText(Opts.Html, toHtml(Run)))
      return Failed;
  if (!Opts.Remarks.empty())
    if (Error Failed = writeText(Opts.Remarks, toRemarksYaml(Run)))
      return Failed;
  if (!Opts.ExportFixes.empty())
    if (Error Failed = writeText(Opts.ExportFixes, toExportFixes(Run)))
      return Failed;
  return Error::success();
}

} // namespace pipeline_rewrite
