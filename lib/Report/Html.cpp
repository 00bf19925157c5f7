#include "Report/Bench.h"
#include "Report/Charts.h"
#include "Report/Figures.h"
#include "Report/HtmlStyle.h"
#include "Report/Positions.h"
#include "Report/Report.h"
#include "Support/Version.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

namespace pipeline_rewrite {
namespace {

/// Text that stands in the page as it is.
std::string escape(llvm::StringRef Text) {
  std::string Result;
  for (char C : llvm::json::fixUTF8(Text)) {
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    default:
      // Other control characters are not allowed in a page.
      Result += (C < ' ' && C != '\n' && C != '\t' && C >= 0) ? ' ' : C;
    }
  }
  return Result;
}

std::string change(llvm::StringRef Before, llvm::StringRef After) {
  return (Before + " &rarr; " + After).str();
}

class Page {
public:
  explicit Page(const RunResult &Run) : Run(Run) {}

  std::string write() {
    Out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
           "<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n"
           "<title>pipeline-rewrite report</title>\n<style>"
        << HtmlStyle << "</style>\n</head>\n<body>\n";
    writeHead();
    writeOverview();
    if (Run.Bench)
      Out << benchHtml(*Run.Bench);
    for (size_t F = 0; F != Run.Files.size(); ++F) {
      for (size_t L = 0; L != Run.Files[F].Loops.size(); ++L)
        writeLoop(F, L);
      writeSource(F);
    }
    Out << "<p class=\"soft\">pipeline-rewrite " << toolVersion()
        << ". Predictions are first-order; measure before you rely on "
           "them.</p>\n</body>\n</html>\n";
    return std::move(Text);
  }

private:
  static std::string loopAnchor(size_t F, size_t L) {
    return llvm::formatv("loop-{0}-{1}", F, L).str();
  }

  /// A link to a line of the source further down, where it is shown.
  std::string place(size_t F, unsigned Line, unsigned Column) const {
    const FileResult &File = Run.Files[F];
    std::string Shown = escape(File.Path) + ":" + std::to_string(Line);
    if (Column)
      Shown += ":" + std::to_string(Column);
    if (File.Text.empty())
      return "<code>" + Shown + "</code>";
    return llvm::formatv("<a href=\"#line-{0}-{1}\"><code>{2}</code></a>", F,
                         Line, Shown)
        .str();
  }

  static std::string badge(const LoopResult &Loop) {
    std::string Status = toString(Loop.Status);
    return "<span class=\"badge " + Status + "\">" + Status + "</span>";
  }

  void writeHead() {
    Out << "<h1>Software pipelining on " << escape(Run.Arch) << "</h1>\n<p>"
        << (Run.ArchAssumed ? "The architecture was assumed. " : "")
        << "Parsed against "
        << (Run.UsedToolkit ? "the CUDA toolkit's headers."
                            : "the tool's own CUDA declarations.")
        << "</p>\n";
    for (const std::string &Path : Run.FilesWithErrors)
      Out << "<p class=\"refused\">" << escape(Path) << " did not parse.</p>\n";
  }

  void writeOverview() {
    Out << "<div class=\"wide overview\"><table>\n<tr><th>Kernel</th><th>Verdict</th>"
           "<th>Rewrite</th><th class=\"figure\">Shared Mem (B)</th>"
           "<th class=\"figure\">Blocks/SM</th><th class=\"figure\">"
           "Theoretical Occupancy (%)</th></tr>\n";
    for (size_t F = 0; F != Run.Files.size(); ++F)
      for (size_t L = 0; L != Run.Files[F].Loops.size(); ++L) {
        const LoopResult &Loop = Run.Files[F].Loops[L];
        Out << "<tr><td><a href=\"#" << loopAnchor(F, L) << "\">"
            << escape(displayName(Loop)) << "</a></td><td>" << badge(Loop)
            << "</td><td>" << describeRewrite(Loop) << "</td>";
        writeFigures(Loop);
        Out << "</tr>\n";
      }
    Out << "</table></div>\n";
  }

  void writeFigures(const LoopResult &Loop) {
    LoopFigures Figures = figuresOf(Loop);
    auto Cell = [&](bool Known, bool After, auto Show) {
      Out << "<td class=\"figure\">"
          << (!Known ? "?" : change(Show(false), After ? Show(true) : "-"))
          << "</td>";
    };
    Cell(bool(Figures.SharedBefore), bool(Figures.SharedAfter), [&](bool A) {
      return grouped(A ? *Figures.SharedAfter : *Figures.SharedBefore);
    });
    Cell(bool(Figures.Before), bool(Figures.After), [&](bool A) {
      const Occupancy &O = A ? *Figures.After : *Figures.Before;
      return std::to_string(O.BlocksPerSM);
    });
    Cell(bool(Figures.Before), bool(Figures.After), [&](bool A) {
      const Occupancy &O = A ? *Figures.After : *Figures.Before;
      return llvm::formatv("{0:F1}", 100 * O.Theoretical).str();
    });
  }

  void writeLoop(size_t F, size_t L) {
    const LoopResult &Loop = Run.Files[F].Loops[L];
    Out << "<section class=\"loop\" id=\"" << loopAnchor(F, L) << "\">\n<h2>"
        << escape(displayName(Loop)) << " " << badge(Loop) << "</h2>\n<p>"
        << place(F, Loop.Line, Loop.Column) << "</p>\n";
    writeChoice(Loop);
    writeReasons(F, Loop.Reasons, "Why not");
    writeReasons(F, Loop.Remarks, "Remarks");
    writeProof(Loop);
    if (Loop.Status != LoopStatus::Skipped) {
      writeDrawings(Loop);
      writeLaunches(Loop);
      writeCandidates(Loop);
      writeStages(Loop);
    }
    Out << "</section>\n";
  }

  void writeChoice(const LoopResult &Loop) {
    if (isAccepted(Loop)) {
      Out << "<p>" << describeRewrite(Loop);
      if (!Loop.Because.empty())
        Out << ": " << escape(Loop.Because);
      Out << ".</p>\n";
    }
    if (!Loop.Tiles.empty()) {
      Out << "<div class=\"wide\"><table>\n<tr><th>Tile</th><th "
             "class=\"figure\">Bytes a slot</th><th>Transport</th></tr>\n";
      for (const TileResult &Tile : Loop.Tiles) {
        std::string Size =
            Tile.Bytes ? grouped(Tile.Bytes) : escape(Tile.SymbolicBytes);
        Out << "<tr><td><code>" << escape(Tile.Name)
            << "</code></td><td class=\"figure\">"
            << (Size.empty() ? "?" : Size) << "</td><td>"
            << (isAccepted(Loop) ? escape(Tile.Transport) : "-");
        if (isAccepted(Loop) && Tile.CopyBytes)
          Out << ", " << Tile.CopyBytes << "-byte copies";
        Out << "</td></tr>\n";
      }
      Out << "</table></div>\n";
    }
    const RegisterResult &R = Loop.Registers;
    if (R.Before) {
      Out << "<p>Registers a thread: " << describeRegisters(Loop, " &rarr; ");
      if (R.BeforeReported && (R.AfterReported || !R.After))
        Out << ", from nvcc";
      else
        Out << ", <span class=\"soft\">~ is an estimate: "
            << escape(R.Derivation) << "</span>";
      Out << "</p>\n";
    }
    if (Loop.Ratio)
      Out << "<p>Compute/load ratio " << llvm::formatv("{0:F1}", *Loop.Ratio)
          << " operations a byte, " << escape(Loop.RatioSource)
          << (Loop.RatioDerivation.empty()
                  ? ""
                  : ": <code>" + escape(Loop.RatioDerivation) + "</code>")
          << "</p>\n";
  }

  void writeLaunches(const LoopResult &Loop) {
    if (Loop.Launches.size() < 2)
      return;
    Out << "<details><summary>By instantiation and launch</summary>\n<div "
           "class=\"wide\"><table>\n<tr><th>Kernel</th><th>Launch</th><th "
           "class=\"figure\">Threads</th><th class=\"figure\">Dynamic (B)</th><th "
           "class=\"figure\">Shared Mem (B)</th><th "
           "class=\"figure\">Blocks/SM</th></tr>\n";
    auto Change = [](bool Known, bool After, auto Show) {
      return !Known ? std::string("?") : change(Show(false), After ? Show(true) : "-");
    };
    for (const LaunchRow &Row : Loop.Launches)
      Out << "<tr><td>" << escape(Row.Instantiation) << "</td><td>"
          << (Row.Line ? "line " + std::to_string(Row.Line) : "not visible")
          << "</td><td class=\"figure\">"
          << (Row.Threads ? std::to_string(Row.Threads) : "?")
          << "</td><td class=\"figure\">" << grouped(Row.Dynamic)
          << "</td><td class=\"figure\">"
          << Change(bool(Row.SharedBefore), bool(Row.SharedAfter),
                    [&](bool After) {
                      return grouped(After ? *Row.SharedAfter
                                           : *Row.SharedBefore);
                    })
          << "</td><td class=\"figure\">"
          << Change(bool(Row.Before), bool(Row.After),
                    [&](bool After) {
                      return std::to_string(
                          (After ? *Row.After : *Row.Before).BlocksPerSM);
                    })
          << "</td></tr>\n";
    Out << "</table></div></details>\n";
  }

  void writeCandidates(const LoopResult &Loop) {
    if (Loop.Candidates.empty())
      return;
    Out << "<details><summary>What the time model predicts</summary>\n<div "
           "class=\"wide\"><table>\n<tr><th>Variant</th><th "
           "class=\"figure\">Stages</th><th class=\"figure\">Blocks/SM</th><th "
           "class=\"figure\">Gain</th></tr>\n";
    for (const Candidate &One : Loop.Candidates)
      Out << "<tr><td>" << toString(One.Kind) << "</td><td class=\"figure\">"
          << One.Stages << "</td><td class=\"figure\">"
          << One.Residency.BlocksPerSM << "</td><td class=\"figure\">"
          << describeGain(One.Gain) << "</td></tr>\n";
    Out << "</table></div></details>\n";
  }

  void writeReasons(size_t F, const std::vector<Reason> &List,
                    llvm::StringRef Title) {
    if (List.empty())
      return;
    Out << "<h3>" << Title << "</h3>\n<ul class=\"reasons\">\n";
    for (const Reason &Why : List) {
      Out << "<li><code>[" << slugOf(Why.Id) << "]</code> "
          << escape(Why.Message);
      if (Why.Line)
        Out << " " << place(F, Why.Line, Why.Column);
      if (*adviceFor(Why.Id))
        Out << "<br><span class=\"soft\">" << escape(adviceFor(Why.Id))
            << "</span>";
      Out << "</li>\n";
    }
    Out << "</ul>\n";
  }

  void writeProof(const LoopResult &Loop) {
    if (!Loop.Proof)
      return;
    const ProofSummary &Proof = *Loop.Proof;
    Out << "<h3>Proof</h3>\n<p>" << escape(Proof.Status) << " on "
        << escape(Proof.Backend) << ", " << Proof.Runs << " runs, "
        << Proof.Comparisons << " comparisons</p>\n";
    if (Proof.Failures.empty())
      return;
    Out << "<ul class=\"reasons\">\n";
    for (const ProofSummary::Failure &One : Proof.Failures)
      Out << "<li><code>[" << escape(One.Check) << "]</code> "
          << escape(One.Message) << " <code>" << escape(One.Where)
          << "</code></li>\n";
    Out << "</ul>\n";
  }

  void writeDrawings(const LoopResult &Loop) {
    Out << "<div class=\"drawings\">\n";
    std::string Stairs = staircaseSvg(Run, Loop);
    if (!Stairs.empty())
      Out << "<figure>" << Stairs
          << "<figcaption>Resident blocks a multiprocessor over shared memory "
             "a block in KB. Each step is a cliff: to its right one block "
             "fewer is resident.</figcaption></figure>\n";
    // Of a loop that stays as it is a drawing without figures tells nothing.
    bool Timeline = isAccepted(Loop) || !phaseLengths(Run, Loop).Schematic;
    if (!Timeline) {
      Out << "</div>\n";
      return;
    }
    Out << "<figure>" << timelineSvg(Run, Loop)
        << "<figcaption><span class=\"key copy\"></span> copy <span "
           "class=\"key compute\"></span> compute, six tiles, one lane a slot. "
        << escape(phaseLengths(Run, Loop).Basis)
        << "</figcaption></figure>\n</div>\n";
  }

  void writeStages(const LoopResult &Loop) {
    if (!Loop.SizesKnown || Loop.Budget.Table.size() < 2)
      return;
    Out << "<details><summary>What each stage count costs</summary>\n<div "
           "class=\"wide\"><table>\n<tr><th class=\"figure\">Stages</th><th "
           "class=\"figure\">Shared Mem (B)</th><th "
           "class=\"figure\">Blocks/SM</th><th>Arithmetic</th></tr>\n";
    for (const StageCost &Cost : Loop.Budget.Table)
      Out << "<tr><td class=\"figure\">" << Cost.Stages
          << "</td><td class=\"figure\">" << grouped(Cost.SharedBytes)
          << "</td><td class=\"figure\">"
          << (Loop.Threads ? std::to_string(Cost.Residency.BlocksPerSM) : "?")
          << "</td><td>" << escape(Cost.Why) << "</td></tr>\n";
    Out << "</table></div></details>\n";
  }

  void writeSource(size_t F);

  const RunResult &Run;
  std::string Text;
  llvm::raw_string_ostream Out{Text};
};

/// What is shown of one file, and what is said beside its lines.
struct Excerpt {
  std::set<unsigned> Lines;
  std::multimap<unsigned, const Reason *> Notes;

  Excerpt(const FileResult &File, unsigned Count) {
    constexpr unsigned Above = 3, Below = 14, Around = 4;
    auto Show = [&](unsigned From, unsigned To) {
      for (unsigned Line = std::max(From, 1u); Line <= std::min(To, Count);
           ++Line)
        Lines.insert(Line);
    };
    auto Before = [](unsigned Line, unsigned By) {
      return Line > By ? Line - By : 1;
    };
    for (const LoopResult &Loop : File.Loops) {
      Show(Before(Loop.Line, Above), Loop.Line + Below);
      for (const auto *List : {&Loop.Reasons, &Loop.Remarks})
        for (const Reason &Why : *List) {
          Show(Before(Why.Line, Around), Why.Line + Around);
          Notes.emplace(Why.Line, &Why);
        }
    }
  }
};

void Page::writeSource(size_t F) {
  const FileResult &File = Run.Files[F];
  if (File.Text.empty() || File.Loops.empty())
    return;
  LineTable Lines(File.Text);
  Excerpt Shown(File, Lines.lines());
  Out << "<h2>" << escape(File.Path) << "</h2>\n<div class=\"source\">"
      << "<table>\n";
  unsigned Last = 0;
  for (unsigned Line : Shown.Lines) {
    if (Last && Line != Last + 1)
      Out << "<tr><td class=\"number\">&hellip;</td><td></td></tr>\n";
    Last = Line;
    auto [Begin, End] = Shown.Notes.equal_range(Line);
    Out << "<tr id=\"line-" << F << '-' << Line << '"'
        << (Begin == End ? "" : " class=\"hit\"") << "><td class=\"number\">"
        << Line << "</td><td>" << escape(Lines.line(Line)) << "</td></tr>\n";
    for (auto Note = Begin; Note != End; ++Note)
      Out << "<tr class=\"note" << (isRemark(Note->second->Id) ? " remark" : "")
          << "\"><td></td><td>" << escape(Note->second->Message) << " ["
          << slugOf(Note->second->Id) << "]</td></tr>\n";
  }
  Out << "</table></div>\n";
}

} // namespace

std::string toHtml(const RunResult &Run) { return Page(Run).write(); }

} // namespace pipeline_rewrite
