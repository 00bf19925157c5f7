#include "Plan/Distance.h"
#include "llvm/ADT/STLExtras.h"

namespace pipeline_rewrite {

namespace {

/// Beyond that the answer is that they may meet.
constexpr int64_t MaxCombinations = 100000;

/// Looks for moves after which the two overlap.
class MoveSearch {
public:
  MoveSearch(const Distance &D, int64_t LeftBytes, int64_t RightBytes, bool NotSameRound)
      : D(D), LeftBytes(LeftBytes), RightBytes(RightBytes), NotSameRound(NotSameRound) {}

  bool meets() {
    if (D.AtLeast)
      return symbolicMeets();
    // The longest is solved for, the others are tried.
    std::vector<Move> Moves = D.Moves;
    llvm::stable_sort(Moves, [](const Move &X, const Move &Y) { return count(X) < count(Y); });
    int64_t Combinations = 1;
    for (size_t I = 0; I + 1 < Moves.size(); ++I)
      if (!Moves[I].Least || (Combinations *= count(Moves[I])) > MaxCombinations)
        return true;
    return search(Moves, 0, D.Constant, true);
  }

private:
  /// Far more than there are rounds where they are not known.
  static int64_t count(const Move &M) {
    int64_t Unknown = int64_t(1) << 40;
    return M.Least ? std::min(*M.Most - *M.Least + 1, Unknown) : Unknown;
  }

  bool overlaps(int64_t At) const {
    return At + D.Below < RightBytes && -(At + D.Above) < LeftBytes;
  }

  bool search(const std::vector<Move> &Moves, size_t Index, int64_t At, bool SameRound) {
    if (Index == Moves.size())
      return !(NotSameRound && SameRound) && overlaps(At);
    const Move &M = Moves[Index];
    if (Index + 1 == Moves.size())
      return solve(M, At, SameRound);
    for (int64_t I = *M.Least; I <= *M.Most; ++I)
      if (search(Moves, Index + 1, At + I * M.Stride, SameRound && (!M.OfRounds || I == 0)))
        return true;
    return false;
  }

  /// Is there an i for which the two overlap at At + Stride * i?
  bool solve(const Move &M, int64_t At, bool SameRound) const {
    int64_t Stride = std::abs(M.Stride);
    auto Counts = [&](int64_t I) {
      bool InRange = !M.Least || (I >= *M.Least && I <= *M.Most);
      bool Same = SameRound && (!M.OfRounds || I == 0);
      return InRange && !(NotSameRound && Same);
    };
    if (Stride == 0)
      return overlaps(At) && (Counts(0) || Counts(1) || Counts(-1));
    // Around zero, on both sides, as far as the bytes and the bounds reach.
    int64_t Reach = (LeftBytes + RightBytes + D.Above - D.Below) / Stride + 2;
    int64_t Middle = -At / M.Stride;
    if (Reach > MaxCombinations)
      return true;
    for (int64_t I = Middle - Reach; I <= Middle + Reach; ++I)
      if (Counts(I) && overlaps(At + I * M.Stride))
        return true;
    return false;
  }

  /// The rounds of one loop, a stride apart that is not known, but not short.
  bool symbolicMeets() const {
    bool OneLoop = D.Constant == 0 && NotSameRound;
    for (const Move &M : D.Moves)
      OneLoop &= M.Least && *M.Least == 0 && *M.Most == 0;
    int64_t Away = *D.AtLeast - std::max(std::abs(D.Below), std::abs(D.Above));
    return !OneLoop || Away < std::max(LeftBytes, RightBytes);
  }

  const Distance &D;
  int64_t LeftBytes, RightBytes;
  bool NotSameRound;
};

} // namespace

bool mayOverlap(const Distance &D, int64_t LeftBytes, int64_t RightBytes,
                bool NotSameRound) {
  return MoveSearch(D, LeftBytes, RightBytes, NotSameRound).meets();
}

} // namespace pipeline_rewrite
