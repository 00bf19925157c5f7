#include "Legality/CopySlice.h"
#include "Legality/Phases.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <functional>
#include <map>

namespace pipeline_rewrite {

namespace {

void collectLeaves(const Node &N, std::vector<const Node *> &Control,
                   std::vector<CopyLeaf> &Out) {
  if (N.Children.empty()) {
    Out.push_back({&N, Control});
    return;
  }
  if (N.Kind != NodeKind::Block)
    Control.push_back(&N);
  for (const Node &Child : N.Children)
    collectLeaves(Child, Control, Out);
  if (N.Kind != NodeKind::Block)
    Control.pop_back();
}

bool storesTo(const Node &N, const std::set<ObjectId> &Tiles) {
  if (N.WholeCall)
    return true;
  return std::any_of(N.Stores.begin(), N.Stores.end(), [&](const TileStore &S) {
    return Tiles.count(S.Tile) != 0;
  });
}

bool writesAny(const Node &N, const std::set<VarId> &Vars) {
  return std::any_of(N.Refs.begin(), N.Refs.end(), [&](const VarRef &R) {
    return R.Write && Vars.count(R.Var);
  });
}

void addReads(const Node &N, std::set<VarId> &To) {
  for (const VarRef &R : N.Refs)
    if (R.Read)
      To.insert(R.Var);
}

/// Reads that stand inside one of the given ranges.
void addReadsWithin(const Node &N, const std::vector<TextRange> &Ranges,
                    std::set<VarId> &To) {
  for (const VarRef &R : N.Refs)
    for (const TextRange &Range : Ranges)
      if (R.Read && (R.Range.empty() || Range.contains(R.Range)))
        To.insert(R.Var);
}

class Slicer {
public:
  Slicer(const LoopFacts &Facts, const Phases &Split,
         const std::set<ObjectId> &Tiles)
      : Facts(Facts), Split(Split), Tiles(Tiles),
        Leaves(copyLeaves(Facts, Split)) {}

  CopySlice run() {
    followValues();
    Rounds = 0;
    // The loop's end needs what its head and its condition need.
    std::set<VarId> AtEnd;
    for (;;) {
      std::set<VarId> Need = AtEnd;
      addReads(Facts.ConditionNode, Need);
      throughIncrements(Need);
      throughCompute(Need);
      throughCopy(Need);
      Exposed = Need;
      size_t Before = AtEnd.size();
      AtEnd.insert(Need.begin(), Need.end());
      addReads(Facts.ConditionNode, AtEnd);
      if (AtEnd.size() == Before && Rounds++ > 0)
        break;
    }
    finish();
    return std::move(Result);
  }

private:
  /// Private variables between a load and the store of its value.
  void followValues() {
    bool Grew = true;
    while (Grew) {
      Grew = false;
      for (const CopyLeaf &Leaf : Leaves) {
        const Node &N = *Leaf.Statement;
        if (!storesTo(N, Tiles) && !writesAny(N, Result.ValueVars))
          continue;
        std::set<VarId> Flowing = valueReads(N);
        for (VarId V : Flowing)
          if (writtenInCopy(V))
            Grew |= Result.ValueVars.insert(V).second;
      }
    }
  }

  /// What a leaf reads that reaches the value, not an address in it.
  std::set<VarId> valueReads(const Node &N) const {
    std::set<VarId> Reads;
    for (const VarRef &R : N.Refs) {
      bool InAddress = false;
      auto Within = [&](const TextRange &Range) {
        InAddress |= Range.contains(R.Range) && !R.Range.empty();
      };
      for (const TileStore &S : N.Stores) {
        if (S.EditableDestination)
          Within(S.Destination);
        Within(S.Guard);
      }
      for (const GlobalLoad &L : N.Loads) {
        Within(L.Range);
        llvm::for_each(L.Conditions, Within);
      }
      if (R.Read && !InAddress)
        Reads.insert(R.Var);
    }
    return Reads;
  }

  bool writtenInCopy(VarId V) const {
    return std::any_of(Leaves.begin(), Leaves.end(), [&](const CopyLeaf &L) {
      return writesAny(*L.Statement, {V});
    });
  }

  bool isFetch(const Node &N) const {
    return storesTo(N, Tiles) || writesAny(N, Result.ValueVars);
  }

  /// Variables that decide the address, the guards and the destination.
  void addRoots(const CopyLeaf &Leaf, std::set<VarId> &Need) {
    const Node &N = *Leaf.Statement;
    std::vector<TextRange> Ranges;
    for (const GlobalLoad &L : N.Loads) {
      Ranges.push_back(L.Range);
      Ranges.insert(Ranges.end(), L.Conditions.begin(), L.Conditions.end());
    }
    for (const TileStore &S : N.Stores) {
      Ranges.push_back(S.Destination);
      if (!S.Guard.empty())
        Ranges.push_back(S.Guard);
    }
    addReadsWithin(N, Ranges, Need);
    if (N.WholeCall)
      addReads(N, Need);
    // A value that the header advances has moved on by the time it is stored.
    for (VarId V : valueReads(N))
      for (const Node &Increment : Facts.Increments)
        if (writesAny(Increment, {V}))
          Need.insert(V);
    for (const Node *Control : Leaf.Control)
      addReads(*Control, Need);
  }

  void throughIncrements(std::set<VarId> &Need) {
    for (size_t I = Facts.Increments.size(); I-- > 0;)
      if (writesAny(Facts.Increments[I], Need)) {
        UsedIncrements.insert(I);
        include(Facts.Increments[I], Need, true);
      }
  }

  void throughCompute(std::set<VarId> &Need) {
    std::vector<size_t> Order = Split.Compute;
    Order.insert(Order.end(), Split.Tail.begin(), Split.Tail.end());
    for (size_t I = Order.size(); I-- > 0;) {
      const Node &N = Facts.Body[Order[I]];
      bool Writes = false;
      visit(N, [&](const Node &Each) { Writes |= writesAny(Each, Need); });
      if (!Writes)
        continue;
      UsedUpdates.insert(Order[I]);
      checkUpdate(N, Need);
      visit(N, [&](const Node &Each) {
        include(Each, Need, &Each == &N && N.Children.empty());
      });
    }
  }

  void throughCopy(std::set<VarId> &Need) {
    for (size_t I = Leaves.size(); I-- > 0;) {
      const CopyLeaf &Leaf = Leaves[I];
      const Node &N = *Leaf.Statement;
      // Inside a copy loop a statement also feeds the ones before it.
      bool Repeats = llvm::any_of(Leaf.Control, [](const Node *Control) {
        return Control->Kind == NodeKind::Loop;
      });
      bool Defines = writesAny(N, Need) ||
                     (Repeats && writesAny(N, Result.AddressVars));
      if (Defines) {
        Result.AddressVars.insert(Need.begin(), Need.end());
        checkPure(N, "an address, guard or bound of the copy");
        include(N, Need, Leaf.Control.empty());
        for (const Node *Control : Leaf.Control)
          addReads(*Control, Need);
      }
      if (isFetch(N))
        addRoots(Leaf, Need);
      // Counters that a copy loop initialises itself come from nowhere else.
      for (const Node *Control : Leaf.Control)
        if (Control->Kind == NodeKind::Loop)
          for (const VarRef &R : Control->Refs)
            if (R.Write && !R.Partial && initialisedBy(*Control, R.Var))
              Need.erase(R.Var);
    }
    Result.AddressVars.insert(Need.begin(), Need.end());
  }

  static bool initialisedBy(const Node &Loop, VarId V) {
    if (std::count(Loop.Declares.begin(), Loop.Declares.end(), V))
      return true;
    for (const Definition &D : Loop.Definitions)
      if (D.Var == V)
        return true;
    return false;
  }

  /// Adds what \p N reads; a full, unconditional write ends the search for a
  /// variable.
  void include(const Node &N, std::set<VarId> &Need, bool Unconditional) {
    if (Unconditional)
      for (const VarRef &R : N.Refs)
        if (R.Write && !R.Partial && !R.Read)
          Need.erase(R.Var);
    for (VarId V : N.Declares)
      Need.erase(V);
    std::set<VarId> Reads;
    addReads(N, Reads);
    for (VarId V : N.Declares)
      Reads.erase(V);
    Need.insert(Reads.begin(), Reads.end());
  }

  static void visit(const Node &N, const std::function<void(const Node &)> &F) {
    F(N);
    for (const Node &Child : N.Children)
      visit(Child, F);
  }

  void fail(const Node &N, std::string Message) {
    for (const Reason &R : Result.Failures)
      if (R.Line == N.Line && R.Column == N.Column)
        return;
    Result.Failures.push_back({ReasonId::AddressDependsOnCompute, N.Line,
                               N.Column, std::move(Message)});
  }

  bool checkPure(const Node &N, const std::string &What) {
    for (const Effect &E : N.Effects) {
      if (E.What == "address")
        continue;
      bool Shared = E.Object && Facts.Objects[*E.Object].Where == Space::Shared;
      if (Shared && E.Kind == EffectKind::Read) {
        fail(N, What + " is read from shared memory ('" +
                    Facts.Objects[*E.Object].Name + "')");
        return false;
      }
      if (E.Kind != EffectKind::Read && !(Shared && E.Kind == EffectKind::Write)) {
        fail(N, What + " comes from a statement with further effects");
        return false;
      }
    }
    return true;
  }

  /// May the statement behind the barrier run ahead, too?
  void checkUpdate(const Node &N, const std::set<VarId> &Need) {
    bool Simple = N.Kind == NodeKind::Expression ||
                  N.Kind == NodeKind::Declaration || N.Kind == NodeKind::If ||
                  N.Kind == NodeKind::Block;
    visit(N, [&](const Node &Each) {
      if (!Simple || Each.Kind == NodeKind::Loop || Each.Kind == NodeKind::Other ||
          Each.MacroFused) {
        fail(N, "the compute phase changes what an address, guard or bound of "
                "the copy needs, in a statement that cannot run ahead");
        return;
      }
      if (!checkPure(Each, "what an address, guard or bound of the copy needs"))
        return;
      for (const Effect &E : Each.Effects)
        if (E.Kind == EffectKind::Write)
          fail(N, "a statement that advances the copy writes shared memory");
    });
  }

  void finish() {
    std::set<VarId> Written;
    auto Collect = [&](const Node &N) {
      for (const VarRef &R : N.Refs)
        if (R.Write)
          Written.insert(R.Var);
    };
    for (size_t I : UsedIncrements)
      Collect(Facts.Increments[I]);
    for (size_t I : UsedUpdates)
      visit(Facts.Body[I], Collect);
    for (const CopyLeaf &Leaf : Leaves)
      if (writesAny(*Leaf.Statement, Exposed))
        Collect(*Leaf.Statement);
    for (VarId V : Exposed)
      if (Written.count(V) && Facts.Variables[V].Scope != VarScope::Body)
        Result.Ahead.insert(V);
    Result.Increments.assign(UsedIncrements.begin(), UsedIncrements.end());
    Result.Updates.assign(UsedUpdates.begin(), UsedUpdates.end());
    checkUpdatesAreOurs();
  }

  /// An update may change nothing that stays behind.
  void checkUpdatesAreOurs() {
    for (size_t I : Result.Updates) {
      const Node &N = Facts.Body[I];
      visit(N, [&](const Node &Each) {
        for (const VarRef &R : Each.Refs)
          if (R.Write && !Result.Ahead.count(R.Var) &&
              Facts.Variables[R.Var].Scope != VarScope::Body)
            fail(N, "'" + Facts.Variables[R.Var].Name +
                        "' changes in the statement that advances the copy, but "
                        "belongs to the compute phase");
      });
    }
  }

  const LoopFacts &Facts;
  const Phases &Split;
  const std::set<ObjectId> &Tiles;
  std::vector<CopyLeaf> Leaves;
  CopySlice Result;
  std::set<VarId> Exposed;
  std::set<size_t> UsedUpdates, UsedIncrements;
  unsigned Rounds = 0;
};

} // namespace

std::vector<CopyLeaf> copyLeaves(const LoopFacts &Facts, const Phases &Split) {
  std::vector<CopyLeaf> Leaves;
  std::vector<const Node *> Control;
  for (size_t I : Split.Copy)
    collectLeaves(Facts.Body[I], Control, Leaves);
  return Leaves;
}

bool advancesAddress(const Node &N, const CopySlice &Slice) {
  return llvm::any_of(N.Refs, [&](const VarRef &R) {
    bool InLoad = llvm::any_of(N.Loads, [&](const GlobalLoad &L) {
      return !R.Range.empty() && L.Range.contains(R.Range);
    });
    return R.Write && !InLoad && Slice.AddressVars.count(R.Var);
  });
}

LeafRole roleOf(const CopyLeaf &Leaf, const CopySlice &Slice,
                const std::set<ObjectId> &Tiles) {
  LeafRole Role;
  Role.Stores = storesTo(*Leaf.Statement, Tiles);
  Role.Value = writesAny(*Leaf.Statement, Slice.ValueVars);
  Role.Address = advancesAddress(*Leaf.Statement, Slice);
  return Role;
}

CopySlice sliceCopies(const LoopFacts &Facts, const Phases &Split,
                      const std::set<ObjectId> &Tiles) {
  return Slicer(Facts, Split, Tiles).run();
}

namespace {

/// Spreads from variables that change to what depends on them: values that are
/// worked out with them, and values that are set or not as they say.
class VarianceSpreader {
public:
  VarianceSpreader(const LoopFacts &Facts, const std::set<VarId> &Counters,
                   std::set<VarId> &Variant)
      : Facts(Facts), Counters(Counters), Variant(Variant) {}

  void run() {
    for (size_t Before = ~size_t(0); Before != Variant.size();) {
      Before = Variant.size();
      Declared.clear();
      for (const Node &N : Facts.Body)
        visit(N, 0);
    }
  }

private:
  bool readsVariant(const Node &N) const {
    bool Varies = std::any_of(N.Effects.begin(), N.Effects.end(),
                              [&](const Effect &E) {
                                return E.Kind == EffectKind::Read && E.Object &&
                                       E.What.empty() &&
                                       !Facts.Objects[*E.Object].ConstObject;
                              });
    for (const VarRef &R : N.Refs)
      Varies |= R.Read && Variant.count(R.Var);
    return Varies;
  }

  /// Does what \p N runs under depend on a variable that changes? Also where a
  /// loop is left as one says.
  bool governs(const Node &N) const {
    if (readsVariant(N))
      return true;
    bool Jumps = false, Reads = false;
    visitNodes(N, [&](const Node &Each) {
      Jumps |= Each.Jumps;
      Reads |= readsVariant(Each);
    });
    return N.Kind == NodeKind::Loop && Jumps && Reads;
  }

  /// \p Depth counts the conditions around that vary. A variable which is declared
  /// under one has, wherever it is used, been set under it.
  void visit(const Node &N, unsigned Depth) {
    for (VarId Var : N.Declares)
      Declared[Var] = Depth;
    bool Varies = readsVariant(N);
    for (const VarRef &R : N.Refs) {
      bool Governed = Depth > Declared[R.Var] && !Counters.count(R.Var);
      if (R.Write && (Varies || Governed))
        Variant.insert(R.Var);
    }
    for (VarId Var : N.Declares)
      if (Varies && Facts.Variables[Var].IsReference)
        Variant.insert(Var);
    unsigned Inner = Depth + (!N.Children.empty() && N.Kind != NodeKind::Block &&
                              governs(N));
    for (const Node &Child : N.Children)
      visit(Child, Inner);
  }

  const LoopFacts &Facts;
  const std::set<VarId> &Counters;
  std::set<VarId> &Variant;
  std::map<VarId, unsigned> Declared; ///< outside of the body: not in here, 0
};

} // namespace

std::set<VarId> variantVariables(const LoopFacts &Facts, const Phases &Split) {
  std::set<VarId> Variant;
  auto AddWrites = [&](const Node &N) {
    for (const VarRef &R : N.Refs)
      if (R.Write && Facts.Variables[R.Var].Scope != VarScope::Body)
        Variant.insert(R.Var);
  };
  std::set<VarId> Counters;
  for (const CopyLeaf &Leaf : copyLeaves(Facts, Split))
    for (const Node *Control : Leaf.Control)
      if (Control->Kind == NodeKind::Loop) {
        Counters.insert(Control->Declares.begin(), Control->Declares.end());
        for (const Definition &D : Control->Definitions)
          Counters.insert(D.Var);
      }
  for (const Node &N : Facts.Increments)
    AddWrites(N);
  std::function<void(const Node &)> Visit = [&](const Node &N) {
    AddWrites(N);
    for (const Node &Child : N.Children)
      Visit(Child);
  };
  for (const Node &N : Facts.Body)
    Visit(N);
  for (VarId V : Counters)
    Variant.erase(V);
  VarianceSpreader(Facts, Counters, Variant).run();
  return Variant;
}

} // namespace pipeline_rewrite
