/// \file
/// Where a store to a tile goes, as a sum of products that can be compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

struct PlaceForm;

/// A private variable that a place is made of.
struct PlaceUse {
  unsigned Var = 0; ///< VarId
  bool Modified = false; ///< somewhere in the function
  /// What stands for the variable is declared there: its value was taken then.
  std::optional<unsigned> TakenAt;
};

/// What a product is made of: `threadIdx.x`, a variable, `e / 32`, the tile.
struct PlaceAtom {
  std::string Key; ///< equal for what is equal as long as its Uses are
  std::vector<PlaceUse> Uses;
  bool Positive = false; ///< one at least: `blockDim.x`
  /// The value lies in between, where both are known.
  std::optional<int64_t> Least, Most;
  /// For a quotient or a remainder: of what, and by which constant.
  std::shared_ptr<const PlaceForm> Of;
  int64_t Divisor = 0;
  bool IsRemainder = false;
  bool IsShift = false; ///< `>>` and `&`, which round down
};

struct PlaceTerm {
  int64_t Factor = 0;
  std::vector<PlaceAtom> Atoms; ///< sorted by Key; none: a constant
};

/// Bytes from wherever the atoms say.
struct PlaceForm {
  std::vector<PlaceTerm> Terms; ///< no two with the same atoms
};

/// \p A + \p Factor * \p B.
PlaceForm addForms(const PlaceForm &A, const PlaceForm &B, int64_t Factor);

/// Nothing where it has too many terms to be of use, or its factors overflow.
std::optional<PlaceForm> multiplyForms(const PlaceForm &A, const PlaceForm &B);

/// `Of / Divisor`, or the remainder. \p IsShift: it rounds down. Its bounds are left
/// to the caller.
PlaceAtom dividedAtom(PlaceForm Of, int64_t Divisor, bool IsRemainder, bool IsShift);

PlaceForm constantForm(int64_t Value);
PlaceForm atomForm(PlaceAtom Atom);

/// Adds what \p Of is made of to what \p Into is.
void addUses(PlaceAtom &Into, const PlaceForm &Of);

/// The same text for the same sum.
std::string keyOf(const PlaceForm &Form);

/// The value, where the form is a constant.
std::optional<int64_t> constantOf(const PlaceForm &Form);

} // namespace pipeline_rewrite
