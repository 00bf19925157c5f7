/// \file
/// The author's statements as text for one of the phases.
#pragma once

#include "Plan/Transports.h"
#include "Rewrite/Edits.h"

namespace pipeline_rewrite {

/// What a copy-phase statement is printed for.
enum class CopyMode {
  Whole,  ///< the undivided copy of the prologue
  Early,  ///< loads into registers, asynchronous copies, addresses
  Late,   ///< stores from registers
  Current, ///< what the compute phase needs of it
  Point    ///< where kept addresses start: the first tile, slot 0
};

/// A piece of text with the indentation its first line had.
struct Snippet {
  std::string Text;
  std::string OldIndent;
  std::set<std::string> RenamedInMacros; ///< names to rebind around the text
};

class PhaseText {
public:
  PhaseText(const PlannedLoop &Loop, llvm::StringRef Buffer);

  /// The copy-phase statements that belong to \p Mode, each with the comments
  /// (first use only) and pragmas before it. \p Slot is the one that they fill.
  std::vector<Snippet> copy(CopyMode Mode, llvm::StringRef Slot = "0") const;
  /// True if what copy() prints for \p Mode works on \p Tile.
  bool touches(CopyMode Mode, ObjectId Tile) const;
  /// The statements behind the copy's barrier, without moved updates; barriers
  /// of the body included.
  std::vector<Snippet> compute(const std::vector<size_t> &Statements) const;
  /// The updates that advance the ahead state, from behind the barrier.
  std::vector<Snippet> updates() const;
  /// The header's increments for the ahead or the current state, less the one that
  /// moves \p Without.
  std::vector<std::string> increments(bool Ahead,
                                      std::optional<VarId> Without = std::nullopt) const;
  /// Condition of the loop on the ahead or the current state.
  std::string condition(bool Ahead) const;
  Snippet statement(size_t Index) const;
  std::string name(VarId Var, bool Ahead) const;

private:
  using Change = std::pair<TextRange, std::string>;
  /// What is printed: the statements of which mode, for which slot.
  struct Purpose {
    CopyMode Mode;
    std::string Slot;
  };
  bool project(const Node &N, const Purpose &For, std::vector<Change> &Changes,
               std::set<std::string> &Rebound) const;
  bool projectLeaf(const Node &N, const Purpose &For, std::vector<Change> &Changes,
                   std::set<std::string> &Rebound) const;
  bool projectIf(const Node &N, const Purpose &For, std::vector<Change> &Changes,
                 std::set<std::string> &Rebound) const;
  bool replaceBranch(const Node &N, const Purpose &For,
                     std::vector<Change> &Changes) const;
  std::string asyncCopy(const AsyncCopy &Copy, const Purpose &For) const;
  std::optional<AsyncMatch> asyncMatch(const Node &N) const;
  using Lines = std::vector<std::string>;
  std::optional<Lines> leafLines(const Node &N, const Purpose &For) const;
  Lines stagedFetch(const Node &N) const;
  Lines startOfKept(const Node &N) const;
  Lines advanceOfKept(const Node &N) const;
  std::string asStatement(const Node &N, const Lines &Parts) const;
  bool isAlone(const Node &N) const;
  void useKept(TextRange Within, const std::string &Slot,
               std::vector<Change> &Changes) const;
  std::string placeInSlot(const KeptAddress &Kept, const std::string &Slot) const;
  std::string dereferenced(const std::string &Pointer, TextRange At) const;
  TextRange withSpaceAround(TextRange Range) const;
  std::string destination(const AsyncCopy &Copy, const Purpose &For) const;
  void rename(const std::vector<VarRef> &Refs,
              std::vector<Change> &Changes) const;
  void noteMacros(const std::vector<VarRef> &Refs,
                  std::set<std::string> &Rebound) const;
  std::string render(TextRange Range, std::vector<Change> Changes) const;
  std::string renamed(TextRange Range, const std::vector<VarRef> &Refs) const;
  std::string withKept(TextRange Range, const std::vector<VarRef> &Refs,
                       const std::string &Slot) const;
  std::string leading(const Node &N, bool Comments) const;
  llvm::StringRef text(TextRange R) const { return Buffer.slice(R.Begin, R.End); }
  const CopyLeaf *leafOf(const Node &N) const;
  bool startsLine(const Node &N) const;
  bool keeps(const Node &N, CopyMode Mode) const;

  const LoopFacts &Facts;
  const Verdict &V;
  const LoopPlan &Plan;
  llvm::StringRef Buffer;
  std::vector<CopyLeaf> Leaves;
  std::set<const Node *> Temporaries;
};

} // namespace pipeline_rewrite
