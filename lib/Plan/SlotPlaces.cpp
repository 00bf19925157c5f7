#include "Plan/SlotPlaces.h"
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

} // namespace

std::optional<BlockSlots> placeSlots(const LoopFacts &Facts,
                                     const std::set<ObjectId> &Tiles,
                                     unsigned Stages, uint64_t AtLeast) {
  std::vector<ByteRange> Streamed, Kept = Facts.BlockKept;
  uint64_t Step = BlockAlignment;
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
  if (Streamed.empty())
    return std::nullopt;
  auto Fits = [&](uint64_t Stride) {
    for (unsigned I = 1; I < Stages; ++I)
      if (meet(Streamed, I * Stride, Streamed) || meet(Streamed, I * Stride, Kept))
        return false;
    return true;
  };
  BlockSlots Slots;
  Slots.Stride = (std::max<uint64_t>(AtLeast, 1) + Step - 1) / Step * Step;
  while (!Fits(Slots.Stride))
    Slots.Stride += Step;
  Slots.Bytes =
      std::max(Facts.BlockBytes, endOf(Streamed) + (Stages - 1) * Slots.Stride);
  return Slots;
}

} // namespace pipeline_rewrite
