#include "Analysis/PlaceForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace pipeline_rewrite {

/// Beyond that no address is told apart by it.
static constexpr size_t MaxTerms = 32;

static std::string keyOf(const PlaceTerm &Term) {
  std::string Key;
  for (const PlaceAtom &Atom : Term.Atoms)
    Key += "*" + Atom.Key;
  return Key;
}

static void addUses(std::vector<PlaceAtom> &To, const std::vector<PlaceAtom> &From) {
  for (size_t I = 0; I < To.size(); ++I)
    To[I].Uses.insert(To[I].Uses.end(), From[I].Uses.begin(), From[I].Uses.end());
}

PlaceForm addForms(const PlaceForm &A, const PlaceForm &B, int64_t Factor) {
  PlaceForm Sum = A;
  for (PlaceTerm Term : B.Terms) {
    Term.Factor *= Factor;
    auto Same = llvm::find_if(Sum.Terms, [&](const PlaceTerm &Other) {
      return keyOf(Other) == keyOf(Term);
    });
    if (Same == Sum.Terms.end()) {
      Sum.Terms.push_back(std::move(Term));
      continue;
    }
    Same->Factor += Term.Factor;
    addUses(Same->Atoms, Term.Atoms);
  }
  llvm::erase_if(Sum.Terms, [](const PlaceTerm &T) { return T.Factor == 0; });
  return Sum;
}

std::optional<PlaceForm> multiplyForms(const PlaceForm &A, const PlaceForm &B) {
  if (A.Terms.size() * B.Terms.size() > MaxTerms)
    return std::nullopt;
  PlaceForm Product;
  for (const PlaceTerm &Left : A.Terms)
    for (const PlaceTerm &Right : B.Terms) {
      PlaceTerm Term = Left;
      if (llvm::MulOverflow(Left.Factor, Right.Factor, Term.Factor))
        return std::nullopt;
      Term.Atoms.insert(Term.Atoms.end(), Right.Atoms.begin(), Right.Atoms.end());
      llvm::stable_sort(Term.Atoms, [](const PlaceAtom &X, const PlaceAtom &Y) {
        return X.Key < Y.Key;
      });
      Product = addForms(Product, PlaceForm{{std::move(Term)}}, 1);
    }
  return Product;
}

void addUses(PlaceAtom &Into, const PlaceForm &Of) {
  for (const PlaceTerm &Term : Of.Terms)
    for (const PlaceAtom &Atom : Term.Atoms)
      Into.Uses.insert(Into.Uses.end(), Atom.Uses.begin(), Atom.Uses.end());
}

PlaceAtom dividedAtom(PlaceForm Of, int64_t Divisor, bool IsRemainder, bool IsShift) {
  PlaceAtom Atom;
  Atom.Key = std::string(IsRemainder ? "R" : "Q") + (IsShift ? "s" : "") +
             std::to_string(Divisor) + keyOf(Of);
  addUses(Atom, Of);
  Atom.Divisor = Divisor;
  Atom.IsRemainder = IsRemainder;
  Atom.IsShift = IsShift;
  Atom.Of = std::make_shared<const PlaceForm>(std::move(Of));
  return Atom;
}

PlaceForm constantForm(int64_t Value) {
  return Value ? PlaceForm{{PlaceTerm{Value, {}}}} : PlaceForm{};
}

PlaceForm atomForm(PlaceAtom Atom) {
  PlaceTerm Term;
  Term.Factor = 1;
  Term.Atoms.push_back(std::move(Atom));
  return {{std::move(Term)}};
}

std::string keyOf(const PlaceForm &Form) {
  std::vector<std::string> Keys;
  for (const PlaceTerm &Term : Form.Terms)
    Keys.push_back(std::to_string(Term.Factor) + keyOf(Term));
  llvm::sort(Keys);
  std::string Key;
  for (const std::string &Each : Keys)
    Key += (Key.empty() ? "" : "+") + Each;
  return "(" + Key + ")";
}

std::optional<int64_t> constantOf(const PlaceForm &Form) {
  if (Form.Terms.empty())
    return 0;
  if (Form.Terms.size() == 1 && Form.Terms[0].Atoms.empty())
    return Form.Terms[0].Factor;
  return std::nullopt;
}

} // namespace pipeline_rewrite
