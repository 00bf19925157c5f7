#include "Plan/Transports.h"
#include "Analysis/StorePlaces.h"
#include "Plan/WrittenTwice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

namespace pipeline_rewrite {

namespace {

bool isAsyncSize(unsigned Bytes) {
  return Bytes == 4 || Bytes == 8 || Bytes == 16;
}

const GlobalLoad *loadWithin(const Node &N, TextRange Value) {
  for (const GlobalLoad &L : N.Loads)
    if (Value.contains(L.Range))
      return &L;
  return nullptr;
}

/// The one definition of \p V in the copy phase, or null.
const CopyLeaf *definitionOf(const std::vector<CopyLeaf> &Leaves, VarId V) {
  const CopyLeaf *Found = nullptr;
  for (const CopyLeaf &Leaf : Leaves)
    for (const VarRef &R : Leaf.Statement->Refs)
      if (R.Var == V && R.Write) {
        if (Found && Found->Statement != Leaf.Statement)
          return nullptr;
        Found = &Leaf;
      }
  return Found;
}

bool isReadElsewhere(const LoopFacts &Facts, VarId V, const Node *Except) {
  bool Read = false;
  std::function<void(const Node &)> Visit = [&](const Node &N) {
    if (&N != Except)
      for (const VarRef &R : N.Refs)
        Read |= R.Var == V && R.Read;
    for (const Node &Child : N.Children)
      Visit(Child);
  };
  for (const Node &N : Facts.Body)
    Visit(N);
  return Read;
}

/// Does anything between two leaves change what the load's address is made of?
bool addressChanges(const std::vector<CopyLeaf> &Leaves, const Node *From,
                    const Node *To, const GlobalLoad &Load) {
  bool Between = false;
  for (const CopyLeaf &Leaf : Leaves) {
    if (Leaf.Statement == To)
      return false;
    if (Between)
      for (const VarRef &W : Leaf.Statement->Refs)
        for (const VarRef &R : Load.Refs)
          if (W.Write && W.Var == R.Var)
            return true;
    Between |= Leaf.Statement == From;
  }
  return true;
}

std::string whyNotBytes(const LoopFacts &Facts, const GlobalLoad &L,
                        const TileStore &S) {
  if (L.Volatile)
    return "the source is volatile";
  for (ObjectId Id : L.Objects)
    if (Facts.Objects[Id].Where != Space::Global || !Facts.Objects[Id].OfKernel)
      return "the source is not known to lie in global memory";
  if (S.Conditional)
    return "it stands in an arm of a conditional expression";
  if (!L.Addressable)
    return "the value comes from a call, which has no address to copy from";
  if (!L.RangeIsEditable || !S.EditableDestination)
    return "the copy is spelled inside a macro";
  if (!L.TriviallyCopyable)
    return "its type is not trivially copyable";
  if (L.TypeOpen || L.Bytes == 0 || S.Bytes == 0)
    return "the size of its type depends on a template parameter";
  if (!isAsyncSize(L.Bytes) || L.Bytes != S.Bytes)
    return "it moves " + std::to_string(L.Bytes) +
           " bytes at a time; cp.async moves 4, 8 or 16";
  return "";
}

/// The least alignment that \p N relies on where it touches one of \p Objects within
/// \p Range, in bytes.
unsigned alignmentWithin(const Node &N, TextRange Range, EffectKind Kind,
                         llvm::ArrayRef<ObjectId> Objects) {
  std::optional<unsigned> Least;
  for (const Effect &E : N.Effects)
    if (E.Kind == Kind && E.Object && llvm::is_contained(Objects, *E.Object) &&
        Range.contains(E.Range))
      Least = std::min(E.Alignment, Least.value_or(E.Alignment));
  return Least.value_or(0);
}

/// A class that is copied as a whole may be aligned to less than its size; then so
/// may be the tile in slot 0.
std::string whyNotAligned(const Node &From, const GlobalLoad &L, const Node &To,
                          const TileStore &S) {
  unsigned Source = alignmentWithin(From, L.Range, EffectKind::Read, L.Objects);
  unsigned Place = alignmentWithin(To, To.Range, EffectKind::Write, S.Tile);
  unsigned Known = std::min(Source, Place);
  if (Known >= L.Bytes)
    return "";
  return "it moves " + std::to_string(L.Bytes) + " bytes whose type is aligned to " +
         std::to_string(Known) + "; cp.async needs both addresses aligned to the size";
}

} // namespace

AsyncMatch matchAsyncCopy(const LoopFacts &Facts,
                          const std::vector<CopyLeaf> &Leaves,
                          const CopyLeaf &Leaf, const TileStore &S,
                          llvm::StringRef Buffer) {
  auto Text = [&](TextRange R) { return Buffer.slice(R.Begin, R.End); };
  AsyncMatch Match;
  AsyncCopy Copy;
  Copy.Statement = Leaf.Statement;
  Copy.Store = &S;
  const Node *Branch = Leaf.Control.empty() ? nullptr : Leaf.Control.back();
  bool InBranch = Branch && Branch->Kind == NodeKind::If && Branch->HasElse;
  auto ArmOf = [&](const Node &Statement) {
    return Branch->Children[0].Range.contains(Statement.Range) ? 0 : 1;
  };
  auto PlaceIn = [&](const Node &Statement, const TileStore &Store) {
    StorePlaces Arm(Store.Tile);
    Arm.learn(*Branch);
    Arm.add(Branch->Children[ArmOf(Statement)]);
    return Arm.known() ? Arm.placeOf(Store) : std::to_string(ArmOf(Statement));
  };
  auto Partner = [&](ValueKind Wanted, bool Loads) -> const CopyLeaf * {
    for (const CopyLeaf &Other : Leaves) {
      if (Other.Control != Leaf.Control ||
          ArmOf(*Other.Statement) == ArmOf(*Leaf.Statement))
        continue;
      for (const TileStore &T : Other.Statement->Stores)
        if (T.Tile == S.Tile &&
            (Loads ? T.Kind == ValueKind::Load || T.Kind == ValueKind::Temporary
                   : T.Kind == Wanted) &&
            PlaceIn(*Other.Statement, T) == PlaceIn(*Leaf.Statement, S))
          return &Other;
    }
    return nullptr;
  };
  if (Leaf.Statement->Kind != NodeKind::Expression ||
      Leaf.Statement->Stores.size() != 1) {
    Match.Why = "its statement does more than one copy";
    return Match;
  }
  if (S.Kind == ValueKind::Zero) {
    Match.IsZeroArm = InBranch && Partner(ValueKind::Load, true);
    if (!Match.IsZeroArm)
      Match.Why = "part of it is filled with a constant on its own";
    return Match;
  }
  if (S.Kind == ValueKind::Other) {
    Match.Why = "the value is changed on the way";
    return Match;
  }
  const Node *Source = Leaf.Statement;
  TextRange Value = S.Value;
  Copy.Guard = S.Guard;
  Copy.GuardNegated = S.GuardNegated;
  if (S.Kind == ValueKind::Temporary) {
    const CopyLeaf *Def = definitionOf(Leaves, *S.Source);
    Match.Why = "the value goes through a variable that is used elsewhere";
    if (!Def || Def->Control != Leaf.Control ||
        Facts.Variables[*S.Source].Scope != VarScope::Body ||
        isReadElsewhere(Facts, *S.Source, Leaf.Statement) ||
        Def->Statement->Definitions.size() != 1 ||
        Def->Statement->Declares.size() > 1)
      return Match;
    if (InBranch && ArmOf(*Def->Statement) != ArmOf(*Leaf.Statement))
      return Match;
    const Definition &D = Def->Statement->Definitions.front();
    if (D.Kind != ValueKind::Load && D.Kind != ValueKind::GuardedLoad) {
      Match.Why = "the value is changed on the way";
      return Match;
    }
    Source = Def->Statement;
    Value = Source->Range;
    Copy.Guard = D.Guard;
    Copy.GuardNegated = D.GuardNegated;
    Copy.Temporary = Source;
  }
  Copy.Load = Source->Loads.size() == 1 ? loadWithin(*Source, Value) : nullptr;
  if (!Copy.Load) {
    Match.Why = "the value is changed on the way";
    return Match;
  }
  if (Copy.Temporary &&
      addressChanges(Leaves, Source, Leaf.Statement, *Copy.Load))
    return Match;
  Match.Why = whyNotBytes(Facts, *Copy.Load, S);
  if (Match.Why.empty())
    Match.Why = whyNotAligned(*Source, *Copy.Load, *Leaf.Statement, S);
  if (!Match.Why.empty())
    return Match;
  if (InBranch) {
    // The other arm must fill the same element with zero.
    const CopyLeaf *Zero = Partner(ValueKind::Zero, false);
    if (!Zero || !Copy.Guard.empty()) {
      Match.Why = "its guard does not fill with zero";
      return Match;
    }
    Copy.Branch = Branch;
    Copy.ZeroArm = Zero->Statement;
    Copy.Guard = Branch->Header;
    Copy.GuardNegated = ArmOf(*Leaf.Statement) == 1;
  }
  Match.Copy = Copy;
  return Match;
}

/// Why the callee's statements do not stand there instead, behind a colon.
static std::string whyNotExpanded(const LoopFacts &Facts, const Node &Call) {
  for (const CallExpansion &E : Facts.Expansions)
    if (E.Call.Begin == Call.Range.Begin && !E.WhyNot.empty())
      return ", whose body cannot stand in its place: " + E.WhyNot;
  return "";
}

/// A zero-filling copy replaces the whole `if` it comes from, so everything in
/// that `if` has to be such a copy.
static void keepBranchesTogether(const LoopFacts &Facts,
                                 const std::vector<CopyLeaf> &Leaves,
                                 std::vector<TilePlan> &Tiles,
                                 llvm::StringRef Buffer) {
  auto TileOf = [&](const TileStore &S) {
    return llvm::find_if(Tiles, [&](const TilePlan &T) { return T.Tile == S.Tile; });
  };
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const CopyLeaf &Leaf : Leaves)
      for (const TileStore &S : Leaf.Statement->Stores) {
        auto Tile = TileOf(S);
        if (Tile == Tiles.end() || !Tile->WhyLdg.empty())
          continue;
        AsyncMatch Match = matchAsyncCopy(Facts, Leaves, Leaf, S, Buffer);
        if (!Match.Copy || !Match.Copy->Branch)
          continue;
        for (const CopyLeaf &Other : Leaves) {
          if (!llvm::is_contained(Other.Control, Match.Copy->Branch) ||
              Other.Statement->Kind == NodeKind::Empty)
            continue;
          bool Fits = Other.Statement->Stores.size() == 1 &&
                      TileOf(Other.Statement->Stores[0]) != Tiles.end() &&
                      TileOf(Other.Statement->Stores[0])->WhyLdg.empty();
          if (Fits || !Tile->WhyLdg.empty())
            continue;
          Tile->WhyLdg = "its guard also decides about something else";
          Tile->CopyBytes = 0;
          Changed = true;
        }
      }
  }
}

/// How every slot of \p S keeps the alignment that its accesses rely on. Of a template
/// that nobody instantiates here any size may come: its slots are padded. Where sizes
/// are known and none needs it, the text stays plain, and an assertion speaks for those
/// of other files.
static void alignSlots(const SharedVariable &S, bool IsTemplate,
                       const std::map<std::string, unsigned> &PadTo, TilePlan &T) {
  unsigned Needed = std::max(S.AccessAlignment, S.DeclaredAlignment);
  if (Needed <= 1)
    return;
  bool Uneven = S.Bytes % Needed != 0 || S.AssumedBytes % Needed != 0;
  bool Open = S.IsStaticArray && !S.Bytes && !S.AssumedBytes && !S.MemberType.empty() &&
              Needed > S.ElementBytes;
  auto Other = PadTo.find(S.Name);
  if (Uneven || Open || Other != PadTo.end()) {
    T.PadTo = std::max(Needed, Other != PadTo.end() ? Other->second : 0);
    T.SlotAlignment = T.PadTo;
  } else if (Needed > S.ElementBytes) {
    T.Alignment = S.DeclaredAlignment ? 0 : Needed;
    T.CheckSlotSize = S.Bytes == 0 || IsTemplate;
    T.SlotAlignment = Needed;
  }
}

std::vector<TilePlan> qualifyTiles(const LoopFacts &Facts, const Verdict &V,
                                   const std::map<std::string, unsigned> &PadTo,
                                   llvm::StringRef Buffer) {
  std::vector<CopyLeaf> Leaves = copyLeaves(Facts, V.Split);
  std::vector<TilePlan> Tiles;
  for (ObjectId Id : V.Tiles) {
    TilePlan T;
    T.Tile = Id;
    T.Name = Facts.Objects[Id].Name;
    const SharedVariable *Variable = nullptr;
    for (const SharedVariable &S : Facts.Shared)
      if (S.Object == Id)
        Variable = &S;
    if (Variable) {
      T.Bytes = Variable->Bytes;
      T.SymbolicBytes = Variable->SymbolicBytes;
      if (!Variable->Part)
        alignSlots(*Variable, Facts.IsTemplate, PadTo, T);
    }
    for (const CopyLeaf &Leaf : Leaves) {
      if (Leaf.Statement->WholeCall) {
        T.WhyLdg = "it is filled by a call" + whyNotExpanded(Facts, *Leaf.Statement);
        break;
      }
      for (const TileStore &S : Leaf.Statement->Stores) {
        if (S.Tile != Id || !T.WhyLdg.empty())
          continue;
        AsyncMatch Match = matchAsyncCopy(Facts, Leaves, Leaf, S, Buffer);
        if (Match.IsZeroArm)
          continue;
        T.WhyLdg = Match.Why;
        if (T.WhyLdg.empty() && !(Variable && Variable->StoredOnce) &&
            writesTwice(Leaves, Leaf, S))
          T.WhyLdg = "one of its elements may be copied twice, and "
                     "asynchronous copies have no order";
        if (!Match.Copy)
          continue;
        unsigned Bytes = Match.Copy->Load->Bytes;
        T.CopyBytes = T.CopyBytes ? std::min(T.CopyBytes, Bytes) : Bytes;
        // In the dynamic block the stride sees to it.
        if (T.padded(T.Bytes) % Bytes != 0 && !(Variable && Variable->Part))
          T.WhyLdg = "a second slot would not be aligned to " +
                     std::to_string(Bytes) + " bytes";
      }
    }
    if (T.CopyBytes == 0 && T.WhyLdg.empty())
      T.WhyLdg = "nothing of it is loaded from global memory unchanged";
    if (!T.WhyLdg.empty())
      T.CopyBytes = 0;
    Tiles.push_back(std::move(T));
  }
  keepBranchesTogether(Facts, Leaves, Tiles, Buffer);
  return Tiles;
}

std::set<const Node *> asyncTemporaries(const LoopFacts &Facts,
                                        const Verdict &V,
                                        const std::vector<TilePlan> &Tiles,
                                        llvm::StringRef Buffer) {
  std::set<const Node *> Result;
  std::vector<CopyLeaf> Leaves = copyLeaves(Facts, V.Split);
  for (const CopyLeaf &Leaf : Leaves)
    for (const TileStore &S : Leaf.Statement->Stores)
      for (const TilePlan &T : Tiles) {
        if (T.Tile != S.Tile || T.How != Transport::CpAsync)
          continue;
        AsyncMatch Match = matchAsyncCopy(Facts, Leaves, Leaf, S, Buffer);
        if (Match.Copy && Match.Copy->Temporary)
          Result.insert(Match.Copy->Temporary);
      }
  return Result;
}

std::vector<StagedLoad> stageLoads(const LoopFacts &Facts, const Verdict &V,
                                   const CopySlice &Slice,
                                   const std::vector<TilePlan> &Tiles,
                                   llvm::StringRef Buffer, FreshNames &Names,
                                   std::vector<Reason> &Failures) {
  std::vector<StagedLoad> Staged;
  std::set<const Node *> Temporaries =
      asyncTemporaries(Facts, V, Tiles, Buffer);
  auto Fail = [&](ReasonId Id, const Node &At, std::string Message) {
    Failures.push_back({Id, At.Line, At.Column, std::move(Message)});
  };
  for (const CopyLeaf &Leaf : copyLeaves(Facts, V.Split)) {
    const Node &N = *Leaf.Statement;
    LeafRole Role = roleOf(Leaf, Slice, V.Tiles);
    if (N.WholeCall || (!Role.Stores && !Role.Value) || N.Loads.empty() ||
        Role.Address)
      continue;
    bool ByLdg = !Role.Stores && !Temporaries.count(&N);
    for (const TilePlan &T : Tiles)
      for (const TileStore &S : N.Stores)
        ByLdg |= S.Tile == T.Tile && T.How == Transport::Ldg;
    if (!ByLdg)
      continue;
    if (N.Kind != NodeKind::Expression && N.Kind != NodeKind::Declaration)
      Fail(ReasonId::Registers, N,
           "this statement cannot be split into a load and a store");
    for (const GlobalLoad &L : N.Loads) {
      StagedLoad S;
      S.Load = L.Range;
      S.Type = L.Type;
      S.Bytes = L.Bytes;
      if (N.Stores.size() == 1 && N.Stores[0].Kind == ValueKind::GuardedLoad &&
          N.Stores[0].Value.contains(L.Range)) {
        S.Load = N.Stores[0].Value; // with its guard and its zero
        S.Type = L.Type.empty() ? "" : N.Stores[0].Type;
      }
      S.EmptyInit = L.EmptyInit;
      if (L.TypeOfLoop)
        Fail(ReasonId::Registers, N,
             "the type of what is loaded is declared in the loop, where no register "
             "before it can name it");
      else if (S.Type.empty())
        Fail(ReasonId::Registers, N,
             "the type of what is loaded depends on the template's parameters and "
             "has no name that a register could be declared with");
      if (!L.Assignable)
        Fail(ReasonId::Registers, N,
             "the type of what is loaded has no default constructor or no assignment, "
             "which a register that is filled later needs");
      if (!L.RangeIsEditable)
        Fail(ReasonId::Macro, N, "the load is spelled inside a macro body");
      std::string Base = N.Stores.empty() ? "" : Facts.Objects[N.Stores[0].Tile].Name;
      if (Base.empty() && !N.Definitions.empty())
        Base = Facts.Variables[N.Definitions[0].Var].Name;
      S.Register = Names.get((Base.empty() ? "tile" : Base) + "_next");
      std::variant<CopyArray, NoCopyArray> Array = copyArray(Facts, Leaf);
      if (const auto *None = std::get_if<NoCopyArray>(&Array))
        Fail(ReasonId::Registers, *None->At, None->Why);
      else
        S.Array = std::move(std::get<CopyArray>(Array));
      Staged.push_back(std::move(S));
    }
  }
  return Staged;
}

} // namespace pipeline_rewrite
