#include "Legality/CopySlice.h"
#include "Legality/Phases.h"
#include "Legality/TileChecks.h"
#include <algorithm>

namespace pipeline_rewrite {

namespace {

/// Collects reasons; every check adds what it found and none stops the others
/// unless the phases are unknown.
class Judge {
public:
  Judge(const LoopFacts &Facts, const LegalityOptions &Options)
      : Facts(Facts), Options(Options) {}

  Verdict run() {
    checkAlreadyPipelined();
    if (!V.Reasons.empty())
      return std::move(V);
    checkForm();
    checkBarriers();
    checkSource();
    checkOpaque();
    if (V.Reasons.empty()) // an assertion is an effect, and says where it stands
      checkPlaceWord();
    if (!V.Reasons.empty())
      return std::move(V);
    if (!Facts.ParameterTile.empty()) {
      refuse(ReasonId::TileEscapes, Facts.Line, Facts.Column,
             "the tile is handed in as the pointer '" + Facts.ParameterTile +
                 "', which cannot be given slots here");
      return std::move(V);
    }
    splitPhases(Facts, V);
    if (isRegisterPrefetch()) {
      V.Reasons.clear();
      refuse(ReasonId::AlreadyPipelined, Facts.Line, Facts.Column,
             "the loop already fetches the next tile into registers while it "
             "computes");
    }
    if (!V.Reasons.empty())
      return std::move(V);
    checkCopyText();
    checkTiles(Facts, V);
    checkSlice();
    checkKept();
    if (!Options.AssumeNoAlias)
      checkAlias();
    return std::move(V);
  }

private:
  void refuse(ReasonId Id, unsigned Line, unsigned Column, std::string Message) {
    for (const Reason &R : V.Reasons)
      if (R.Id == Id && R.Line == Line && R.Column == Column)
        return;
    V.Reasons.push_back({Id, Line, Column, std::move(Message)});
  }

  template <typename Callback> void everyNode(Callback &&Visit) const {
    for (const Node &N : Facts.Body)
      visitNodes(N, Visit);
  }

  void checkAlreadyPipelined() {
    everyNode([&](const Node &N) {
      for (const Effect &E : N.Effects)
        if (E.Kind == EffectKind::AsyncCopy && V.Reasons.empty())
          refuse(ReasonId::AlreadyPipelined, E.Line, E.Column,
                 "the loop already copies asynchronously (" + E.What + ")");
    });
    if (V.Reasons.empty() && Facts.UsesManualSlots)
      refuse(ReasonId::AlreadyPipelined, Facts.SlotLine, Facts.SlotColumn,
             "the loop already alternates between slots of a shared array");
  }

  void checkForm() {
    if (Facts.Condition.empty())
      refuse(ReasonId::LoopForm, Facts.Line, Facts.Column,
             "the loop has no condition that says when it ends");
    bool Changes = false;
    for (const VarRef &R : Facts.ConditionNode.Refs)
      Changes |= R.Write;
    for (const Effect &E : Facts.ConditionNode.Effects)
      Changes |= E.Kind != EffectKind::Read;
    if (Changes)
      refuse(ReasonId::LoopForm, Facts.Line, Facts.Column,
             "the loop's condition has a side effect");
    everyNode([&](const Node &N) {
      if (N.LeavesLoop && N.Children.empty())
        refuse(ReasonId::LoopForm, N.Line, N.Column,
               "'" + N.LeaveWord + "' leaves an iteration before its end");
      if (N.HasLabel)
        refuse(ReasonId::LoopForm, N.Line, N.Column,
               "a label in the body would have to be copied");
    });
    for (const Effect &E : Facts.ConditionNode.Effects)
      if (E.Object && Facts.Objects[*E.Object].Where == Space::Shared &&
          writtenInLoop(*E.Object))
        refuse(ReasonId::LoopForm, E.Line, E.Column,
               "the loop's condition reads '" + Facts.Objects[*E.Object].Name +
                   "', which the body writes");
  }

  bool writtenInLoop(ObjectId Object) const {
    bool Written = false;
    everyNode([&](const Node &N) {
      for (const Effect &E : N.Effects)
        Written |= E.Object == Object && E.Kind != EffectKind::Read;
    });
    return Written;
  }

  void checkBarriers() {
    if (Facts.DivergentControl)
      refuse(ReasonId::DivergentBarrier, Facts.DivergentLine,
             Facts.DivergentColumn, Facts.DivergentWhat);
    else if (Facts.ConditionThreadDependent)
      refuse(ReasonId::DivergentBarrier, Facts.Line, Facts.Column,
             "the trip count differs between threads of the block, and with it "
             "the number of barriers");
    for (const Node &N : Facts.Body)
      if (N.DivergentBarrier)
        refuse(ReasonId::DivergentBarrier, N.Line, N.Column,
               "a barrier stands under a condition that differs between threads "
               "of the block");
  }

  void checkSource() {
    if (Facts.HeaderInMacro)
      refuse(ReasonId::Macro, Facts.Line, Facts.Column,
             "the loop itself comes out of a macro");
    if (Facts.InactivePreprocessor)
      refuse(ReasonId::Preprocessor, Facts.PreprocessorLine, 1,
             "a preprocessor directive stands inside the loop");
    everyNode([&](const Node &N) {
      if (N.NamesOwnBody)
        refuse(ReasonId::TileEscapes, N.Line, N.Column,
               "this shared array would have to be declared before the loop, and "
               "names what the loop's body declares");
      if (N.MacroFused && N.IsConstexprIf)
        refuse(ReasonId::Preprocessor, N.Line, N.Column,
               "this instantiation discards a branch that others may take");
    });
    for (const Node &N : Facts.Body)
      if (N.MacroFused && (N.NestedBarrier || !N.Stores.empty()))
        refuse(ReasonId::Macro, N.Line, N.Column,
               "one macro expands to the barrier or the copy and to something "
               "else");
  }

  void checkPlaceWord() {
    if (!Facts.PlaceWord.empty())
      refuse(ReasonId::Macro, Facts.PlaceLine, Facts.PlaceColumn,
             "'" + Facts.PlaceWord +
                 "' says something else where the text is moved to");
  }

  void checkOpaque() {
    everyNode([&](const Node &N) {
      for (const Effect &E : N.Effects)
        if (E.Kind == EffectKind::Opaque)
          refuse(ReasonId::OpaqueEffect, E.Line, E.Column,
                 "the next tile's loads would have to pass " + E.What);
    });
    for (const Node &N : Facts.Increments)
      for (const Effect &E : N.Effects)
        if (E.Kind != EffectKind::Read)
          refuse(ReasonId::LoopForm, E.Line, E.Column,
                 "the loop's step has a side effect");
  }

  /// A tile's value was loaded in an earlier phase than the one that stores it.
  bool isRegisterPrefetch() const {
    if (Facts.Body.empty())
      return false;
    std::set<VarId> LoadedEarlier;
    bool TileRead = false, Prefetch = false;
    for (size_t Round = 0; Round < 2; ++Round)
      for (const Node &Top : Facts.Body)
        visitNodes(Top, [&](const Node &N) {
          for (const TileStore &S : N.Stores)
            for (const VarRef &R : N.Refs)
              Prefetch |= TileRead && R.Read && N.Loads.empty() &&
                          S.Value.contains(R.Range) && LoadedEarlier.count(R.Var);
          for (const Effect &E : N.Effects)
            TileRead |= E.Kind == EffectKind::Read && E.What.empty() && E.Object &&
                        Facts.Objects[*E.Object].Where == Space::Shared &&
                        !LoadedEarlier.empty();
          if (N.Kind == NodeKind::Loop || N.Kind == NodeKind::If)
            return;
          bool OwnLoad = !N.Loads.empty();
          for (const VarRef &R : N.Refs) {
            if (!R.Write)
              continue;
            if (OwnLoad) {
              LoadedEarlier.insert(R.Var);
              TileRead = false;
            }
          }
        });
    return Prefetch;
  }

  void checkCopyText() {
    for (size_t I : V.Split.Copy) {
      const Node &Top = Facts.Body[I];
      if (Top.NestedBarrier)
        refuse(ReasonId::PhaseOrder, Top.Line, Top.Column,
               "a barrier stands inside the copy phase");
      visitNodes(Top, [&](const Node &N) {
        for (const TileStore &S : N.Stores)
          if (S.Compound)
            refuse(ReasonId::PhaseOrder, S.Line, S.Column,
                   "the copy adds to the tile instead of overwriting it");
      });
    }
  }

  void checkSlice() {
    Slice = sliceCopies(Facts, V.Split, V.Tiles);
    std::set<VarId> Control;
    for (const VarRef &R : Facts.ConditionNode.Refs)
      Control.insert(R.Var);
    for (const Reason &R : Slice.Failures) {
      bool OfControl = false;
      everyNode([&](const Node &N) {
        if (N.Line == R.Line && N.Column == R.Column)
          for (const VarRef &Ref : N.Refs)
            OfControl |= Ref.Write && Control.count(Ref.Var);
      });
      refuse(OfControl ? ReasonId::LoopForm : R.Id, R.Line, R.Column, R.Message);
    }
    for (VarId A : Slice.Ahead)
      if (!Facts.Variables[A].IsScalar)
        refuse(ReasonId::LoopForm, Facts.Line, Facts.Column,
               "'" + Facts.Variables[A].Name +
                   "' advances the copy, but is no scalar or pointer that could "
                   "run ahead");
      else if (Facts.Variables[A].AddressKept || Facts.Variables[A].IsReference)
        refuse(ReasonId::LoopForm, Facts.Line, Facts.Column,
               "'" + Facts.Variables[A].Name +
                   "' advances the copy and can be changed through its address");
    checkSharedValues();
  }

  /// The values of a tile must not come from shared memory.
  void checkSharedValues() {
    for (size_t I : V.Split.Copy)
      visitNodes(Facts.Body[I], [&](const Node &N) {
        for (const Effect &E : N.Effects)
          if (E.Kind == EffectKind::Read && E.What.empty() && E.Object &&
              Facts.Objects[*E.Object].Where == Space::Shared &&
              writtenInLoop(*E.Object))
            refuse(ReasonId::AddressDependsOnCompute, E.Line, E.Column,
                   "the copy phase reads '" + Facts.Objects[*E.Object].Name +
                       "', which the loop writes");
      });
  }

  /// A store whose place is not known may be a store to a variable whose address
  /// is kept, which the copy would read too early.
  void checkKept() {
    std::set<VarId> Read = Slice.AddressVars;
    Read.insert(Slice.Ahead.begin(), Slice.Ahead.end());
    for (VarId Var : Read)
      if (Facts.Variables[Var].AddressKept && Facts.Variables[Var].Scope != VarScope::Body)
        everyNode([&](const Node &N) {
          for (const Effect &E : N.Effects)
            if (E.Object && E.Kind != EffectKind::Read &&
                Facts.Objects[*E.Object].Where == Space::Unknown)
              refuse(ReasonId::MayAlias, E.Line, E.Column,
                     "the store may change '" + Facts.Variables[Var].Name +
                         "', whose address is kept and which the copy depends on");
        });
  }

  void checkAlias() {
    std::vector<Effect> Reads;
    auto CollectReads = [&](const Node &N) {
      for (const Effect &E : N.Effects)
        if (E.Kind == EffectKind::Read && E.Object && !E.NonCoherent &&
            Facts.Objects[*E.Object].Where != Space::Shared)
          Reads.push_back(E);
    };
    for (size_t I : V.Split.Copy)
      visitNodes(Facts.Body[I], CollectReads);
    CollectReads(Facts.ConditionNode);
    for (size_t I : Slice.Updates)
      visitNodes(Facts.Body[I], CollectReads);
    everyNode([&](const Node &N) {
      for (const Effect &E : N.Effects) {
        if ((E.Kind != EffectKind::Write && E.Kind != EffectKind::Atomic) || !E.Object)
          continue;
        if (Facts.Objects[*E.Object].Where == Space::Shared)
          continue;
        for (const Effect &R : Reads)
          if (mayAlias(Facts, *R.Object, *E.Object)) {
            refuse(ReasonId::MayAlias, E.Line, E.Column,
                   std::string(E.Kind == EffectKind::Atomic ? "the atomic on '"
                                                            : "the store to '") +
                       Facts.Objects[*E.Object].Name +
                       "' may write what the copy reads from '" +
                       Facts.Objects[*R.Object].Name + "'");
            break;
          }
      }
    });
  }

  const LoopFacts &Facts;
  const LegalityOptions &Options;
  Verdict V;
  CopySlice Slice;
};

} // namespace

Verdict judge(const LoopFacts &Facts, const LegalityOptions &Options) {
  return Judge(Facts, Options).run();
}

} // namespace pipeline_rewrite
