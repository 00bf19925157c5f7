#include "Report/Figures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pipeline_rewrite {

const char *toString(LoopStatus Status) {
  switch (Status) {
  case LoopStatus::Rewritten:
    return "rewritten";
  case LoopStatus::Eligible:
    return "eligible";
  case LoopStatus::Refused:
    return "refused";
  case LoopStatus::Skipped:
    return "skipped";
  }
  return "";
}

bool isAccepted(const LoopResult &Loop) {
  return Loop.Status == LoopStatus::Rewritten ||
         Loop.Status == LoopStatus::Eligible;
}

LoopFigures figuresOf(const LoopResult &Loop) {
  LoopFigures Figures;
  const StageChoice &Budget = Loop.Budget;
  // A loop that was refused before its budget was looked at has no table.
  if (!Loop.SizesKnown || Budget.Table.empty())
    return Figures;
  Figures.SharedBefore = Budget.SharedBefore;
  // Without a block size there is no residency to speak of.
  if (Loop.Threads)
    Figures.Before = Budget.Before;
  bool OverBudget = llvm::any_of(Loop.Reasons, [](const Reason &Why) {
    return Why.Id == ReasonId::Budget;
  });
  if (isAccepted(Loop)) {
    Figures.SharedAfter = Budget.SharedAfter;
    Figures.After = Budget.After;
  } else if (OverBudget && Budget.Table.size() > 1) {
    Figures.SharedAfter = Budget.Table[1].SharedBytes;
    Figures.After = Budget.Table[1].Residency;
  }
  if (!Loop.Threads)
    Figures.After.reset();
  return Figures;
}

const std::string &displayName(const LoopResult &Loop) {
  return Loop.Instantiation.empty() ? Loop.Kernel : Loop.Instantiation;
}

std::string docsPage(ReasonId Id) {
  return std::string("docs/diagnostics.md#") + slugOf(Id);
}

std::string describeRewrite(const LoopResult &Loop) {
  if (!isAccepted(Loop) || !Loop.Kind)
    return "-";
  return llvm::formatv("{0} ({1}{2}{3} {4})", toString(*Loop.Kind),
                       Loop.Shape ? toString(*Loop.Shape) : "",
                       Loop.Shape ? ", " : "", Loop.Stages,
                       Loop.Stages == 1 ? "stage" : "stages")
      .str();
}

std::string symbolicShared(const LoopResult &Loop, unsigned Stages) {
  std::string Sum;
  for (const TileResult &Tile : Loop.Tiles) {
    if (!Tile.Bytes && Tile.SymbolicBytes.empty())
      return "";
    if (!Sum.empty())
      Sum += " + ";
    uint64_t Bytes = Stages > 1 ? std::max(Tile.Bytes, Tile.SlotBytes) : Tile.Bytes;
    Sum += Bytes ? grouped(Bytes) : Tile.SymbolicBytes;
  }
  if (Sum.empty() || Stages <= 1)
    return Sum;
  bool IsProduct =
      llvm::StringRef(Sum).find_first_of("+-?<>,") == llvm::StringRef::npos;
  std::string Factor = std::to_string(Stages) + "*";
  return IsProduct ? Factor + Sum : Factor + "(" + Sum + ")";
}

std::string describeRegisters(const LoopResult &Loop, llvm::StringRef Arrow) {
  const RegisterResult &R = Loop.Registers;
  if (!R.Before)
    return "?";
  auto Show = [](unsigned Count, bool Reported) {
    return (Reported ? "" : "~") + std::to_string(Count);
  };
  std::string Text = Show(R.Before, R.BeforeReported) + Arrow.str() +
                     (R.After ? Show(R.After, R.AfterReported) : "-");
  if (R.SpillBefore || R.SpillAfter)
    Text += llvm::formatv(", {0}{1}{2} B spilled", R.SpillBefore, Arrow,
                          R.SpillAfter)
                .str();
  return Text;
}

std::string describeGain(const GainRange &Gain) {
  return llvm::formatv("{0:F2}x to {1:F2}x", Gain.Low, Gain.High).str();
}

std::string grouped(uint64_t Count) {
  return llvm::formatv("{0:N}", Count).str();
}

} // namespace pipeline_rewrite
