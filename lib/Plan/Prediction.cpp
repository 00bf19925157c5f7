#include "Plan/Prediction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace pipeline_rewrite {

namespace {

const SharedVariable *variableOf(const LoopFacts &Facts, ObjectId Tile) {
  for (const SharedVariable &S : Facts.Shared)
    if (S.Object == Tile)
      return &S;
  return nullptr;
}

/// Bytes that one thread stores to a tile in one iteration.
struct Stored {
  double Bytes = 0;
  bool Known = true;
};

void addStores(const Node &N, ObjectId Tile, double Times, bool TimesKnown,
               Stored &Sum) {
  for (const TileStore &S : N.Stores)
    if (S.Tile == Tile) {
      Sum.Known &= TimesKnown && S.Bytes != 0;
      Sum.Bytes += Times * S.Bytes;
    }
  if (N.WholeCall)
    Sum.Known = false;
  bool IsLoop = N.Kind == NodeKind::Loop;
  bool Counted = !IsLoop || (N.Counted && N.Counted->Trips);
  double Inner = IsLoop && Counted ? Times * *N.Counted->Trips : Times;
  for (const Node &Child : N.Children)
    addStores(Child, Tile, Inner, TimesKnown && Counted, Sum);
}

/// Bytes that a block copies into a tile: without its padding, where the copies
/// can be counted, and never more than the tile.
uint64_t copiedBytes(const LoopFacts &Facts, const TilePlan &Tile,
                     unsigned Threads) {
  uint64_t Size = tileBytesOf(Facts, Tile);
  Stored Sum;
  for (const Node &N : Facts.Body)
    addStores(N, Tile.Tile, 1, true, Sum);
  if (!Sum.Known || Sum.Bytes <= 0)
    return Size;
  uint64_t Copied = uint64_t(Sum.Bytes * Threads);
  return Size ? std::min(Size, Copied) : Copied;
}

MathUnit unitOf(MathKind Kind) {
  switch (Kind) {
  case MathKind::Fp32:
    return MathUnit::Fp32;
  case MathKind::Fp64:
    return MathUnit::Fp64;
  case MathKind::Fp16Tensor:
    return MathUnit::Fp16Tensor;
  case MathKind::Int8Tensor:
    return MathUnit::Int8Tensor;
  case MathKind::Int8Dot:
    return MathUnit::Int8Dot;
  }
  return MathUnit::Fp32;
}

std::string derive(const LoopFacts &Facts, unsigned Threads,
                   const std::vector<std::string> &Parts) {
  bool IsSum = llvm::StringRef(Facts.MultiplyAddsText).contains('+');
  std::string Each = IsSum ? "(" + Facts.MultiplyAddsText + ")"
                           : Facts.MultiplyAddsText;
  std::string Bytes = llvm::join(Parts, " + ");
  return "2 * " + Each + " multiply-adds * " + std::to_string(Threads) +
         " threads / " + (Parts.size() > 1 ? "(" + Bytes + ")" : Bytes);
}

} // namespace

uint64_t tileBytesOf(const LoopFacts &Facts, const TilePlan &Tile) {
  if (Tile.Bytes)
    return Tile.Bytes;
  const SharedVariable *Variable = variableOf(Facts, Tile.Tile);
  return Variable ? Variable->AssumedBytes : 0;
}

LoopRatio ratioOf(const LoopFacts &Facts, const std::vector<TilePlan> &Tiles,
                  unsigned Threads) {
  LoopRatio Result;
  if (!Facts.MultiplyAdds)
    return Result;
  TileWork Work;
  Work.Unit = unitOf(Facts.Math);
  Work.MultiplyAdds = *Facts.MultiplyAdds * Threads;
  Work.CopyBytes = 0;
  uint64_t Sum = 0;
  bool Known = !Tiles.empty();
  std::vector<std::string> Parts;
  for (const TilePlan &Tile : Tiles) {
    uint64_t Bytes = copiedBytes(Facts, Tile, Threads);
    Known &= Bytes != 0;
    Sum += Bytes;
    Parts.push_back(Bytes ? llvm::formatv("{0:N} B", Bytes).str()
                          : Tile.SymbolicBytes);
    unsigned Width = Tile.CopyBytes ? Tile.CopyBytes : 4;
    Work.CopyBytes = Work.CopyBytes ? std::min(Work.CopyBytes, Width) : Width;
  }
  Result.Derivation = derive(Facts, Threads, Parts);
  if (!Known)
    return Result;
  Work.Bytes = double(Sum);
  Result.Ratio = 2 * Work.MultiplyAdds / Work.Bytes;
  Result.Work = Work;
  return Result;
}

std::vector<Candidate> predict(const Arch &Machine, const LoopRatio &Ratio,
                               const StageChoice &Budget, const Choices &Can) {
  std::vector<Candidate> List;
  if (!Ratio.Work || Budget.Table.empty() || !Budget.Before.BlocksPerSM)
    return List;
  auto Add = [&](Variant Kind, const StageCost &Cost) {
    if (Cost.Fits && (!Cost.BlocksLost || Can.AllowCliff))
      List.push_back({Kind, Cost.Stages, Cost.Residency, {}});
  };
  for (const StageCost &Cost : Budget.Table) {
    if (Can.Prefetch && Cost.Stages == 1)
      Add(Variant::RegisterPrefetch, Cost);
    if (Can.Ldg && Cost.Stages == 2)
      Add(Variant::Ldg, Cost);
    if (Can.CpAsync && Cost.Stages >= 2 && Cost.Stages <= Can.MaxAsyncStages)
      Add(Variant::CpAsync, Cost);
  }
  orderCandidates(Machine, *Ratio.Work, Budget.Before, List);
  return List;
}

} // namespace pipeline_rewrite
