#include "Plan/WrittenTwice.h"
#include "Plan/Distance.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <map>

namespace pipeline_rewrite {

namespace {

bool isLoop(const Node *N) { return N->Kind == NodeKind::Loop; }

/// `e / n * n + e % n` is e.
PlaceForm withoutPairs(const PlaceForm &Form) {
  for (const PlaceTerm &Quotient : Form.Terms)
    for (const PlaceTerm &Remainder : Form.Terms) {
      if (Quotient.Atoms.size() != 1 || Remainder.Atoms.size() != 1)
        continue;
      const PlaceAtom &Q = Quotient.Atoms[0], &R = Remainder.Atoms[0];
      if (!Q.Of || !R.Of || Q.IsRemainder || !R.IsRemainder || Q.IsShift != R.IsShift ||
          Q.Divisor != R.Divisor || keyOf(*Q.Of) != keyOf(*R.Of) ||
          Quotient.Factor != Remainder.Factor * Q.Divisor)
        continue;
      PlaceForm Whole = addForms(Form, PlaceForm{{Quotient, Remainder}}, -1);
      return withoutPairs(addForms(Whole, *R.Of, Remainder.Factor));
    }
  return Form;
}

/// A form with one quotient and one remainder of the same.
struct Grid {
  PlaceTerm Quotient, Remainder;
  PlaceForm Rest;
};

std::optional<Grid> gridOf(const PlaceForm &Form) {
  Grid Found;
  for (const PlaceTerm &Term : Form.Terms) {
    if (Term.Atoms.size() != 1 || !Term.Atoms[0].Of) {
      Found.Rest.Terms.push_back(Term);
      continue;
    }
    PlaceTerm &Into = Term.Atoms[0].IsRemainder ? Found.Remainder : Found.Quotient;
    if (!Into.Atoms.empty())
      return std::nullopt;
    Into = Term;
  }
  if (Found.Quotient.Atoms.empty() || Found.Remainder.Atoms.empty())
    return std::nullopt;
  const PlaceAtom &Q = Found.Quotient.Atoms[0], &R = Found.Remainder.Atoms[0];
  if (Q.Divisor != R.Divisor || Q.IsShift != R.IsShift || keyOf(*Q.Of) != keyOf(*R.Of))
    return std::nullopt;
  return Found;
}

/// Two stores to one tile, or one store in two of its rounds.
class PairCheck {
public:
  PairCheck(const std::vector<CopyLeaf> &Leaves, const CopyLeaf &LeafA,
            const TileStore &A, const CopyLeaf &LeafB, const TileStore &B)
      : LeafA(LeafA), LeafB(LeafB), A(A), B(B) {
    for (const CopyLeaf &Leaf : Leaves) {
      addWrites(*Leaf.Statement);
      if (llvm::any_of(Leaf.Control, isLoop))
        OfRounds.insert(Leaf.Statement->Declares.begin(), Leaf.Statement->Declares.end());
      for (const Node *Control : Leaf.Control)
        addWrites(*Control);
    }
    while (Common < LeafA.Control.size() && Common < LeafB.Control.size() &&
           LeafA.Control[Common] == LeafB.Control[Common])
      ++Common;
    NeverInOneRound = &A == &B || onOtherArms();
  }

  bool mayMeet() const {
    bool Again = llvm::any_of(llvm::ArrayRef(LeafA.Control).take_front(Common), isLoop);
    if (!Again && NeverInOneRound)
      return false;
    if (!A.Form || !B.Form || A.Bytes == 0 || B.Bytes == 0)
      return true;
    return formsMeet(*A.Form, *B.Form, A.Bytes, B.Bytes);
  }

private:
  enum class Change { Never, Counter, Unknown };

  void addWrites(const Node &N) {
    for (const VarRef &R : N.Refs)
      if (R.Write && !(N.Counted && N.Counted->Var == R.Var &&
                       llvm::is_contained(N.Declares, R.Var)))
        Written.insert(R.Var);
  }

  /// Do the two stand in the arms of one `if`?
  bool onOtherArms() const {
    if (Common == 0 || LeafA.Control[Common - 1]->Kind != NodeKind::If)
      return false;
    const Node &If = *LeafA.Control[Common - 1];
    return If.Children.size() == 2 &&
           If.Children[1].Range.contains(LeafA.Statement->Range) !=
               If.Children[1].Range.contains(LeafB.Statement->Range);
  }

  static const Node *loopOf(const CopyLeaf &Leaf, VarId Var) {
    for (const Node *Control : Leaf.Control)
      if (Control->Counted && Control->Counted->Var == Var)
        return Control;
    return nullptr;
  }

  /// The loop that counts with \p Atom, where that is a variable and no more.
  static const Node *counterLoop(const CopyLeaf &Leaf, const PlaceAtom &Atom) {
    bool IsVariable = !Atom.Of && !Atom.Uses.empty() &&
                      Atom.Key == "#" + std::to_string(Atom.Uses[0].Var);
    return IsVariable ? loopOf(Leaf, Atom.Uses[0].Var) : nullptr;
  }

  /// How does \p Use change while the copy phase of one tile runs?
  Change changeOf(const CopyLeaf &Leaf, const PlaceUse &Use) const {
    auto TakenIn = [&](const Node &N) {
      return Use.TakenAt && N.Range.contains({*Use.TakenAt, *Use.TakenAt});
    };
    if (const Node *Loop = loopOf(Leaf, Use.Var))
      return !Use.TakenAt || TakenIn(Loop->Children[0]) ? Change::Counter
                                                        : Change::Unknown;
    if (Written.count(Use.Var))
      return Change::Unknown;
    if (Use.Modified && Use.TakenAt)
      return Change::Unknown;
    bool OfRound = llvm::any_of(Leaf.Control, [&](const Node *Control) {
      return isLoop(Control) && TakenIn(*Control);
    });
    return OfRound ? Change::Unknown : Change::Never;
  }
  Change changeOf(const CopyLeaf &Leaf, const PlaceAtom &Atom) const {
    Change Worst = Change::Never;
    for (const PlaceUse &Use : Atom.Uses)
      Worst = std::max(Worst, changeOf(Leaf, Use));
    return Worst;
  }
  Change changeOf(const CopyLeaf &Leaf, const PlaceTerm &Term) const {
    Change Worst = Change::Never;
    for (const PlaceAtom &Atom : Term.Atoms)
      Worst = std::max(Worst, changeOf(Leaf, Atom));
    return Worst;
  }

  bool formsMeet(const PlaceForm &Left, const PlaceForm &Right, int64_t LeftBytes,
                 int64_t RightBytes) const;
  std::optional<bool> gridsMeet(const PlaceForm &Left, const PlaceForm &Right,
                                int64_t Bytes) const;
  std::optional<Distance> distance(const PlaceForm &Left, const PlaceForm &Right) const;
  bool addTerm(const CopyLeaf &Leaf, const PlaceTerm &Term, int64_t Sign,
               std::map<const Node *, int64_t> &Factors, const Node *&SymbolicLoop,
               Distance &Into) const;
  bool addRounds(const std::map<const Node *, int64_t> &Left,
                 const std::map<const Node *, int64_t> &Right,
                 const Node *SymbolicLoop, Distance &Into) const;
  bool isNonNegative(const CopyLeaf &Leaf, const PlaceForm &Form) const;
  bool startsElsewhere(const Node &Loop) const;
  bool placesMeet(PlaceForm Left, PlaceForm Right, int64_t LeftBytes,
                  int64_t RightBytes) const;
  PlaceForm divided(const CopyLeaf &Leaf, const PlaceForm &Form) const;
  std::optional<int64_t> most(const CopyLeaf &Leaf, const PlaceForm &Form) const;
  bool isCommon(const Node *Loop) const {
    return llvm::is_contained(llvm::ArrayRef(LeafA.Control).take_front(Common), Loop);
  }

  const CopyLeaf &LeafA, &LeafB;
  const TileStore &A, &B;
  size_t Common = 0; ///< control statements around both
  bool NeverInOneRound = false;
  std::set<VarId> OfRounds; ///< declared in a copy loop
  std::set<VarId> Written; ///< in the copy phase, by other than a counted header
};

bool PairCheck::isNonNegative(const CopyLeaf &Leaf, const PlaceForm &Form) const {
  return llvm::all_of(Form.Terms, [&](const PlaceTerm &Term) {
    return Term.Factor >= 0 && llvm::all_of(Term.Atoms, [&](const PlaceAtom &Atom) {
      if (Atom.Positive || (Atom.Least && *Atom.Least >= 0))
        return true;
      const Node *Loop = counterLoop(Leaf, Atom);
      return Loop && changeOf(Leaf, Atom) == Change::Counter && Loop->Counted->Least &&
             *Loop->Counted->Least >= 0;
    });
  });
}

/// `(e / n) * pitch + e % n` with a pitch of n or more is another place for each e.
std::optional<bool> PairCheck::gridsMeet(const PlaceForm &Left, const PlaceForm &Right,
                                         int64_t Bytes) const {
  std::optional<Grid> L = gridOf(Left), R = gridOf(Right);
  if (!L || !R || keyOf(L->Rest) != keyOf(R->Rest))
    return std::nullopt;
  for (const PlaceTerm &Term : L->Rest.Terms)
    if (changeOf(LeafA, Term) != Change::Never || changeOf(LeafB, Term) != Change::Never)
      return std::nullopt;
  const PlaceAtom &Q = L->Quotient.Atoms[0], &OtherQ = R->Quotient.Atoms[0];
  // What rounds towards zero has remainders on both sides of it.
  bool OneSide = Q.IsShift || (isNonNegative(LeafA, *Q.Of) && isNonNegative(LeafB, *OtherQ.Of));
  int64_t Width = OneSide ? Q.Divisor - 1 : 2 * (Q.Divisor - 1);
  int64_t Pitch = L->Quotient.Factor, Unit = L->Remainder.Factor;
  if (R->Quotient.Factor != Pitch || R->Remainder.Factor != Unit ||
      OtherQ.Divisor != Q.Divisor || OtherQ.IsShift != Q.IsShift || Unit < Bytes ||
      Pitch < Width * Unit + Bytes)
    return std::nullopt;
  return formsMeet(*Q.Of, *OtherQ.Of, 1, 1);
}

/// \param Factors of the counters of loops around both.
/// \returns false if the term cannot be followed.
bool PairCheck::addTerm(const CopyLeaf &Leaf, const PlaceTerm &Term, int64_t Sign,
                        std::map<const Node *, int64_t> &Factors,
                        const Node *&SymbolicLoop, Distance &Into) const {
  if (changeOf(Leaf, Term) == Change::Unknown)
    return false;
  const PlaceAtom &First = Term.Atoms.front();
  if (Term.Atoms.size() == 1 && First.Least && First.Most) {
    int64_t Ends[] = {Sign * Term.Factor * *First.Least, Sign * Term.Factor * *First.Most};
    Into.Below += std::min(Ends[0], Ends[1]);
    Into.Above += std::max(Ends[0], Ends[1]);
    return true;
  }
  const Node *Loop = nullptr;
  bool AtLeast = false;
  for (const PlaceAtom &Atom : Term.Atoms) {
    if (changeOf(Leaf, Atom) == Change::Never && Atom.Positive) {
      AtLeast = true;
      continue;
    }
    Loop = Loop ? nullptr : counterLoop(Leaf, Atom);
    if (!Loop)
      return false;
  }
  const CountedLoop &L = *Loop->Counted;
  if (AtLeast) {
    // Both sides of it are the same store's: one stands for the distance.
    bool Once = Sign < 0 || !Into.AtLeast;
    Into.AtLeast = std::abs(Term.Factor);
    SymbolicLoop = Loop;
    return &A == &B && isCommon(Loop) && Once;
  }
  if (isCommon(Loop))
    return Factors.try_emplace(Loop, Term.Factor).second;
  if (!L.Least || !L.Most)
    return false;
  Into.Moves.push_back({Sign * Term.Factor, *L.Least, *L.Most, false});
  return true;
}

/// May the start of \p Loop depend on the round of a loop around it?
bool PairCheck::startsElsewhere(const Node &Loop) const {
  // Without a loop around it, it starts once.
  if (*llvm::find_if(LeafA.Control, isLoop) == &Loop)
    return false;
  return Loop.Counted->StartOpen || llvm::any_of(Loop.Counted->StartUses, [&](VarId Var) {
           return Written.count(Var) || loopOf(LeafA, Var) || OfRounds.count(Var);
         });
}

/// Two rounds of each loop around both.
bool PairCheck::addRounds(const std::map<const Node *, int64_t> &Left,
                          const std::map<const Node *, int64_t> &Right,
                          const Node *SymbolicLoop, Distance &Into) const {
  if (Left != Right)
    return false;
  for (const Node *Loop : llvm::ArrayRef(LeafA.Control).take_front(Common)) {
    if (!isLoop(Loop))
      continue;
    if (!Loop->Counted)
      return false;
    const CountedLoop &L = *Loop->Counted;
    auto Factor = Left.find(Loop);
    // Its rounds are apart by its step only if it always starts at the same place.
    if (Factor != Left.end() && !L.InitConstant && startsElsewhere(*Loop))
      return false;
    if (Loop == SymbolicLoop && Factor == Left.end())
      continue;
    int64_t Step = std::max<int64_t>(L.StepValue.value_or(1), 1);
    Move M;
    M.OfRounds = true;
    M.Stride = Factor == Left.end() ? 0 : Factor->second * Step;
    if (L.Least && L.Most) {
      M.Most = std::max<int64_t>(*L.Most - *L.Least, 0) / Step;
      M.Least = -*M.Most;
    }
    Into.Moves.push_back(M);
  }
  return true;
}

std::optional<Distance> PairCheck::distance(const PlaceForm &Left,
                                            const PlaceForm &Right) const {
  Distance D;
  std::map<const Node *, int64_t> LeftFactors, RightFactors;
  const Node *SymbolicLoop = nullptr; ///< one whose stride is a product
  PlaceForm Fixed;
  auto Add = [&](const CopyLeaf &Leaf, const PlaceForm &Form, int64_t Sign,
                 std::map<const Node *, int64_t> &Factors) {
    for (const PlaceTerm &Term : Form.Terms) {
      if (changeOf(Leaf, Term) == Change::Never)
        Fixed = addForms(Fixed, PlaceForm{{Term}}, Sign);
      else if (!addTerm(Leaf, Term, Sign, Factors, SymbolicLoop, D))
        return false;
    }
    return true;
  };
  if (!Add(LeafA, Left, 1, LeftFactors) || !Add(LeafB, Right, -1, RightFactors) ||
      !addRounds(LeftFactors, RightFactors, SymbolicLoop, D))
    return std::nullopt;
  for (const PlaceTerm &Term : Fixed.Terms) {
    if (Term.Atoms.size() == 1 && Term.Atoms[0].Least && Term.Atoms[0].Most) {
      int64_t Ends[] = {Term.Factor * *Term.Atoms[0].Least,
                        Term.Factor * *Term.Atoms[0].Most};
      D.Below += std::min(Ends[0], Ends[1]);
      D.Above += std::max(Ends[0], Ends[1]);
    } else if (!Term.Atoms.empty()) {
      return std::nullopt;
    } else {
      D.Constant += Term.Factor;
    }
  }
  return D;
}

/// The largest value of a sum of products that are none of them negative.
std::optional<int64_t> PairCheck::most(const CopyLeaf &Leaf, const PlaceForm &Form) const {
  int64_t Most = 0;
  for (const PlaceTerm &Term : Form.Terms) {
    int64_t Product = Term.Factor;
    for (const PlaceAtom &Atom : Term.Atoms) {
      std::optional<int64_t> Bound = Atom.Most;
      if (const Node *Loop = Bound ? nullptr : counterLoop(Leaf, Atom))
        Bound = Loop->Counted->Most;
      if (!Bound || llvm::MulOverflow(Product, *Bound, Product))
        return std::nullopt;
    }
    if (llvm::AddOverflow(Most, Product, Most))
      return std::nullopt;
  }
  return Most;
}

/// `(64 * i + e) / 16` is `4 * i + e / 16`, and `(64 * i + e) % 16` is `e % 16`,
/// where nothing is negative and no sum wraps.
PlaceForm PairCheck::divided(const CopyLeaf &Leaf, const PlaceForm &Form) const {
  PlaceForm Result;
  for (const PlaceTerm &Term : Form.Terms) {
    const PlaceAtom *Atom = Term.Atoms.size() == 1 ? &Term.Atoms[0] : nullptr;
    std::optional<int64_t> Most;
    if (Atom && Atom->Of && Atom->Divisor > 0 && isNonNegative(Leaf, *Atom->Of))
      Most = most(Leaf, *Atom->Of);
    if (!Most || *Most > std::numeric_limits<int32_t>::max()) {
      Result = addForms(Result, PlaceForm{{Term}}, 1);
      continue;
    }
    PlaceForm Whole, Rest;
    for (PlaceTerm Part : Atom->Of->Terms) {
      bool Multiple = Part.Factor % Atom->Divisor == 0;
      if (Multiple)
        Part.Factor /= Atom->Divisor;
      (Multiple ? Whole : Rest).Terms.push_back(std::move(Part));
    }
    if (!Atom->IsRemainder)
      Result = addForms(Result, Whole, Term.Factor);
    if (Rest.Terms.empty())
      continue;
    int64_t MostOfRest = *most(Leaf, Rest);
    PlaceAtom Part = dividedAtom(std::move(Rest), Atom->Divisor, Atom->IsRemainder,
                                 /*IsShift=*/true);
    Part.Least = 0;
    Part.Most = Atom->IsRemainder ? std::min(MostOfRest, Atom->Divisor - 1)
                                  : MostOfRest / Atom->Divisor;
    Result = addForms(Result, atomForm(std::move(Part)), Term.Factor);
  }
  return Result;
}

bool PairCheck::formsMeet(const PlaceForm &Left, const PlaceForm &Right, int64_t LeftBytes,
                          int64_t RightBytes) const {
  return placesMeet(withoutPairs(Left), withoutPairs(Right), LeftBytes, RightBytes) &&
         placesMeet(withoutPairs(divided(LeafA, Left)), withoutPairs(divided(LeafB, Right)),
                    LeftBytes, RightBytes);
}

bool PairCheck::placesMeet(PlaceForm Left, PlaceForm Right, int64_t LeftBytes,
                           int64_t RightBytes) const {
  if (std::optional<bool> Meet =
          gridsMeet(Left, Right, std::max(LeftBytes, RightBytes)))
    return *Meet;
  std::optional<Distance> D = distance(Left, Right);
  return !D || mayOverlap(*D, LeftBytes, RightBytes, NeverInOneRound);
}

} // namespace

bool writesTwice(const std::vector<CopyLeaf> &Leaves, const CopyLeaf &Leaf,
                 const TileStore &Store) {
  for (const CopyLeaf &Other : Leaves)
    for (const TileStore &S : Other.Statement->Stores)
      if (S.Tile == Store.Tile && S.Kind != ValueKind::Zero &&
          PairCheck(Leaves, Leaf, Store, Other, S).mayMeet())
        return true;
  return false;
}

} // namespace pipeline_rewrite
