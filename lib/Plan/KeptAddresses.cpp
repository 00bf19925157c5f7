#include "Plan/KeptAddresses.h"
#include "Legality/Phases.h"
#include "Plan/Transports.h"
#include "llvm/ADT/STLExtras.h"

namespace pipeline_rewrite {

namespace {

class AddressKeeper {
public:
  AddressKeeper(const LoopFacts &Facts, const Verdict &V, const LoopPlan &Plan,
                llvm::StringRef Buffer, FreshNames &Names)
      : Facts(Facts), V(V), Plan(Plan), Buffer(Buffer), Names(Names),
        Leaves(copyLeaves(Facts, V.Split)),
        Variant(variantVariables(Facts, V.Split)) {}

  std::vector<KeptAddress> run() {
    for (const CopyLeaf &Leaf : Leaves) {
      LeafRole Role = roleOf(Leaf, Plan.Slice, V.Tiles);
      if ((Role.Stores || Role.Value) && !keepLoads(Leaf, Role))
        return {};
    }
    if (Sources == 0)
      return {};
    return std::move(Result);
  }

private:
  /// \returns false if an address depends on the counter and cannot be kept.
  bool keepLoads(const CopyLeaf &Leaf, const LeafRole &Role) {
    const Node &N = *Leaf.Statement;
    if (N.WholeCall || Role.Address || changesMore(N))
      return false;
    for (const GlobalLoad &L : N.Loads) {
      if (!L.Step && movesByItself(L))
        continue;
      if (!L.Step || !keepSource(Leaf, L))
        return false;
    }
    // Nothing about a place in a slot that is a constant changes from tile to tile.
    if (!Plan.hasConstantSlots())
      for (const TileStore &S : N.Stores)
        keepDestination(Leaf, S);
    return true;
  }

  /// Does \p N write another private variable than the one it loads into? What it
  /// does besides would be done where the pointers are set, or not at all.
  static bool changesMore(const Node &N) {
    return llvm::any_of(N.Refs, [&](const VarRef &R) {
      return R.Write && llvm::none_of(N.Definitions, [&](const Definition &D) {
        return D.Var == R.Var;
      });
    });
  }

  /// Is what changes in the address nothing but pointers that the author moves?
  bool movesByItself(const GlobalLoad &L) const {
    return llvm::all_of(L.Refs, [&](const VarRef &R) {
      return !Variant.count(R.Var) || Facts.Variables[R.Var].IsPointer;
    });
  }

  bool isFixed(VarId Var) const {
    return !Variant.count(Var) && !Facts.Variables[Var].AddressKept;
  }

  static bool inCopyLoopsOnly(const CopyLeaf &Leaf) {
    return llvm::all_of(Leaf.Control, [](const Node *Control) {
      return Control->Kind == NodeKind::Loop;
    });
  }

  /// Only the loop's own third part may move the counter.
  bool isCounterKept(VarId Counter) const {
    bool Kept = !Facts.Variables[Counter].AddressKept;
    for (const Node &Statement : Facts.Body)
      visitNodes(Statement, [&](const Node &N) {
        for (const VarRef &R : N.Refs)
          Kept &= !(R.Write && R.Var == Counter);
      });
    return Kept;
  }

  bool keepSource(const CopyLeaf &Leaf, const GlobalLoad &L) {
    const AddressStep &Step = *L.Step;
    const Node &N = *Leaf.Statement;
    bool Changes = llvm::any_of(N.Refs, [&](const VarRef &R) {
      return R.Write && Step.Element.contains(R.Range) && !R.Range.empty();
    });
    if (Changes || !L.Conditions.empty() || !inCopyLoopsOnly(Leaf) ||
        !isCounterKept(Step.Counter) || namesLocal(Facts, Step.Elements) ||
        !llvm::all_of(Step.Uses, [&](VarId Var) { return isFixed(Var); }))
      return false;
    const CopyLeaf *Store = storeOf(Leaf);
    if (!Store)
      return false;
    KeptAddress Kept;
    Kept.Range = Step.Element;
    Kept.IsPointer = Step.IsPointer;
    Kept.Type = Step.ElementType + " *";
    Kept.Advance = Step.Elements;
    Kept.Tile = Store->Statement->Stores.front().Tile;
    Kept.Leaf = asyncStore(*Store) ? Store->Statement : &N;
    if (!enter(std::move(Kept), Leaf, "_from"))
      return false;
    ++Sources;
    return true;
  }

  bool asyncStore(const CopyLeaf &Leaf) const {
    const TilePlan *T = Plan.tile(Leaf.Statement->Stores.front().Tile);
    return T && T->How == Transport::CpAsync;
  }

  /// The leaf that brings what \p Leaf loads into the tile: itself, or the one
  /// whose asynchronous copy takes the place of both. Any of a tile for ldg.
  const CopyLeaf *storeOf(const CopyLeaf &Leaf) const {
    if (!Leaf.Statement->Stores.empty())
      return &Leaf;
    const CopyLeaf *Last = nullptr;
    for (const CopyLeaf &Other : Leaves) {
      if (Other.Statement->Stores.empty() || Other.Control != Leaf.Control)
        continue;
      for (const TileStore &S : Other.Statement->Stores) {
        AsyncMatch Match = matchAsyncCopy(Facts, Leaves, Other, S, Buffer);
        if (asyncStore(Other) && Match.Copy &&
            Match.Copy->Temporary == Leaf.Statement)
          return &Other;
        if (!asyncStore(Other))
          Last = &Other;
      }
    }
    return Last;
  }

  /// Where a copy goes, if that is the same place of its slot for each tile.
  void keepDestination(const CopyLeaf &Leaf, const TileStore &S) {
    const Node &N = *Leaf.Statement;
    const TilePlan *T = Plan.tile(S.Tile);
    bool Unchanged = S.Kind == ValueKind::Load ||
                     (S.Kind == ValueKind::Temporary && asyncStore(Leaf));
    uint64_t Slot = T ? (T->Names.empty() ? T->padded(T->Bytes) : Plan.Block->Stride) : 0;
    if (!T || Plan.Stages < 2 || !Unchanged || S.Compound || !S.EditableDestination ||
        S.Type.empty() || S.Bytes == 0 || Slot == 0 || Slot % S.Bytes != 0 ||
        S.LocalType || !inCopyLoopsOnly(Leaf) || isTypeOpen(Leaf, S))
      return;
    bool Fixed = llvm::all_of(S.DestinationRefs, [&](const VarRef &R) {
      return isFixed(R.Var) && !R.Write && !R.InMacro;
    });
    bool ReadsMemory = llvm::any_of(N.Effects, [&](const Effect &E) {
      return S.Destination.contains(E.Range) && E.Object != S.Tile;
    });
    if (!Fixed || ReadsMemory)
      return;
    KeptAddress Kept;
    Kept.Range = S.Destination;
    Kept.Type = S.Type + " *";
    Kept.Tile = S.Tile;
    Kept.Leaf = &N;
    enter(std::move(Kept), Leaf, "_to");
  }

  /// Does every instantiation copy another type?
  bool isTypeOpen(const CopyLeaf &Leaf, const TileStore &S) const {
    if (!Facts.IsTemplate)
      return false;
    if (Leaf.Statement->Loads.size() == 1)
      return Leaf.Statement->Loads.front().TypeOpen;
    AsyncMatch Match = matchAsyncCopy(Facts, Leaves, Leaf, S, Buffer);
    return !Match.Copy || Match.Copy->Load->TypeOpen;
  }

  bool enter(KeptAddress Kept, const CopyLeaf &Leaf, llvm::StringRef Suffix) {
    std::variant<CopyArray, NoCopyArray> Array = copyArray(Facts, Leaf);
    // Pointers in local memory are worse than none: bf16 wmma 0.74x of what it
    // has with indices (one H200).
    if (!std::holds_alternative<CopyArray>(Array) || std::get<CopyArray>(Array).Shifted)
      return false;
    Kept.Array = std::move(std::get<CopyArray>(Array));
    Kept.Pointer = Names.get(Facts.Objects[Kept.Tile].Name + Suffix.str());
    Result.push_back(std::move(Kept));
    return true;
  }

  const LoopFacts &Facts;
  const Verdict &V;
  const LoopPlan &Plan;
  llvm::StringRef Buffer;
  FreshNames &Names;
  std::vector<CopyLeaf> Leaves;
  std::set<VarId> Variant;
  std::vector<KeptAddress> Result;
  unsigned Sources = 0;
};

} // namespace

std::vector<KeptAddress> keepAddresses(const LoopFacts &Facts, const Verdict &V,
                                       const LoopPlan &Plan, llvm::StringRef Buffer,
                                       FreshNames &Names) {
  return AddressKeeper(Facts, V, Plan, Buffer, Names).run();
}

bool storesAnyTime(const LoopFacts &Facts, const Verdict &V, const LoopPlan &Plan) {
  std::set<VarId> Variant = variantVariables(Facts, V.Split);
  for (const CopyLeaf &Leaf : copyLeaves(Facts, V.Split)) {
    const Node &N = *Leaf.Statement;
    if (!Plan.Places.Late.count(&N))
      continue;
    for (const Node *Control : Leaf.Control)
      if (Control->Kind != NodeKind::Loop || !Control->Counted)
        return false;
    // Nothing is done to what was loaded: behind the last tile nothing was.
    for (const TileStore &S : N.Stores)
      if (S.Kind != ValueKind::Load)
        return false;
    for (const VarRef &R : N.Refs)
      if (!Plan.isStaged(R.Range) && (Variant.count(R.Var) || Plan.Slice.Ahead.count(R.Var)))
        return false;
    for (const Effect &E : N.Effects)
      if (!Plan.isStaged(E.Range) && (E.Kind != EffectKind::Write || !E.Object ||
                               !V.Tiles.count(*E.Object)))
        return false;
  }
  return true;
}

} // namespace pipeline_rewrite
