#include "Legality/TileChecks.h"
#include "Analysis/StorePlaces.h"
#include "Legality/CopySlice.h"
#include "Legality/LaunchChecks.h"
#include "Legality/Phases.h"
#include <algorithm>

namespace pipeline_rewrite {

namespace {

bool storesTo(const Node &N, ObjectId Tile) {
  bool Stores = false;
  visitNodes(N, [&](const Node &Each) {
    for (const TileStore &S : Each.Stores)
      Stores |= S.Tile == Tile;
  });
  return Stores;
}

class TileChecker {
public:
  TileChecker(const LoopFacts &Facts, Verdict &V)
      : Facts(Facts), V(V), Variant(variantVariables(Facts, V.Split)) {}

  void run() {
    checkComputeWrites();
    for (size_t I : V.Split.Copy)
      checkCoverage(Facts.Body[I], {});
    for (ObjectId Tile : V.Tiles)
      if (const SharedVariable *S = find(Tile))
        checkPlace(*S);
      else
        slot(ReasonId::TileEscapes, Facts.Line, Facts.Column,
             "'" + Facts.Objects[Tile].Name +
                 "' is declared where it cannot be given slots");
  }

private:
  const SharedVariable *find(ObjectId Tile) const {
    for (const SharedVariable &S : Facts.Shared)
      if (S.Object == Tile)
        return &S;
    return nullptr;
  }

  std::string name(ObjectId Tile) const {
    return "'" + Facts.Objects[Tile].Name + "'";
  }

  void refuse(ReasonId Id, unsigned Line, unsigned Column, std::string Message) {
    V.Reasons.push_back({Id, Line, Column, std::move(Message)});
  }
  void slot(ReasonId Id, unsigned Line, unsigned Column, std::string Message) {
    for (const Reason &R : V.SlotReasons)
      if (R.Id == Id && R.Line == Line && R.Column == Column)
        return;
    V.SlotReasons.push_back({Id, Line, Column, std::move(Message)});
  }

  void checkComputeWrites() {
    std::vector<size_t> Later = V.Split.Compute;
    Later.insert(Later.end(), V.Split.Tail.begin(), V.Split.Tail.end());
    std::set<ObjectId> Said;
    for (size_t I : Later)
      visitNodes(Facts.Body[I], [&](const Node &N) {
        for (const Effect &E : N.Effects)
          if (E.Object && E.Kind != EffectKind::Read && V.Tiles.count(*E.Object) &&
              Said.insert(*E.Object).second)
            refuse(ReasonId::TileWrittenInCompute, E.Line, E.Column,
                   "the compute phase writes " + name(*E.Object) +
                       ", which the copy phase fills");
      });
  }

  bool isVariant(VarId Var) const {
    return Variant.count(Var) || Facts.Variables[Var].OuterVariant;
  }

  bool varies(const std::vector<VarRef> &Refs, const std::set<VarId> &Counters,
              VarId &Which) const {
    for (const VarRef &R : Refs)
      if (R.Read && !Counters.count(R.Var) && isVariant(R.Var)) {
        Which = R.Var;
        return true;
      }
    return false;
  }

  /// Is every element that one iteration writes written by all of them?
  void checkCoverage(const Node &N, std::set<VarId> Counters) {
    VarId Which = 0;
    if (N.Kind == NodeKind::Loop) {
      Counters.insert(N.Declares.begin(), N.Declares.end());
      for (const Definition &D : N.Definitions)
        Counters.insert(D.Var);
    }
    for (ObjectId Tile : V.Tiles) {
      if (!storesTo(N, Tile))
        continue;
      if (N.Kind == NodeKind::Loop && varies(N.Refs, Counters, Which))
        slot(ReasonId::PartialTile, N.Line, N.Column,
             "how much of " + name(Tile) +
                 " this copy loop writes changes with '" +
                 Facts.Variables[Which].Name + "'");
      if (N.Kind == NodeKind::If && varies(N.Refs, Counters, Which) &&
          !bothArmsStore(N, Tile))
        slot(ReasonId::PartialTile, N.Line, N.Column,
             "elements of " + name(Tile) +
                 " that this guard skips keep an older tile's value, and the "
                 "guard changes with '" +
                 Facts.Variables[Which].Name + "'");
    }
    if (N.ConditionalCall)
      slot(ReasonId::PartialTile, N.Line, N.Column,
           "a function called here stores under a condition, so elements of the "
           "tile may keep an older tile's value");
    for (VarId Var : N.CallDecides)
      if (!Counters.count(Var) && isVariant(Var)) {
        slot(ReasonId::PartialTile, N.Line, N.Column,
             "which elements a function called here writes changes with '" +
                 Facts.Variables[Var].Name +
                 "', so others may keep an older tile's value");
        break;
      }
    if (N.Jumps && N.Children.empty())
      refuse(ReasonId::PartialTile, N.Line, N.Column,
             "a jump in the copy phase may skip elements of the tile");
    for (const TileStore &S : N.Stores)
      if (V.Tiles.count(S.Tile) && S.Conditional)
        slot(ReasonId::PartialTile, S.Line, S.Column,
             "elements of " + name(S.Tile) +
                 " that this condition skips keep an older tile's value");
    for (const TileStore &S : N.Stores)
      if (V.Tiles.count(S.Tile) && varies(S.DestinationRefs, Counters, Which))
        slot(ReasonId::PartialTile, S.Line, S.Column,
             "which element of " + name(S.Tile) +
                 " is written changes from iteration to iteration with '" +
                 Facts.Variables[Which].Name + "'");
    for (const Node &Child : N.Children)
      checkCoverage(Child, Counters);
  }

  void checkPlace(const SharedVariable &S) {
    if (S.Part)
      return checkPart(S);
    std::optional<Reason> Unseen;
    if (S.IsExtern)
      Unseen = checkLaunches(Facts);
    if (!S.IsStaticArray && Unseen)
      slot(Unseen->Id, Unseen->Line, Unseen->Column,
           "'" + S.Name + "' lies in dynamic shared memory; " + Unseen->Message);
    else if (!S.IsStaticArray && S.IsExtern)
      slot(ReasonId::TileEscapes,
           Facts.BlockLossLine ? Facts.BlockLossLine : Facts.Line,
           Facts.BlockLossLine ? Facts.BlockLossColumn : Facts.Column,
           "which bytes of dynamic shared memory the loop streams is not proved: " +
               Facts.BlockLoss);
    else if (!S.IsStaticArray)
      slot(ReasonId::TileEscapes, Facts.Line, Facts.Column,
           "'" + S.Name + "' is declared outside this function");
    if (S.Escapes)
      slot(ReasonId::TileEscapes, S.EscapeLine, S.EscapeColumn,
           "'" + S.Name + "': " + S.EscapeWhat);
    if (S.Escapes)
      return;
    if (!S.NameEditable)
      slot(ReasonId::Macro, Facts.Line, Facts.Column,
           "the declaration of '" + S.Name + "' comes out of a macro");
    unsigned Needed = std::max({1u, S.AccessAlignment, S.DeclaredAlignment});
    uint64_t Bytes = S.Bytes ? S.Bytes : S.AssumedBytes;
    if (Bytes % Needed != 0 && S.MemberType.empty())
      slot(ReasonId::TileEscapes, Facts.Line, Facts.Column,
           "'" + S.Name + "' has " + std::to_string(Bytes) +
               " bytes, so a second slot would not be aligned to the " +
               std::to_string(Needed) + " bytes that its accesses rely on, and its "
               "declaration is not plain enough for slots that are padded");
    checkOutside(S);
  }

  /// A part of the dynamic block: its slots are reached by rebinding names, so
  /// only what it holds before and after the loop matters. Whether its launches
  /// must be edited for them, and can be, is seen when they are placed.
  void checkPart(const SharedVariable &S) {
    if (S.Escapes)
      slot(ReasonId::TileEscapes, S.EscapeLine, S.EscapeColumn,
           "'" + S.Name + "': " + S.EscapeWhat);
    if (auto Unseen = checkLaunchesSeen(Facts))
      slot(Unseen->Id, Unseen->Line, Unseen->Column,
           "'" + S.Name + "' lies in dynamic shared memory; " + Unseen->Message);
    if (!S.WritesBeforeCovered)
      slot(ReasonId::TileLiveOutside, S.UseLine, S.UseColumn,
           "'" + S.Name +
               "' is written before the loop, and it is not proved that each "
               "iteration overwrites all of it");
    if (S.ReadAfter)
      slot(ReasonId::TileLiveOutside, S.UseLine, S.UseColumn,
           "bytes of '" + S.Name +
               "' are read after the loop, and it is not proved that they were "
               "written again in between");
  }

  void checkOutside(const SharedVariable &S) {
    if (!S.WritesBeforeCovered)
      slot(ReasonId::TileLiveOutside, S.UseLine, S.UseColumn,
           "'" + S.Name +
               "' is written before the loop, and it is not proved that each "
               "iteration overwrites all of it");
    bool AfterNeedsLastSlot = S.ReadAfter;
    if (AfterNeedsLastSlot && (S.MentionedBefore || Facts.InsideLoop))
      slot(ReasonId::TileLiveOutside, S.UseLine, S.UseColumn,
           "'" + S.Name + "' is used before the loop and read after it");
    if (S.MentionedAfter && !S.MentionedBefore &&
        (!S.AfterUsesInScope || !Facts.ParentIsCompound))
      slot(ReasonId::TileLiveOutside, S.UseLine, S.UseColumn,
           "'" + S.Name + "' is used after the loop, outside its block");
  }

  const LoopFacts &Facts;
  Verdict &V;
  std::set<VarId> Variant;
};

} // namespace

void checkTiles(const LoopFacts &Facts, Verdict &V) {
  TileChecker(Facts, V).run();
}

} // namespace pipeline_rewrite
