#include "Analysis/StorePlaces.h"
#include "llvm/ADT/STLExtras.h"

namespace pipeline_rewrite {

namespace {

bool isOwn(const std::vector<VarId> &Own, VarId Var) {
  return llvm::is_contained(Own, Var);
}

/// What a loop's header counts with.
std::vector<VarId> countersOf(const Node &Loop) {
  std::vector<VarId> Counters = Loop.Declares;
  for (const VarRef &R : Loop.Refs)
    if (R.Write && !isOwn(Counters, R.Var))
      Counters.push_back(R.Var);
  return Counters;
}

bool jumps(const Node &N) { return N.Jumps || llvm::any_of(N.Children, jumps); }

} // namespace

std::string StorePlaces::placeOf(const TileStore &Store) const {
  auto Found = ByStore.find(&Store);
  return Found == ByStore.end() ? std::string() : Found->second;
}

void StorePlaces::learn(const Node &N) {
  if (N.Kind == NodeKind::Loop)
    for (VarId Var : countersOf(N))
      CountedSomewhere.insert(Var);
  else
    for (const VarRef &R : N.Refs)
      if (R.Write && !isOwn(N.Declares, R.Var))
        Written.insert(R.Var);
  for (const Node &Child : N.Children)
    learn(Child);
}

void StorePlaces::declareFrom(const Node &N) {
  if (N.Kind == NodeKind::Declaration)
    declare(N);
  for (const Node &Child : N.Children)
    declareFrom(Child);
}

bool StorePlaces::holdsStore(const Node &N) const {
  auto Here = [&](const TileStore &S) { return S.Tile == Tile; };
  return llvm::any_of(N.Stores, Here) ||
         llvm::any_of(N.Children, [&](const Node &C) { return holdsStore(C); });
}

/// \p Text and what its variables are. \p Own ones are spelled in it.
std::string StorePlaces::spelled(const std::string &Text,
                                 const std::vector<VarRef> &Refs,
                                 const std::vector<VarId> &Own) {
  std::string Result = Text;
  for (const VarRef &R : Refs) {
    Result += '|';
    if (isOwn(Own, R.Var))
      continue;
    auto Counter = llvm::find(Counters, R.Var);
    auto Declared = Meaning.find(R.Var);
    // It is another value at another time.
    bool Changes = Written.count(R.Var) ||
                   (Counter == Counters.end() && CountedSomewhere.count(R.Var));
    Known &= !Changes;
    if (Counter != Counters.end()) {
      Result += "@" + std::to_string(Counter - Counters.begin());
    } else if (Declared != Meaning.end()) {
      Result += "(" + Declared->second + ")";
    } else {
      Result += "#" + std::to_string(R.Var);
      if (!Changes)
        Uses.insert(R.Var);
    }
  }
  return Result;
}

/// Several names of one declaration have its text and their place in it.
void StorePlaces::declare(const Node &N) {
  // What comes out of memory may be something else the next time.
  if (!N.Effects.empty())
    return;
  bool KnownBefore = Known;
  std::string Text = spelled(N.Spelled, N.Refs, N.Declares);
  bool HasMeaning = Known;
  Known = KnownBefore;
  if (!HasMeaning)
    return;
  for (size_t I = 0; I < N.Declares.size(); ++I)
    Meaning[N.Declares[I]] = std::to_string(I) + ":" + Text;
}

void StorePlaces::visitIf(const Node &N, const std::string &Control) {
  if (bothArmsStore(N, Tile))
    return visit(N.Children[0], Control);
  if (AtMost) {
    for (const Node &Arm : N.Children)
      visit(Arm, Control);
    return;
  }
  std::string Condition = Control + spelled(N.Spelled, N.Refs) + "?";
  for (size_t Arm = 0; Arm < N.Children.size(); ++Arm)
    visit(N.Children[Arm], Condition + std::to_string(Arm) + ";");
}

void StorePlaces::visitLoop(const Node &N, const std::string &Control) {
  // A header that is not spelled steps somewhere else; a jump may leave rounds out.
  Known &= !N.Spelled.empty() && !jumps(N);
  std::vector<VarId> Own = countersOf(N);
  std::string Inner = Control + spelled(N.Spelled, N.Refs, Own) + ";";
  size_t Around = Counters.size();
  Counters.insert(Counters.end(), Own.begin(), Own.end());
  for (VarId Var : Own)
    Known &= !Written.count(Var);
  for (const Node &Child : N.Children)
    visit(Child, Inner);
  Counters.resize(Around);
}

void StorePlaces::visit(const Node &N, const std::string &Control) {
  if (N.Kind == NodeKind::Declaration)
    declare(N);
  if (!holdsStore(N))
    return;
  Known &= !N.WholeCall && !N.ConditionalCall;
  switch (N.Kind) {
  case NodeKind::If:
    return visitIf(N, Control);
  case NodeKind::Loop:
    return visitLoop(N, Control);
  case NodeKind::Other:
    Known = false;
    return;
  default:
    break;
  }
  for (const TileStore &S : N.Stores) {
    if (S.Tile != Tile)
      continue;
    Known &= !S.Conditional;
    std::string Place = Control + std::to_string(S.Bytes) + "*" +
                        spelled(S.Place, S.DestinationRefs);
    ByStore[&S] = Place;
    Places.insert(Place);
  }
  for (const Node &Child : N.Children)
    visit(Child, Control);
}

bool bothArmsStore(const Node &N, ObjectId Tile) {
  if (N.Kind != NodeKind::If || N.Children.size() != 2)
    return false;
  StorePlaces Then(Tile), Else(Tile);
  Then.learn(N);
  Then.add(N.Children[0]);
  Else.learn(N);
  Else.add(N.Children[1]);
  return Then.known() && Else.known() && !Then.places().empty() &&
         Then.places() == Else.places();
}

} // namespace pipeline_rewrite
