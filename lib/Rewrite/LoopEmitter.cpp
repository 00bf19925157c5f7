#include "Rewrite/PhaseText.h"
#include "Rewrite/SlotText.h"
#include "Rewrite/TextStyle.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

/// Prints one loop in the form that the plan asks for. The three forms are made
/// of the same blocks: the early and the late part of the copy on the ahead
/// state, and the compute phase on the current one.
class LoopEmitter {
public:
  LoopEmitter(const PlannedLoop &Loop, StringRef Buffer)
      : Facts(*Loop.Facts), V(*Loop.Judgement), Plan(*Loop.Plan), Loop(Loop),
        Buffer(Buffer), Phases(Loop, Buffer),
        Style(detectStyle(Buffer, Facts.LoopText.Begin)),
        Out(Style, lineIndent(Buffer, Facts.LoopText.Begin).str()) {}

  std::string run() {
    bool Wrap = Facts.NeedsOwnScope || !Facts.ParentIsCompound;
    bool SlotOutside = !Plan.BindAfter.empty();
    if (SlotOutside)
      declareSlot();
    if (Wrap)
      Out.open("");
    if (!SlotOutside)
      declareSlot();
    if (Plan.Shape == Form::Peel)
      emitPeeled();
    else if (Plan.Shape == Form::Predicate)
      emitPredicated();
    else
      emitRing();
    if (Wrap)
      Out.close();
    for (ObjectId Tile : Plan.BindAfter)
      Out.line("auto &" + Plan.tile(Tile)->Name + " = " +
               Plan.tile(Tile)->inSlot(Plan.SlotName) + ";");
    StringRef Text = Text_ = Out.take();
    return Text.ltrim(" \t").rtrim("\r\n").str();
  }

private:
  bool manySlots() const { return Plan.Stages >= 2; }
  bool copiesLast() const { return Plan.When == Issue::Last; }
  std::string slot() const { return Plan.SlotName; }
  /// The slot that the next tile goes to.
  std::string otherSlot() const {
    if (Plan.Stages == 2)
      return Plan.SlotName + " ^ 1";
    return Plan.MoreName;
  }

  void declareSlot() {
    if (!manySlots())
      return;
    if (Plan.Block)
      declareStride(*Plan.Block);
    for (const TilePlan &T : Plan.Tiles)
      for (const TileName &N : T.Names)
        Out.line("auto *" + N.SlotsName + " = " + N.Name + ";");
    if (Plan.hasConstantSlots())
      return;
    Out.line("int " + slot() + " = 0;");
    if (Plan.Stages > 2)
      Out.line("int " + otherSlot() + " = " + std::to_string(Plan.Stages - 1) +
               "; // the slot that the next copy fills");
  }

  void declareStride(const BlockSlots &Slots) {
    bool Spelled = !Slots.Spelled.empty();
    Out.line("constexpr int " + Plan.StrideName + " = " +
             (Spelled ? Slots.Spelled : std::to_string(Slots.Stride)) +
             "; // bytes from one slot to the next");
    if (Spelled && Plan.Dynamic && !Loop.BytesCall.empty())
      Out.line("static_assert(" + Slots.spellBytes(Plan.StrideName) +
               " <= " + Loop.BytesCall + ", \"every launch gives all slots\");");
  }

  void advanceSlot() {
    if (!manySlots() || Plan.hasConstantSlots())
      return;
    if (Plan.Stages == 2)
      return Out.line(slot() + " ^= 1;");
    std::string N = std::to_string(Plan.Stages);
    for (const std::string &S : {slot(), otherSlot()})
      Out.line(S + " = " + S + " + 1 == " + N + " ? 0 : " + S + " + 1;");
  }

  void emitSnippets(const std::vector<Snippet> &Snippets) {
    for (const Snippet &S : Snippets)
      Out.verbatim(S.Text, S.OldIndent);
  }

  /// `auto &As = As_slots[slot];` for each tile that the text mentions, and
  /// references for what a macro body names.
  void bind(const std::vector<Snippet> &Snippets, const std::string &Slot,
            llvm::function_ref<bool(ObjectId)> Touches) {
    std::set<std::string> Rebound;
    for (const Snippet &S : Snippets)
      Rebound.insert(S.RenamedInMacros.begin(), S.RenamedInMacros.end());
    for (VarId Var : Plan.Places.Cloned)
      if (Rebound.count(Facts.Variables[Var].Name))
        Out.line("auto &" + Facts.Variables[Var].Name + " = " +
                 Plan.AheadNames.at(Var) + ";");
    if (!manySlots())
      return;
    for (const TilePlan &T : Plan.Tiles)
      bindTile(T, Snippets, Slot, Touches(T.Tile));
  }

  void bindTile(const TilePlan &T, const std::vector<Snippet> &Snippets,
                const std::string &Slot, bool Touched) {
    if (T.Names.empty()) {
      if (Touched || mentions(Snippets, T.Name))
        Out.line("auto &" + T.Name + " = " + T.inSlot(Slot) + ";");
      return;
    }
    for (const TileName &N : T.Names)
      if (Touched || mentions(Snippets, N.Name))
        Out.line("auto *" + N.Name + " = " + N.SlotsName + offsetOf(N, Slot) + ";");
  }

  /// ` + slot * (slot_stride / int(sizeof(*As_slots)))`: in steps of the pointer,
  /// whatever the instantiation makes of its type.
  std::string offsetOf(const TileName &N, const std::string &Slot) const {
    if (Slot == "0")
      return "";
    return " + " + parenthesised(Slot) + " * (" + Plan.StrideName +
           " / int(sizeof(*" + N.SlotsName + ")))";
  }

  static bool mentions(const std::vector<Snippet> &Snippets, StringRef Name) {
    return llvm::any_of(Snippets, [&](const Snippet &S) {
      return anyWord(S.Text, [&](StringRef Word) { return Word == Name; });
    });
  }

  bool touches(const std::vector<size_t> &Statements, ObjectId Tile) const {
    bool Found = false;
    std::function<void(const Node &)> Visit = [&](const Node &N) {
      for (const Effect &E : N.Effects)
        Found |= E.Object == Tile;
      for (const Node &Child : N.Children)
        Visit(Child);
    };
    for (size_t I : Statements)
      Visit(Facts.Body[I]);
    return Found;
  }

  void emitCopyBlock(CopyMode Mode, const std::string &Slot, StringRef Comment) {
    std::vector<Snippet> Snippets = Phases.copy(Mode, Slot);
    if (Snippets.empty())
      return;
    Out.open("", Comment);
    bindCopy(Snippets, Mode, Slot);
    emitSnippets(Snippets);
    Out.close();
  }

  void bindCopy(const std::vector<Snippet> &Snippets, CopyMode Mode,
                const std::string &Slot) {
    bind(Snippets, Slot,
         [&](ObjectId Tile) { return Phases.touches(Mode, Tile); });
  }

  /// Early part. Loads into registers need no tile and no block of their own.
  void emitEarly(bool Block) {
    std::vector<Snippet> Snippets = Phases.copy(CopyMode::Early, otherSlot());
    bool Tiles = false;
    for (const TilePlan &T : Plan.Tiles) {
      Tiles |= mentions(Snippets, T.Name) ||
               Phases.touches(CopyMode::Early, T.Tile);
      for (const TileName &N : T.Names)
        Tiles |= mentions(Snippets, N.Name);
    }
    bool Rebound = llvm::any_of(Snippets, [](const Snippet &S) {
      return !S.RenamedInMacros.empty();
    });
    if (Block || Tiles || Rebound)
      Out.open("", "The next tile sets off ...");
    bindCopy(Snippets, CopyMode::Early, otherSlot());
    emitSnippets(Snippets);
    if (Block || Tiles || Rebound)
      Out.close();
  }

  void declareRegisters() {
    for (const StagedLoad &S : Plan.Staged)
      Out.line(S.Array.declare(S.Type, S.Register) +
               (Plan.StoresAlways ? " = {};" : ";"));
  }

  /// The pointers of the copies, set to the first tile and to slot 0.
  void emitPointers() {
    if (Plan.Kept.empty())
      return;
    for (const KeptAddress &K : Plan.Kept)
      Out.line(K.Array.declare(K.Type, K.Pointer) + ";");
    emitCopyBlock(CopyMode::Point, "0",
                  llvm::any_of(Plan.Kept, [](const KeptAddress &K) { return K.Advance.empty(); })
                      ? "Where each copy reads next, and where it goes in slot 0."
                      : "Where each copy reads next.");
  }

  void emitCompute(StringRef Comment, bool Last) {
    std::vector<Snippet> Snippets = Phases.copy(CopyMode::Current);
    for (Snippet &S : Phases.compute(V.Split.Compute))
      Snippets.push_back(std::move(S));
    bool Barrier = (V.Split.TrailingBarrier && Plan.KeepTrailingBarrier) ||
                   (Last && Plan.BarrierAfterLoop);
    bool BarrierInside = Barrier && !V.Split.Tail.empty();
    if (BarrierInside)
      Snippets.push_back(Phases.statement(V.Split.closingBarrier()));
    std::vector<Snippet> Tail = Phases.compute(V.Split.Tail);
    Snippets.insert(Snippets.end(), Tail.begin(), Tail.end());
    std::vector<size_t> Statements = V.Split.Compute;
    Statements.insert(Statements.end(), V.Split.Tail.begin(), V.Split.Tail.end());
    Out.open("", Comment);
    bind(Snippets, slot(),
         [&](ObjectId Tile) { return touches(Statements, Tile); });
    emitSnippets(Snippets);
    Out.close();
    if (Barrier && !BarrierInside)
      emitBarrier(V.Split.closingBarrier());
  }

  void emitBarrier(size_t Index) {
    Snippet S = Phases.statement(Index);
    const Node &N = Facts.Body[Index];
    Out.verbatim(Buffer.slice(N.Range.Begin, N.Range.End), S.OldIndent);
  }

  void emitLate() {
    emitCopyBlock(CopyMode::Late, otherSlot(), "Its registers fill the slot.");
  }

  /// One slot: nobody may still read the tile when it is overwritten.
  void emitOneSlotBarrier() {
    if (!manySlots() && !V.Split.TrailingBarrier)
      emitBarrier(V.Split.closingBarrier());
  }

  void emitCommit() {
    if (Plan.HasAsync())
      Out.line("__pipeline_commit();");
  }

  void emitPublish(unsigned Pending = 0) {
    if (Plan.HasAsync())
      Out.line("__pipeline_wait_prior(" + std::to_string(Pending) + ");");
    emitBarrier(V.Split.CopyBarrier);
  }

  /// Nothing that touches memory may pass it.
  void emitFence() {
    if (Plan.Fence)
      Out.line("asm volatile(\"\" ::: \"memory\"); // the loads stay above");
  }

  void emitUpdates() { emitSnippets(Phases.updates()); }

  void emitIncrements(bool Ahead, std::optional<VarId> Without = std::nullopt) {
    for (const std::string &Step : Phases.increments(Ahead, Without))
      Out.line(Step + ";");
  }

  /// The loop's own counter, where that may say whether there is one more tile, and
  /// the one that runs ahead stay where the prologue leaves it.
  std::optional<VarId> counterOfTest() const {
    if (Plan.OneMore.empty() || !Plan.Places.Cloned.count(Facts.Left->Counter))
      return std::nullopt;
    const VarId Counter = Facts.Left->Counter;
    std::vector<Snippet> Needed = Phases.updates();
    for (CopyMode Mode : {CopyMode::Early, CopyMode::Late})
      for (Snippet &S : Phases.copy(Mode, otherSlot()))
        Needed.push_back(std::move(S));
    for (std::string &Step : Phases.increments(true, Counter))
      Needed.push_back({std::move(Step), "", {}});
    bool Rebound = llvm::any_of(Needed, [&](const Snippet &S) {
      return S.RenamedInMacros.count(Facts.Variables[Counter].Name);
    });
    return Rebound || mentions(Needed, Plan.AheadNames.at(Counter)) ? std::nullopt
                                                                    : std::optional(Counter);
  }

  /// Is there one more tile to send off? Asked in the steady state.
  std::string oneMore() const {
    return TestCounter ? Plan.OneMore : Phases.condition(true);
  }

  /// The state of the next tile; in the steady state without what it does not need.
  void emitAdvance(bool Steady = true) {
    emitUpdates();
    emitIncrements(true, Steady ? TestCounter : std::nullopt);
  }

  void emitPragma() {
    if (Plan.Unroll && !Plan.hasConstantSlots() && Facts.Pragmas.empty())
      Out.line("#pragma unroll " + std::to_string(Plan.Unroll));
    if (!Facts.Pragmas.empty())
      Out.line(Buffer.slice(Facts.Pragmas.Begin, Facts.Pragmas.End));
  }

  std::string initText() const {
    std::string Init = Buffer.slice(Facts.Init.Begin, Facts.Init.End).str();
    StringRef Trimmed = StringRef(Init).rtrim();
    return Trimmed.ends_with(";") ? Trimmed.str() : Trimmed.str() + ";";
  }

  /// Clones of the private state that the compute phase keeps using.
  /// \param FromInit header variables are not declared yet.
  void declareClones(bool FromInit) {
    for (VarId Var : Plan.Places.Cloned) {
      const Variable &Original = Facts.Variables[Var];
      bool Header = FromInit && Original.Scope == VarScope::Header;
      // What the author wrote, where there is nothing to take the type from.
      std::string Type = Original.IsPointer || (Facts.IsTemplate && !Header)
                             ? "auto"
                             : Original.Type;
      if (Header && Facts.IsTemplate)
        Type = headerType(Original.Name);
      Out.line(Type + " " + Plan.AheadNames.at(Var) + " = " +
               (Header ? Original.InitText : Original.Name) + ";");
    }
  }

  /// `unsigned` of `for (unsigned k = 0; ...`.
  std::string headerType(const std::string &Name) const {
    StringRef Init = Buffer.slice(Facts.Init.Begin, Facts.Init.End);
    size_t Equals = Init.find_first_of("={(");
    StringRef Declared = Init.take_front(Equals).rtrim();
    Declared.consume_back(Name);
    return Declared.trim().str();
  }

  /// One increment as the third part of a for header.
  std::string joinedIncrements(bool Ahead) const {
    return llvm::join(Phases.increments(Ahead), ", ");
  }

  bool currentLivesOn() const {
    return llvm::any_of(Plan.Places.Cloned, [&](VarId Var) {
      return Facts.Variables[Var].ReadAfterLoop;
    }) || !onlySliceIncrements();
  }
  bool onlySliceIncrements() const {
    return Plan.Slice.Increments.size() == Facts.Increments.size();
  }

  /// The barrier in front of the first copy, if there has to be one.
  std::optional<size_t> barrierBefore() const {
    if (Plan.BarrierBeforeLoop)
      return V.Split.CopyBarrier;
    return V.Split.LeadingBarrier;
  }

  void emitPrologue(const std::string &Slot) {
    if (std::optional<size_t> Barrier = barrierBefore())
      emitBarrier(*Barrier);
    emitCopyBlock(CopyMode::Whole, Slot, "Prologue: the first tile.");
  }

  void hoistDeclarations() {
    for (const Node &N : Facts.Body)
      if (N.Kind == NodeKind::SharedDeclaration)
        Out.verbatim(declarationText(N), lineIndent(Buffer, N.Range.Begin));
  }

  std::string declarationText(const Node &N) const;

  void emitPeeled();
  void emitPredicated();
  void emitGuardedEarly(const std::string &More, bool Advance, StringRef Comment);
  void emitGuardedLate(const std::string &More);
  void emitCopiesFirst(bool KeepInit);
  void declareAcrossTurns();
  void emitLoadsAhead(const std::string &More, StringRef Comment);
  void emitCopiesLast(bool KeepInit);
  void emitRing();
  void openRing(bool KeepInit);
  void closeRing();
  std::string currentHeader(bool KeepInit, bool Steps = true) const;
  bool initStaysInHeader() const;

  const LoopFacts &Facts;
  const Verdict &V;
  const LoopPlan &Plan;
  const PlannedLoop &Loop;
  StringRef Buffer;
  PhaseText Phases;
  TextStyle Style;
  CodeWriter Out;
  std::string Text_;
  const std::optional<VarId> TestCounter = counterOfTest();
};

void LoopEmitter::emitPeeled() {
  hoistDeclarations();
  if (!Facts.Init.empty())
    Out.line(initText());
  declareClones(false);
  emitPointers();
  bool Guarded = Facts.Kind != LoopKind::Do;
  Out.open(Guarded ? "if (" + Phases.condition(true) + ")" : "");
  emitPrologue("0");
  emitUpdates();
  emitCommit();
  emitPublish();
  emitPragma();
  if (Facts.Kind == LoopKind::For) {
    std::string Step = joinedIncrements(true);
    std::string Tail = Step.empty() ? "" : " " + Step;
    Out.open("for (" + Step + "; " + Phases.condition(true) + ";" + Tail + ")");
  } else {
    Out.open("while (" + Phases.condition(true) + ")");
  }
  declareRegisters();
  emitEarly(false);
  emitCommit();
  emitFence();
  emitCompute("... while this one is computed.", false);
  emitOneSlotBarrier();
  emitLate();
  emitUpdates();
  emitPublish();
  advanceSlot();
  emitIncrements(false);
  Out.close();
  emitCompute("Epilogue: the last tile.", true);
  if (currentLivesOn())
    emitIncrements(false);
  Out.close();
}

bool LoopEmitter::initStaysInHeader() const {
  if (!Facts.InitIsDeclaration || Facts.HeaderVars.size() != 1)
    return false;
  return !Facts.Variables[Facts.HeaderVars[0]].InitText.empty();
}

/// The author's own header, on the current state. Without \p Steps the counter
/// moves on in the body.
std::string LoopEmitter::currentHeader(bool KeepInit, bool Steps) const {
  if (Facts.Kind == LoopKind::While)
    return "while (" + Phases.condition(false) + ")";
  std::string Step = Steps ? joinedIncrements(false) : "";
  return "for (" + (KeepInit ? initText() : ";") + " " + Phases.condition(false) +
         ";" + (Step.empty() ? "" : " " + Step) + ")";
}

void LoopEmitter::emitPredicated() {
  hoistDeclarations();
  bool KeepInit = initStaysInHeader();
  if (!Facts.Init.empty() && !KeepInit)
    Out.line(initText());
  declareClones(KeepInit);
  emitPointers();
  if (copiesLast())
    declareAcrossTurns();
  Out.open("if (" + Phases.condition(true) + ")");
  emitPrologue("0");
  emitAdvance(/*Steady=*/false);
  emitCommit();
  // Before the barrier: its loads do not wait for it.
  if (copiesLast())
    emitLoadsAhead(Phases.condition(true), "The second tile sets off.");
  emitPublish();
  Out.close();
  if (copiesLast())
    emitCopiesLast(KeepInit);
  else
    emitCopiesFirst(KeepInit);
}

/// The early part of the copy where there is a next tile.
void LoopEmitter::emitGuardedEarly(const std::string &More, bool Advance,
                                   StringRef Comment) {
  Out.open("if (" + More + ")", Comment);
  std::vector<Snippet> Early = Phases.copy(CopyMode::Early, otherSlot());
  bindCopy(Early, CopyMode::Early, otherSlot());
  emitSnippets(Early);
  emitCommit();
  if (Advance)
    emitAdvance();
  Out.close();
  emitFence();
}

/// The late part of the copy where there is a next tile.
void LoopEmitter::emitGuardedLate(const std::string &More) {
  Out.open("if (" + More + ")", "Its registers fill the slot.");
  std::vector<Snippet> Stores = Phases.copy(CopyMode::Late, otherSlot());
  bindCopy(Stores, CopyMode::Late, otherSlot());
  emitSnippets(Stores);
  emitAdvance();
  Out.close();
}

void LoopEmitter::emitCopiesFirst(bool KeepInit) {
  emitPragma();
  Out.open(currentHeader(KeepInit));
  bool Late = !Phases.copy(CopyMode::Late).empty();
  std::string More = Late ? Plan.MoreName : oneMore();
  if (Late)
    Out.line("const bool " + More + " = " + oneMore() + ";");
  declareRegisters();
  emitGuardedEarly(More, !Late, "The next tile sets off ...");
  emitCompute("... while this one is computed.", false);
  emitOneSlotBarrier();
  if (Late)
    emitGuardedLate(More);
  emitPublish();
  advanceSlot();
  Out.close();
}

/// The registers carry a tile from one iteration to the next, so that its loads
/// end an iteration and no compiler can move them behind the arithmetic.
void LoopEmitter::declareAcrossTurns() {
  declareRegisters();
  if (!Plan.StoresAlways)
    Out.line("bool " + Plan.MoreName + " = false;");
}

void LoopEmitter::emitLoadsAhead(const std::string &More, StringRef Comment) {
  const bool Always = Plan.StoresAlways;
  if (!Always)
    Out.line(Plan.MoreName + " = " + More + ";");
  emitGuardedEarly(Always ? More : Plan.MoreName, Always, Comment);
}

void LoopEmitter::emitCopiesLast(bool KeepInit) {
  emitPragma();
  Out.open(currentHeader(KeepInit));
  emitCompute("Computed while the next tile is on its way.", false);
  emitOneSlotBarrier();
  if (Plan.StoresAlways)
    emitCopyBlock(CopyMode::Late, otherSlot(),
                  "Its registers fill the slot; behind the last tile nobody reads it.");
  else
    emitGuardedLate(Plan.MoreName);
  emitPublish();
  emitLoadsAhead(oneMore(), "One more sets off.");
  advanceSlot();
  Out.close();
}

/// The steady state; of constant slots a loop over them within.
void LoopEmitter::openRing(bool KeepInit) {
  if (!Plan.hasConstantSlots())
    return Out.open(currentHeader(KeepInit));
  Out.open(currentHeader(KeepInit, /*Steps=*/false));
  Out.line("#pragma unroll");
  std::string N = std::to_string(Plan.Stages);
  Out.open("for (int " + slot() + " = 0; " + slot() + " < " + N + "; ++" + slot() + ")",
           "Slots are constants.");
  if (Plan.Stages > 2)
    Out.line("const int " + otherSlot() + " = (" + slot() + " + " +
             std::to_string(Plan.Stages - 1) + ") % " + N + ";");
}

void LoopEmitter::closeRing() {
  advanceSlot();
  if (Plan.hasConstantSlots()) {
    if (Facts.Kind == LoopKind::For)
      emitIncrements(false);
    Out.line("if (!(" + Phases.condition(false) + "))");
    Out.line("  break;");
    Out.close();
  }
  Out.close();
}

void LoopEmitter::emitRing() {
  hoistDeclarations();
  bool KeepInit = initStaysInHeader();
  if (!Facts.Init.empty() && !KeepInit)
    Out.line(initText());
  declareClones(KeepInit);
  emitPointers();
  if (std::optional<size_t> Barrier = barrierBefore()) {
    Out.open("if (" + Phases.condition(true) + ")",
             Plan.BarrierBeforeLoop ? "What was written before is complete." : "");
    emitBarrier(*Barrier);
    Out.close();
  }
  auto EmitIssue = [&](CopyMode Mode, const std::string &Slot, StringRef Comment) {
    bool Steady = Mode == CopyMode::Early;
    Out.open("if (" + (Steady ? oneMore() : Phases.condition(true)) + ")", Comment);
    std::vector<Snippet> Copy = Phases.copy(Mode, Slot);
    bindCopy(Copy, Mode, Slot);
    emitSnippets(Copy);
    emitAdvance(Steady);
    Out.close();
    // Also when nothing was issued, so that the wait counts the same groups.
    emitCommit();
  };
  if (Plan.Stages > 2) {
    const std::string &Fill = Plan.FilledName;
    Out.open("for (int " + Fill + " = 0; " + Fill + " < " +
             std::to_string(Plan.Stages - 1) + "; ++" + Fill + ")");
    EmitIssue(CopyMode::Whole, Fill, "Prologue: the first tiles.");
    Out.close();
  } else {
    EmitIssue(CopyMode::Whole, "0", "Prologue: the first tile.");
  }
  emitPragma();
  openRing(KeepInit);
  emitPublish(Plan.Stages - 2);
  if (!copiesLast())
    EmitIssue(CopyMode::Early, otherSlot(), "The next tile sets off ...");
  emitFence();
  emitCompute(copiesLast() ? "Computed while later tiles are on their way."
                           : "... while this one is computed.",
              false);
  if (copiesLast())
    EmitIssue(CopyMode::Early, otherSlot(), "One more sets off.");
  closeRing();
  if (Plan.BarrierAfterLoop)
    emitBarrier(V.Split.closingBarrier());
}

/// A shared declaration of the body, with slots for its tiles.
std::string LoopEmitter::declarationText(const Node &N) const {
  std::vector<SlottedTile> Tiles;
  for (const SharedVariable &S : Facts.Shared)
    if (const TilePlan *T = Plan.tile(S.Object);
        T && manySlots() && !S.Part && N.Range.contains(S.NameRange))
      Tiles.push_back({&S, T, Plan.Stages, T->Alignment,
                       Plan.BindBefore.count(S.Object) != 0});
  std::string Text;
  unsigned At = N.Range.Begin;
  for (const SourceEdit &E : slottedDeclaration(Tiles, Buffer, "\n")) {
    Text += Buffer.slice(At, E.Offset).str() + E.Text;
    At = E.Offset + E.Length;
  }
  return Text + Buffer.slice(At, std::max(At, N.Range.End)).str();
}

} // namespace

std::string emitLoop(const PlannedLoop &Loop, StringRef Buffer) {
  return LoopEmitter(Loop, Buffer).run();
}

} // namespace pipeline_rewrite
