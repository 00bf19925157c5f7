#include "Rewrite/PhaseText.h"
#include "Rewrite/TextStyle.h"
#include "Legality/Phases.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

using llvm::StringRef;

namespace pipeline_rewrite {

PhaseText::PhaseText(const PlannedLoop &Loop, StringRef Buffer)
    : Facts(*Loop.Facts), V(*Loop.Judgement), Plan(*Loop.Plan), Buffer(Buffer),
      Leaves(copyLeaves(Facts, V.Split)),
      Temporaries(asyncTemporaries(Facts, V, Plan.Tiles, Buffer)) {}

std::string PhaseText::name(VarId Var, bool Ahead) const {
  bool Clone = Ahead && Plan.Places.Cloned.count(Var);
  return Clone ? Plan.AheadNames.at(Var) : Facts.Variables[Var].Name;
}

/// \p Range with the changes inside it made; changes that lie within another
/// change are part of it already.
std::string PhaseText::render(TextRange Range, std::vector<Change> Changes) const {
  llvm::stable_sort(Changes, [](const Change &A, const Change &B) {
    return A.first.Begin < B.first.Begin ||
           (A.first.Begin == B.first.Begin && A.first.End > B.first.End);
  });
  std::string Result;
  unsigned At = Range.Begin;
  for (const Change &C : Changes) {
    if (C.first.Begin < At || C.first.End > Range.End)
      continue;
    Result += text({At, C.first.Begin});
    Result += C.second;
    At = C.first.End;
  }
  return Result + text({At, Range.End}).str();
}

void PhaseText::rename(const std::vector<VarRef> &Refs,
                       std::vector<Change> &Changes) const {
  for (const VarRef &R : Refs) {
    if (!Plan.Places.Cloned.count(R.Var))
      continue;
    if (!R.InMacro && !R.Range.empty())
      Changes.push_back({R.Range, Plan.AheadNames.at(R.Var)});
  }
}

/// Names in macro bodies cannot be renamed; a reference has to stand in.
void PhaseText::noteMacros(const std::vector<VarRef> &Refs,
                           std::set<std::string> &Rebound) const {
  for (const VarRef &R : Refs)
    if (R.InMacro && Plan.Places.Cloned.count(R.Var))
      Rebound.insert(Facts.Variables[R.Var].Name);
}

std::string PhaseText::renamed(TextRange Range,
                               const std::vector<VarRef> &Refs) const {
  std::vector<Change> Changes;
  rename(Refs, Changes);
  return render(Range, std::move(Changes));
}

/// `As_to[i] + fill * (sizeof(As_slots[0]) / sizeof(int4))`
std::string PhaseText::placeInSlot(const KeptAddress &Kept,
                                   const std::string &Slot) const {
  if (Slot == "0")
    return Kept.indexed();
  const TilePlan &T = *Plan.tile(Kept.Tile);
  StringRef Type = StringRef(Kept.Type).drop_back(2);
  std::string Elements =
      T.Names.empty()
          ? "(sizeof(" + T.SlotsName + "[0]) / sizeof(" + Type.str() + "))"
          : "(" + Plan.StrideName + " / sizeof(" + Type.str() + "))";
  return Kept.indexed() + " + " + parenthesised(Slot) + " * " + Elements;
}

/// Puts pointers where \p Within spells the addresses that are kept in them.
void PhaseText::useKept(TextRange Within, const std::string &Slot,
                        std::vector<Change> &Changes) const {
  for (const KeptAddress &K : Plan.Kept) {
    if (!Within.contains(K.Range))
      continue;
    std::string Pointer = K.Advance.empty() ? placeInSlot(K, Slot) : K.indexed();
    if (Pointer != K.indexed())
      Pointer = "(" + Pointer + ")";
    if (K.IsPointer)
      Changes.push_back({withSpaceAround(K.Range), Pointer});
    else
      Changes.push_back({K.Range, dereferenced(Pointer, K.Range)});
  }
}

/// `*p`, in parentheses where what stands around would bind closer.
std::string PhaseText::dereferenced(const std::string &Pointer, TextRange At) const {
  StringRef After = Buffer.drop_front(At.End).ltrim();
  bool Bound = !(After.starts_with(";") || After.starts_with(")") ||
                 After.starts_with(",") || After.starts_with("=")) ||
               Buffer.take_front(At.Begin).ends_with("/");
  return Bound ? "(*" + Pointer + ")" : "*" + Pointer;
}

/// \p Range with the blanks between it and parentheses around it.
TextRange PhaseText::withSpaceAround(TextRange Range) const {
  StringRef Before = Buffer.take_front(Range.Begin).rtrim();
  StringRef After = Buffer.drop_front(Range.End).ltrim();
  if (!Before.ends_with("(") || !After.starts_with(")"))
    return Range;
  return {unsigned(Before.size()), unsigned(Buffer.size() - After.size())};
}

std::string PhaseText::withKept(TextRange Range, const std::vector<VarRef> &Refs,
                                const std::string &Slot) const {
  std::vector<Change> Changes;
  rename(Refs, Changes);
  useKept(Range, Slot, Changes);
  return render(Range, std::move(Changes));
}

/// `&As[i]`; of `*p` it is p.
static std::string addressOf(StringRef Place) {
  if (!Place.consume_front("*"))
    return "&" + Place.str();
  return Place.ltrim().str();
}

/// `As_from[i] = &A[row * K + k_next];` and the like for what \p N copies.
PhaseText::Lines PhaseText::startOfKept(const Node &N) const {
  Lines Result;
  for (const KeptAddress &K : Plan.Kept)
    if (N.Range.contains(K.Range)) {
      std::string Place = renamed(K.Range, N.Refs);
      Result.push_back(K.indexed() + " = " + (K.IsPointer ? Place : addressOf(Place)) +
                       ";");
    }
  return Result;
}

/// Behind a copy its pointers move on to the next tile.
PhaseText::Lines PhaseText::advanceOfKept(const Node &N) const {
  Lines Result;
  for (const KeptAddress &K : Plan.Kept)
    if (K.Leaf == &N && !K.Advance.empty())
      Result.push_back(K.indexed() + " += " + K.Advance + ";");
  return Result;
}

/// Is \p N the whole body of a loop or a branch, without braces?
bool PhaseText::isAlone(const Node &N) const {
  bool Alone = false;
  for (size_t I : V.Split.Copy)
    visitNodes(Facts.Body[I], [&](const Node &Each) {
      for (const Node &Child : Each.Children)
        Alone |= &Child == &N && Each.Kind != NodeKind::Block;
    });
  return Alone;
}

/// Several statements in the place of \p N.
std::string PhaseText::asStatement(const Node &N, const Lines &Parts) const {
  std::string Indent = "\n" + lineIndent(Buffer, N.Range.Begin).str();
  if (Parts.size() == 1 || !isAlone(N))
    return llvm::join(Parts, Indent);
  return "{" + Indent + "  " + llvm::join(Parts, Indent + "  ") + Indent + "}";
}

const CopyLeaf *PhaseText::leafOf(const Node &N) const {
  for (const CopyLeaf &Leaf : Leaves)
    if (Leaf.Statement == &N)
      return &Leaf;
  return nullptr;
}

bool PhaseText::keeps(const Node &N, CopyMode Mode) const {
  switch (Mode) {
  case CopyMode::Whole:
    return Plan.Places.Whole.count(&N);
  case CopyMode::Early:
    return Plan.Places.Early.count(&N);
  case CopyMode::Late:
    return Plan.Places.Late.count(&N);
  case CopyMode::Current:
    return Plan.Places.Current.count(&N);
  case CopyMode::Point:
    return Plan.Places.Point.count(&N);
  }
  return false;
}

std::optional<AsyncMatch> PhaseText::asyncMatch(const Node &N) const {
  const CopyLeaf *Leaf = leafOf(N);
  for (const TileStore &S : N.Stores) {
    const TilePlan *T = Plan.tile(S.Tile);
    if (Leaf && T && T->How == Transport::CpAsync)
      return matchAsyncCopy(Facts, Leaves, *Leaf, S, Buffer);
  }
  return std::nullopt;
}

/// Where an asynchronous copy goes, as an address.
std::string PhaseText::destination(const AsyncCopy &Copy, const Purpose &For) const {
  const TextRange &Range = Copy.Store->Destination;
  for (const KeptAddress &K : Plan.Kept)
    if (K.Range.Begin == Range.Begin && K.Range.End == Range.End)
      return placeInSlot(K, For.Slot);
  return addressOf(renamed(Range, Copy.Statement->Refs));
}

/// `__pipeline_memcpy_async(&dst, &src, sizeof(T)[, cond ? 0 : sizeof(T)])`
std::string PhaseText::asyncCopy(const AsyncCopy &Copy, const Purpose &For) const {
  const Node &Source = Copy.Temporary ? *Copy.Temporary : *Copy.Statement;
  std::string Size = "sizeof(" + Copy.Load->Type + ")";
  std::string Call = "__pipeline_memcpy_async(" + destination(Copy, For) + ", " +
                     addressOf(withKept(Copy.Load->Address, Source.Refs, For.Slot)) +
                     ", " + Size;
  if (!Copy.Guard.empty()) {
    const Node &Holder = Copy.Branch ? *Copy.Branch : Source;
    std::string Guard = renamed(Copy.Guard, Holder.Refs);
    bool Simple = llvm::all_of(Guard, [](char C) {
      return llvm::isAlnum(C) || C == '_' || C == '.';
    });
    Call += ", " + (Simple ? Guard : "(" + Guard + ")") + " ? " +
            (Copy.GuardNegated ? Size + " : 0" : "0 : " + Size);
  }
  return Call + ");";
}

/// The loads of a statement, each into its register.
PhaseText::Lines PhaseText::stagedFetch(const Node &N) const {
  Lines Result;
  for (const StagedLoad &S : Plan.Staged) {
    if (!N.Range.contains(S.Load))
      continue;
    std::string Line = S.indexed() + " = " + withKept(S.Load, N.Refs, "0") + ";";
    for (const GlobalLoad &L : N.Loads) {
      if (!(L.Range.Begin == S.Load.Begin && L.Range.End == S.Load.End))
        continue;
      // The conditions of ?: and && around the load stay with it.
      for (size_t I = L.Conditions.size(); I-- > 0;) {
        std::string Condition = renamed(L.Conditions[I], N.Refs);
        Line = (L.ConditionPolarity[I] ? "if (" + Condition + ") "
                                       : "if (!(" + Condition + ")) ") +
               Line;
      }
    }
    Result.push_back(std::move(Line));
  }
  return Result;
}

/// What takes the place of a statement that does not stay as it is; none of it
/// where it is part of another's asynchronous copy. No value: it stays.
std::optional<PhaseText::Lines> PhaseText::leafLines(const Node &N,
                                                     const Purpose &For) const {
  if (For.Mode == CopyMode::Point) {
    Lines Start = startOfKept(N);
    return Start.empty() ? std::nullopt : std::optional(std::move(Start));
  }
  if (For.Mode == CopyMode::Late)
    return std::nullopt;
  Lines Result;
  std::optional<AsyncMatch> Match = asyncMatch(N);
  if (Match && !Match->Copy)
    return Lines();
  Lines Advance = advanceOfKept(N);
  if (Match)
    Result.push_back(asyncCopy(*Match->Copy, For));
  else if (For.Mode == CopyMode::Early)
    Result = stagedFetch(N);
  if (Result.empty() && Advance.empty())
    return std::nullopt;
  if (Result.empty())
    Result.push_back(withKept(N.Range, N.Refs, For.Slot));
  Result.insert(Result.end(), Advance.begin(), Advance.end());
  return Result;
}

bool PhaseText::projectLeaf(const Node &N, const Purpose &For,
                            std::vector<Change> &Changes,
                            std::set<std::string> &Rebound) const {
  if (!keeps(N, For.Mode))
    return false;
  if (For.Mode == CopyMode::Current)
    return true;
  noteMacros(N.Refs, Rebound);
  if (std::optional<Lines> Instead = leafLines(N, For)) {
    if (!Instead->empty())
      Changes.push_back({N.Range, asStatement(N, *Instead)});
    return !Instead->empty();
  }
  if (For.Mode == CopyMode::Late)
    for (const StagedLoad &S : Plan.Staged)
      if (N.Range.contains(S.Load))
        Changes.push_back({S.Load, S.indexed()});
  useKept(N.Range, For.Slot, Changes);
  rename(N.Refs, Changes);
  return true;
}

/// `if (g) tile = load; else tile = 0;` as one zero-filling copy.
bool PhaseText::replaceBranch(const Node &N, const Purpose &For,
                              std::vector<Change> &Changes) const {
  if (For.Mode != CopyMode::Whole && For.Mode != CopyMode::Early)
    return false;
  Lines Copies;
  visitNodes(N, [&](const Node &Leaf) {
    std::optional<AsyncMatch> Match = asyncMatch(Leaf);
    if (Match && Match->Copy && Match->Copy->Branch == &N)
      Copies.push_back(asyncCopy(*Match->Copy, For));
  });
  if (Copies.empty())
    return false;
  Changes.push_back({N.Range, asStatement(N, Copies)});
  return true;
}

bool PhaseText::projectIf(const Node &N, const Purpose &For,
                          std::vector<Change> &Changes,
                          std::set<std::string> &Rebound) const {
  if (replaceBranch(N, For, Changes))
    return true;
  std::vector<Change> Inner;
  std::vector<bool> Kept;
  for (const Node &Child : N.Children)
    Kept.push_back(project(Child, For, Inner, Rebound));
  if (llvm::none_of(Kept, [](bool B) { return B; }))
    return false;
  if (!Kept[0])
    Inner.push_back({N.Children[0].Range, "{\n}"});
  if (Kept.size() > 1 && !Kept[1])
    Inner.push_back(
        {{N.Children[0].Range.End, N.Children[1].Range.End}, ""});
  Changes.insert(Changes.end(), Inner.begin(), Inner.end());
  return true;
}

bool PhaseText::startsLine(const Node &N) const {
  StringRef Before = Buffer.take_front(N.Range.Begin);
  return Before.substr(Before.find_last_of('\n') + 1).trim().empty();
}

/// Enters what has to change in \p N's text; false if nothing of it is kept.
bool PhaseText::project(const Node &N, const Purpose &For,
                        std::vector<Change> &Changes,
                        std::set<std::string> &Rebound) const {
  const CopyMode Mode = For.Mode;
  if (N.Children.empty())
    return projectLeaf(N, For, Changes, Rebound);
  bool Any = false;
  if (N.Kind == NodeKind::If) {
    Any = projectIf(N, For, Changes, Rebound);
  } else {
    std::vector<Change> Inner;
    for (const Node &Child : N.Children) {
      bool Kept = project(Child, For, Inner, Rebound);
      Any |= Kept;
      if (!Kept && N.Kind == NodeKind::Block)
        Inner.push_back({Child.Full, ""});
    }
    if (!Any)
      return false;
    Changes.insert(Changes.end(), Inner.begin(), Inner.end());
    bool Registers = Mode == CopyMode::Early || Mode == CopyMode::Late;
    bool Staged = Registers && llvm::any_of(Plan.Staged, [&](const StagedLoad &S) {
      return N.Range.contains(S.Load);
    });
    bool Pointers = Mode != CopyMode::Current &&
                    llvm::any_of(Plan.Kept, [&](const KeptAddress &K) {
                      return N.Range.contains(K.Range);
                    });
    // Registers have no addresses: every index has to become a constant.
    if ((Staged || Pointers) && N.Counted && !N.Counted->HasUnrollPragma)
      Changes.push_back({{N.Range.Begin, N.Range.Begin},
                         startsLine(N) ? "#pragma unroll\n"
                                       : "\n#pragma unroll\n"});
  }
  if (Any && Mode != CopyMode::Current) {
    rename(N.Refs, Changes);
    noteMacros(N.Refs, Rebound);
  }
  return Any;
}

/// What stands before a statement: pragmas always, comments on request.
std::string PhaseText::leading(const Node &N, bool Comments) const {
  StringRef Rest = text({N.Full.Begin, N.Range.Begin});
  return Comments ? Rest.str() : withoutComments(Rest);
}

std::vector<Snippet> PhaseText::copy(CopyMode Mode, StringRef Slot) const {
  std::vector<Snippet> Result;
  for (size_t I : V.Split.Copy) {
    const Node &N = Facts.Body[I];
    if (N.Kind == NodeKind::SharedDeclaration)
      continue;
    Snippet S;
    std::vector<Change> Changes;
    if (!project(N, {Mode, Slot.str()}, Changes, S.RenamedInMacros))
      continue;
    bool Comments = Mode == CopyMode::Whole || Mode == CopyMode::Early;
    S.Text = leading(N, Comments) + render(N.Range, std::move(Changes));
    S.OldIndent = lineIndent(Buffer, N.Range.Begin).str();
    Result.push_back(std::move(S));
  }
  return Result;
}

bool PhaseText::touches(CopyMode Mode, ObjectId Tile) const {
  return llvm::any_of(Leaves, [&](const CopyLeaf &Leaf) {
    const Node &N = *Leaf.Statement;
    bool Fetch = Mode == CopyMode::Early && !asyncMatch(N) &&
                 llvm::any_of(Plan.Staged, [&](const StagedLoad &S) {
                   return N.Range.contains(S.Load);
                 });
    // Where pointers are set nothing else of a statement is printed; later on
    // they stand for what they keep.
    bool Sets = Mode == CopyMode::Point && !startOfKept(N).empty();
    auto Printed = [&](const Effect &E) {
      bool Kept = llvm::any_of(Plan.Kept, [&](const KeptAddress &K) {
        return K.Range.contains(E.Range);
      });
      return Mode == CopyMode::Point ? Kept || !Sets : !Kept;
    };
    return keeps(N, Mode) && !Fetch &&
           llvm::any_of(N.Effects, [&](const Effect &E) {
             return E.Object == Tile && Printed(E);
           });
  });
}

Snippet PhaseText::statement(size_t Index) const {
  const Node &N = Facts.Body[Index];
  return {leading(N, true) + text(N.Range).str(),
          lineIndent(Buffer, N.Range.Begin).str(),
          {}};
}

std::vector<Snippet>
PhaseText::compute(const std::vector<size_t> &Statements) const {
  std::vector<Snippet> Result;
  for (size_t I : Statements)
    if (!Plan.Places.MovedUpdates.count(I) &&
        Facts.Body[I].Kind != NodeKind::SharedDeclaration)
      Result.push_back(statement(I));
  return Result;
}

std::vector<Snippet> PhaseText::updates() const {
  std::vector<Snippet> Result;
  for (size_t I : Plan.Slice.Updates) {
    const Node &N = Facts.Body[I];
    Snippet S;
    std::vector<Change> Changes;
    visitNodes(N, [&](const Node &Each) {
      rename(Each.Refs, Changes);
    });
    S.Text = render(N.Range, std::move(Changes));
    S.OldIndent = lineIndent(Buffer, N.Range.Begin).str();
    Result.push_back(std::move(S));
  }
  return Result;
}

std::vector<std::string> PhaseText::increments(bool Ahead,
                                               std::optional<VarId> Without) const {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Facts.Increments.size(); ++I) {
    const Node &N = Facts.Increments[I];
    if (Without && llvm::any_of(N.Refs, [&](const VarRef &R) {
          return R.Write && R.Var == *Without;
        }))
      continue;
    bool OfSlice = llvm::is_contained(Plan.Slice.Increments, I);
    bool Stays = !OfSlice || llvm::any_of(N.Refs, [&](const VarRef &R) {
      return R.Write && Plan.Places.Cloned.count(R.Var);
    });
    if (Ahead ? OfSlice : Stays)
      Result.push_back(Ahead ? renamed(N.Range, N.Refs) : text(N.Range).str());
  }
  return Result;
}

std::string PhaseText::condition(bool Ahead) const {
  return Ahead ? renamed(Facts.Condition, Facts.ConditionNode.Refs)
               : text(Facts.Condition).str();
}

} // namespace pipeline_rewrite
