#include "Plan/SlotNames.h"
#include "Analysis/LocalConstants.h"
#include "Support/Words.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace pipeline_rewrite {

namespace {

/// Spellings of one part that are followed up, the best ones.
constexpr size_t PerPart = 6;
constexpr size_t PerLoop = 64;

/// A count of elements, `BM * LDA`, and the type they have.
struct Count {
  std::string Text, Type; ///< Type empty: the count is one of bytes
  uint64_t Bytes = 0;
  bool Sum = false;   ///< needs parentheses as a factor
  unsigned Rank = 0;  ///< the lower, the more natural
};

class Speller {
public:
  Speller(const LoopFacts &Facts, const std::set<ObjectId> &Tiles) : Facts(Facts) {
    for (const SharedVariable &S : Facts.Shared)
      if (S.Part && Tiles.count(S.Object))
        Parts.push_back(&*S.Part);
    llvm::sort(Parts, [](const BlockPart *A, const BlockPart *B) {
      return A->Bytes.Begin < B->Bytes.Begin;
    });
  }

  /// Part by part, then as one.
  std::vector<SpelledSize> strides(uint64_t Least, uint64_t Most) const {
    std::vector<SpelledSize> Result;
    if (Parts.empty())
      return Result;
    std::vector<std::vector<Count>> Sums = {{}};
    for (size_t I = 0; I < Parts.size(); ++I) {
      bool Last = I + 1 == Parts.size();
      uint64_t Begin = Parts[I]->Bytes.Begin;
      std::vector<Count> One =
          Last ? counts(*Parts[I], Parts[I]->Bytes.End - Begin,
                        Most - std::min(Most, Begin - Parts.front()->Bytes.Begin))
               : counts(*Parts[I], Parts[I + 1]->Bytes.Begin - Begin,
                        Parts[I + 1]->Bytes.Begin - Begin);
      std::vector<std::vector<Count>> Longer;
      for (const std::vector<Count> &Sum : Sums)
        for (size_t J = 0; J < std::min(PerPart, One.size()); ++J) {
          Longer.push_back(Sum);
          Longer.back().push_back(One[J]);
        }
      Sums = std::move(Longer);
      if (Sums.size() > 4 * PerLoop)
        return Result;
    }
    auto RankOf = [](const std::vector<Count> &Sum) {
      unsigned Rank = 0;
      for (const Count &C : Sum)
        Rank += C.Rank;
      return Rank;
    };
    llvm::stable_sort(Sums, [&](const auto &A, const auto &B) {
      return RankOf(A) < RankOf(B);
    });
    for (const std::vector<Count> &Sum : Sums)
      keep(Sum, Least, Most, Result);
    for (const BlockPart *Part : Parts)
      for (const Count &C : counts(*Part, Least, Most))
        keep({C}, Least, Most, Result);
    if (Result.size() > PerLoop)
      Result.resize(PerLoop);
    return Result;
  }

  std::string place(uint64_t Bytes) const {
    std::string Best;
    unsigned Rank = ~0u;
    for (const SharedVariable &S : Facts.Shared)
      for (const Count &C : S.Part ? counts(*S.Part, Bytes, Bytes) : std::vector<Count>())
        if (C.Rank < Rank && constantsFor(Facts.Uses, textOf({C}))) {
          Best = textOf({C});
          Rank = C.Rank;
        }
    return Best;
  }

private:
  /// Expressions that come to \p Least to \p Most bytes.
  std::vector<Count> counts(const BlockPart &Part, uint64_t Least, uint64_t Most) const {
    std::vector<Count> Result;
    auto In = [&](const std::set<std::string> &Names) {
      return llvm::any_of(Part.Names, [&](const BlockName &N) {
        return Names.count(N.Name) != 0;
      });
    };
    auto Try = [&](Count C, uint64_t Value, const BlockName &Of) {
      C.Bytes = Value * (C.Type.empty() ? 1 : Of.TypeBytes);
      if (Value && C.Bytes >= Least && C.Bytes <= Most)
        Result.push_back(std::move(C));
    };
    for (const BlockName &N : Part.Names) {
      // Elements of one byte are counted in bytes.
      bool Typed = !N.Type.empty() && N.TypeBytes > 1;
      for (const NamedConstant &C : Facts.Constants) {
        if (!In(C.Near))
          continue;
        unsigned Far = In(C.Alone) ? 0 : 1;
        unsigned Rank = C.Carves ? 0 : (C.Form == NamedConstant::Product ? 1 : 3) + Far;
        Count Single = {wrapped(C), "", 0, C.Form == NamedConstant::Sum, Rank};
        Try(Single, C.Value, N);
        Single.Type = N.Type;
        if (Typed)
          Try(Single, C.Value, N);
        if (!Typed && N.TypeBytes > 1)
          continue;
        for (const NamedConstant &D : Facts.Constants) {
          uint64_t Bytes = C.Value * D.Value * (Typed ? N.TypeBytes : 1);
          if (Bytes < Least || Bytes > Most || !isFactor(C) || !isFactor(D) ||
              !In(C.Near) || !In(D.Near))
            continue;
          // Rows and columns have names of their own, more often than not.
          unsigned Rank = 5 + 3 * (Far + (In(D.Alone) ? 0 : 1)) +
                          (&C == &D ? 2 : &C < &D ? 0 : 1);
          Try({parenthesised(C.Text) + " * " + parenthesised(D.Text),
               Typed ? N.Type : "", 0, false, Rank},
              C.Value * D.Value, N);
        }
      }
    }
    llvm::stable_sort(Result, [](const Count &A, const Count &B) {
      return std::tie(A.Rank, A.Bytes) < std::tie(B.Rank, B.Bytes);
    });
    return Result;
  }

  static bool isFactor(const NamedConstant &C) {
    return C.Form == NamedConstant::Word || C.Form == NamedConstant::Sum;
  }

  static std::string wrapped(const NamedConstant &C) {
    return C.Form == NamedConstant::Other ? parenthesised(C.Text) : C.Text;
  }

  /// `(BM * LDA + BK * LDB) * sizeof(half)`, as far as neighbours have a type in
  /// common.
  static std::string textOf(const std::vector<Count> &Sum) {
    std::string Text;
    for (size_t I = 0; I < Sum.size();) {
      std::string Elements;
      bool Wrap = Sum[I].Sum;
      size_t End = I;
      for (; End < Sum.size() && Sum[End].Type == Sum[I].Type; ++End)
        Elements += (End == I ? "" : " + ") + Sum[End].Text;
      Wrap |= End > I + 1;
      if (!Sum[I].Type.empty())
        Elements = (Wrap ? "(" + Elements + ")" : Elements) + " * sizeof(" +
                   Sum[I].Type + ")";
      Text += (I ? " + " : "") + Elements;
      I = End;
    }
    return Text;
  }

  void keep(const std::vector<Count> &Sum, uint64_t Least, uint64_t Most,
            std::vector<SpelledSize> &To) const {
    uint64_t Bytes = 0;
    for (const Count &C : Sum)
      Bytes += C.Bytes;
    if (Bytes < Least || Bytes > Most)
      return;
    std::string Text = textOf(Sum);
    bool New = llvm::none_of(To, [&](const SpelledSize &S) { return S.Text == Text; });
    if (New && constantsFor(Facts.Uses, Text))
      To.push_back({std::move(Text), Bytes});
  }

  const LoopFacts &Facts;
  std::vector<const BlockPart *> Parts;
};

} // namespace

std::string BlockSlots::spellBytes(const std::string &StrideText) const {
  // A factor in front would be added to one term only, or divided along.
  int Depth = 0;
  bool Torn = false;
  for (char C : StrideText) {
    Depth += C == '(' ? 1 : C == ')' ? -1 : 0;
    Torn |= Depth == 0 && llvm::StringRef("+-/%").contains(C);
  }
  std::string All = Times == 1 ? StrideText
                               : std::to_string(Times) + " * " +
                                     (Torn ? "(" + StrideText + ")" : StrideText);
  return Before.empty() ? All : Before + " + " + All;
}

std::vector<SpelledSize> spellStrides(const LoopFacts &Facts,
                                      const std::set<ObjectId> &Tiles,
                                      uint64_t Least, uint64_t Most) {
  return Speller(Facts, Tiles).strides(Least, Most);
}

std::string spellPlace(const LoopFacts &Facts, uint64_t Bytes) {
  return Speller(Facts, {}).place(Bytes);
}

} // namespace pipeline_rewrite
