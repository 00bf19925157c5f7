#include "Plan/SlotPlaces.h"
#include "Plan/SharedLayout.h"
#include "Plan/SlotNames.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

namespace pipeline_rewrite {

namespace {

/// What asynchronous copies and vector accesses rely on at most, and the largest
/// alignment that a launch gives the block for certain; bytes.
constexpr uint64_t BlockAlignment = 16;

bool meet(const std::vector<ByteRange> &A, uint64_t Shift,
          const std::vector<ByteRange> &B) {
  for (const ByteRange &X : A)
    for (const ByteRange &Y : B)
      if (X.Begin + Shift < Y.End && Y.Begin < X.End + Shift)
        return true;
  return false;
}

uint64_t endOf(const std::vector<ByteRange> &Ranges) {
  uint64_t End = 0;
  for (const ByteRange &R : Ranges)
    End = std::max(End, R.End);
  return End;
}

/// A stride may be this much more than the least one where it is spelled: the
/// padding of the last row, which nobody touches, belongs to the author's sizes.
constexpr uint64_t Slack = 16; ///< as a part of the least stride

/// The loop's parts of the block, and what slots have to stay clear of.
struct Streams {
  std::vector<ByteRange> Streamed, Kept;
  uint64_t Step = BlockAlignment;

  Streams(const LoopFacts &Facts, const std::set<ObjectId> &Tiles)
      : Kept(Facts.BlockKept) {
    for (const SharedVariable &S : Facts.Shared) {
      if (!S.Part)
        continue;
      std::vector<ByteRange> &To = Tiles.count(S.Object) ? Streamed : Kept;
      To.push_back(S.Part->Bytes);
      if (!Tiles.count(S.Object))
        continue;
      for (const BlockName &N : S.Part->Names)
        Step = std::lcm(Step, N.ElementBytes);
      Step = std::lcm(Step, uint64_t(std::max(1u, S.AccessAlignment)));
    }
  }

  bool fits(uint64_t Stride, unsigned Stages) const {
    for (unsigned I = 1; I < Stages; ++I)
      if (meet(Streamed, I * Stride, Streamed) || meet(Streamed, I * Stride, Kept))
        return false;
    return true;
  }

  uint64_t least(uint64_t AtLeast, unsigned Stages) const {
    uint64_t Stride = (std::max<uint64_t>(AtLeast, 1) + Step - 1) / Step * Step;
    while (!fits(Stride, Stages))
      Stride += Step;
    return Stride;
  }

  /// The spelled strides that serve \p Stages slots.
  std::vector<SpelledSize> spelled(const LoopFacts &Facts,
                                   const std::set<ObjectId> &Tiles,
                                   unsigned Stages) const {
    uint64_t Least = least(0, Stages);
    std::vector<SpelledSize> All =
        spellStrides(Facts, Tiles, Least - Step + 1, Least + Least / Slack);
    for (SpelledSize &S : All)
      if (S.Bytes % Step != 0) {
        S.Text = roundedUp(S.Text, Step);
        S.Bytes = (S.Bytes + Step - 1) / Step * Step;
      }
    llvm::erase_if(All, [&](const SpelledSize &S) { return !fits(S.Bytes, Stages); });
    return All;
  }
};

/// What lies before the first slot and how many strides hold the rest.
void spellWhole(BlockSlots &Slots, const LoopFacts &Facts, const Streams &Parts,
                unsigned Stages) {
  uint64_t Begin = Parts.Streamed.front().Begin, End = endOf(Parts.Streamed);
  for (const ByteRange &R : Parts.Streamed)
    Begin = std::min(Begin, R.Begin);
  bool Even = Slots.Stride >= End - Begin;
  Slots.Times = Even ? Stages : Stages - 1;
  Slots.BeforeBytes = Even ? Begin : End;
  if (Slots.BeforeBytes)
    Slots.Before = spellPlace(Facts, Slots.BeforeBytes);
  if (Slots.BeforeBytes && Slots.Before.empty())
    Slots.Before = std::to_string(Slots.BeforeBytes);
}

} // namespace

std::vector<std::string> strideTexts(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles) {
  std::vector<std::string> Texts;
  Streams Parts(Facts, Tiles);
  if (!Parts.Streamed.empty())
    for (SpelledSize &S : Parts.spelled(Facts, Tiles, 2))
      Texts.push_back(std::move(S.Text));
  return Texts;
}

std::optional<BlockSlots> placeSlots(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles,
                                     unsigned Stages, const StrideWish &Wish) {
  Streams Parts(Facts, Tiles);
  if (Parts.Streamed.empty())
    return std::nullopt;
  BlockSlots Slots;
  Slots.Stride = Parts.least(Wish.AtLeast, Stages);
  if (!Wish.Text.empty() && !Wish.AtLeast)
    for (const SpelledSize &S : Parts.spelled(Facts, Tiles, Stages))
      if (S.Text == Wish.Text) {
        Slots.Stride = S.Bytes;
        Slots.Spelled = S.Text;
        spellWhole(Slots, Facts, Parts, Stages);
      }
  Slots.Bytes = std::max({Facts.BlockBytes, Slots.spelledBytes(),
                          endOf(Parts.Streamed) + (Stages - 1) * Slots.Stride});
  return Slots;
}

} // namespace pipeline_rewrite
