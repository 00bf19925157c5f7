#include "Report/Figures.h"
#include "Report/Report.h"
#include "Support/Table.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pipeline_rewrite {
namespace {

using ReasonList = std::vector<Reason> LoopResult::*;

std::string count(size_t Number, llvm::StringRef Noun) {
  return (llvm::Twine(Number) + " " + Noun + (Number == 1 ? "" : "s")).str();
}

/// "4 -> 2", "4 -> -" where there is no rewrite, "?" where nothing is known.
template <typename T, typename Format>
std::string change(const std::optional<T> &Before,
                   const std::optional<T> &After, Format Show) {
  if (!Before)
    return "?";
  return Show(*Before) + " -> " + (After ? Show(*After) : "-");
}

std::string blockLimit(unsigned Limit) {
  return Limit == Occupancy::Unlimited ? "none" : std::to_string(Limit);
}

std::string sharedCell(const LoopResult &Loop, const LoopFigures &Figures) {
  if (Figures.SharedBefore)
    return change(Figures.SharedBefore, Figures.SharedAfter, grouped);
  std::string Before = symbolicShared(Loop, 1);
  if (Before.empty())
    return "?";
  return Before + " -> " +
         (isAccepted(Loop) ? symbolicShared(Loop, Loop.Stages) : "-");
}

std::string verdictCell(const LoopResult &Loop) {
  std::string Text = toString(Loop.Status);
  if (!Loop.Reasons.empty())
    Text += std::string(" [") + slugOf(Loop.Reasons.front().Id) + "]";
  if (Loop.Proof)
    Text += ", " + Loop.Proof->Status;
  return Text;
}

std::vector<std::string> row(const FileResult &File, const LoopResult &Loop) {
  LoopFigures F = figuresOf(Loop);
  auto Column = [&F](auto Show) { return change(F.Before, F.After, Show); };
  return {
      displayName(Loop),
      File.Path + ":" + std::to_string(Loop.Line),
      describeRewrite(Loop),
      sharedCell(Loop, F),
      describeRegisters(Loop, " -> "),
      Column([](const Occupancy &O) { return blockLimit(O.BlockLimitShared); }),
      Column(
          [](const Occupancy &O) { return blockLimit(O.BlockLimitRegisters); }),
      Column([](const Occupancy &O) { return std::to_string(O.BlocksPerSM); }),
      Column([](const Occupancy &O) {
        return llvm::formatv("{0:F1}", 100 * O.Theoretical).str();
      }),
      Loop.Ratio ? llvm::formatv("{0:F1}", *Loop.Ratio).str() : "?",
      verdictCell(Loop)};
}

void printRows(const RunResult &Run, llvm::raw_ostream &Out) {
  using Align = Table::Align;
  // The names of Nsight Compute, so that each figure can be checked there.
  Table Rows({{"Kernel", Align::Left},
              {"Location", Align::Left},
              {"Rewrite", Align::Left},
              {"Shared Mem (B)", Align::Right},
              {"Registers", Align::Right},
              {"Block Limit Shared Mem", Align::Right},
              {"Block Limit Registers", Align::Right},
              {"Blocks/SM", Align::Right},
              {"Theoretical Occupancy (%)", Align::Right},
              {"Ratio", Align::Right},
              {"Verdict", Align::Left}});
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      Rows.addRow(row(File, Loop));
  if (!Rows.empty())
    Rows.print(Out);
}

/// One line a reason, below \p Title; nothing where there is none.
void printReasons(const RunResult &Run, ReasonList List, llvm::StringRef Title,
                  llvm::raw_ostream &Out) {
  bool First = true;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      for (const Reason &Why : Loop.*List) {
        if (First)
          Out << "\n" << Title << ":\n";
        First = false;
        unsigned Line = Why.Line ? Why.Line : Loop.Line;
        unsigned Column = Why.Line ? Why.Column : Loop.Column;
        Out << File.Path << ':' << Line << ':' << Column << ": " << Why.Message
            << " [" << slugOf(Why.Id) << "] (" << docsPage(Why.Id) << ")\n";
      }
}

/// The budget by launch, for loops with more than one row.
void printLaunches(const RunResult &Run, llvm::raw_ostream &Out) {
  using Align = Table::Align;
  Table Rows({{"Kernel", Align::Left},
              {"Launch", Align::Left},
              {"Threads", Align::Right},
              {"Dynamic (B)", Align::Right},
              {"Shared Mem (B)", Align::Right},
              {"Blocks/SM", Align::Right},
              {"Theoretical Occupancy (%)", Align::Right}});
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      for (const LaunchRow &Row : Loop.Launches) {
        if (Loop.Launches.size() < 2)
          continue;
        auto Column = [&Row](auto Show) {
          return change(Row.Before, Row.After, Show);
        };
        Rows.addRow(
            {Row.Instantiation,
             Row.Line ? "line " + std::to_string(Row.Line) : "not visible",
             Row.Threads ? std::to_string(Row.Threads) : "?",
             grouped(Row.Dynamic),
             change(Row.SharedBefore, Row.SharedAfter, grouped),
             Column([](const Occupancy &O) {
               return std::to_string(O.BlocksPerSM);
             }),
             Column([](const Occupancy &O) {
               return llvm::formatv("{0:F1}", 100 * O.Theoretical).str();
             })});
      }
  if (Rows.empty())
    return;
  Out << "\nBy instantiation and launch:\n";
  Rows.print(Out);
}

/// Why a loop gets what it gets: the rule, the ratio's arithmetic, and what the
/// time model says of the alternatives.
void printChoices(const RunResult &Run, llvm::raw_ostream &Out) {
  bool First = true;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops) {
      if (!isAccepted(Loop))
        continue;
      if (First)
        Out << "\nChoices:\n";
      First = false;
      Out << File.Path << ':' << Loop.Line << ": " << describeRewrite(Loop);
      if (!Loop.Because.empty())
        Out << ": " << Loop.Because;
      Out << '\n';
      if (Loop.Ratio && !Loop.RatioDerivation.empty())
        Out << "  ratio: " << Loop.RatioDerivation
            << (Loop.RatioSource == "given" ? "; another one was given" : "")
            << '\n';
      for (const Candidate &One : Loop.Candidates)
        Out << "  predicted: " << toString(One.Kind) << ", "
            << count(One.Stages, "stage") << ", "
            << count(One.Residency.BlocksPerSM, "block") << ": "
            << describeGain(One.Gain) << '\n';
    }
}

void printProofs(const RunResult &Run, llvm::raw_ostream &Out) {
  bool First = true;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops) {
      if (!Loop.Proof)
        continue;
      if (First)
        Out << "\nProof:\n";
      First = false;
      Out << File.Path << ':' << Loop.Line << ": " << Loop.Proof->Status
          << " on " << Loop.Proof->Backend << " ("
          << count(Loop.Proof->Runs, "run") << ", "
          << count(Loop.Proof->Comparisons, "comparison") << ")\n";
      for (const ProofSummary::Failure &One : Loop.Proof->Failures) {
        Out << "  ";
        if (!One.Where.empty())
          Out << One.Where << ": ";
        Out << One.Message << " [" << One.Check << "]\n";
      }
    }
}

/// "7 loops: 4 eligible, 2 refused (1 budget, 1 may-alias), 1 skipped". A loop
/// that is refused for several reasons counts under the first.
void printTotals(const RunResult &Run, llvm::raw_ostream &Out) {
  size_t Loops = 0;
  std::array<unsigned, 4> ByStatus{};
  llvm::MapVector<llvm::StringRef, unsigned> ByReason;
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops) {
      ++Loops;
      ++ByStatus[size_t(Loop.Status)];
      if (Loop.Status == LoopStatus::Refused && !Loop.Reasons.empty())
        ++ByReason[slugOf(Loop.Reasons.front().Id)];
    }
  std::vector<std::string> Refusals, Parts;
  for (const auto &[Id, Number] : ByReason)
    Refusals.push_back((llvm::Twine(Number) + " " + Id).str());
  for (LoopStatus Status : {LoopStatus::Rewritten, LoopStatus::Eligible,
                            LoopStatus::Refused, LoopStatus::Skipped}) {
    unsigned Number = ByStatus[size_t(Status)];
    if (!Number)
      continue;
    Parts.push_back((llvm::Twine(Number) + " " + toString(Status)).str());
    if (Status == LoopStatus::Refused && !Refusals.empty())
      Parts.back() += " (" + llvm::join(Refusals, ", ") + ")";
  }
  Out << count(Loops, "loop");
  if (!Parts.empty())
    Out << ": " << llvm::join(Parts, ", ");
  Out << '\n';
  if (!Run.FilesWithErrors.empty())
    Out << count(Run.FilesWithErrors.size(), "file")
        << " did not parse: " << llvm::join(Run.FilesWithErrors, ", ") << '\n';
}

void printAssumptions(const RunResult &Run, llvm::raw_ostream &Out) {
  Out << "Budget for " << Run.Arch;
  if (Run.ArchAssumed)
    Out << " (assumed: neither --arch nor the compile command names one)";
  Out << ". Parsed against "
      << (Run.UsedToolkit ? "the CUDA toolkit's headers"
                          : "the tool's own CUDA declarations")
      << ".\n";
  if (!Run.Assumed.empty())
    Out << "Assumed: " << llvm::join(Run.Assumed, ", ") << ".\n";
  for (const FileResult &File : Run.Files)
    for (const LoopResult &Loop : File.Loops)
      for (const Reason &Remark : Loop.Remarks)
        if (Remark.Id == ReasonId::AssumedBlockSize) {
          Out << "Assumed for " << displayName(Loop) << ": ";
          Out << count(Loop.Threads, "thread") << " a block.\n";
        }
}

} // namespace

void printTable(const RunResult &Run, llvm::raw_ostream &Out) {
  printRows(Run, Out);
  printLaunches(Run, Out);
  printReasons(Run, &LoopResult::Reasons, "Refused", Out);
  printReasons(Run, &LoopResult::Remarks, "Remarks", Out);
  printChoices(Run, Out);
  printProofs(Run, Out);
  Out << '\n';
  printTotals(Run, Out);
  printAssumptions(Run, Out);
}

} // namespace pipeline_rewrite
