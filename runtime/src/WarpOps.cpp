// What the lanes of a warp do together. Lanes meet; the last to arrive does the
// work for all.
#include "Machine.h"
#include "Matrix.h"

#include <algorithm>

namespace pr {

uint64_t Worker::warpOperation(WarpKind Kind, uint32_t Mask, uint32_t Detail,
                               uint32_t Detail2, uint32_t Site) {
  LastSite = Site;
  uint32_t Lane = Current->Number % 32;
  Warp &W = Warps[Current->Number / 32];
  if (!(Mask >> Lane & 1))
    fail("warp-divergence",
         threadName(Current->Number) + " takes part in a warp operation at " +
             line(Site) + " whose mask leaves it out",
         Site);
  auto It =
      std::find_if(W.Open.begin(), W.Open.end(), [&](const WarpOperation &O) {
        return O.Kind == Kind && O.Mask == Mask && O.Detail == Detail &&
               !(O.Arrived >> Lane & 1);
      });
  if (It == W.Open.end()) {
    W.Open.push_back({Kind, Mask, 0, Detail, Detail2, Site});
    It = W.Open.end() - 1;
  }
  It->Arrived |= 1u << Lane;
  Current->State = ThreadState::AtWarp;
  if (It->Arrived == (Mask & W.Live)) {
    WarpOperation Op = *It;
    W.Open.erase(It);
    finishWarpOperation(W, Op);
  } else {
    yield();
  }
  return Current->Operand.Result;
}

/// A lane has returned: operations may have been waiting for nobody else.
void Worker::retryWarp(Warp &W) {
  for (size_t I = 0; I < W.Open.size();) {
    WarpOperation Op = W.Open[I];
    if (Op.Arrived != (Op.Mask & W.Live) || Op.Arrived == 0) {
      ++I;
      continue;
    }
    W.Open.erase(W.Open.begin() + static_cast<long>(I));
    finishWarpOperation(W, Op);
  }
}

static uint64_t reduce(int Kind, uint64_t A, uint64_t B) {
  uint32_t X = static_cast<uint32_t>(A), Y = static_cast<uint32_t>(B);
  int32_t SX = static_cast<int32_t>(X), SY = static_cast<int32_t>(Y);
  switch (Kind) {
  case 0:
    return X + Y;
  case 1:
    return std::min(X, Y);
  case 2:
    return std::max(X, Y);
  case 3:
    return static_cast<uint32_t>(std::min(SX, SY));
  case 4:
    return static_cast<uint32_t>(std::max(SX, SY));
  case 5:
    return X & Y;
  case 6:
    return X | Y;
  default:
    return X ^ Y;
  }
}

/// Result of each lane: the value of the lane it asked for, its own where that
/// lane is outside the segment.
void Worker::shuffle(uint32_t First, const WarpOperation &Op) {
  for (uint32_t Lane = 0; Lane < 32; ++Lane) {
    if (!(Op.Arrived >> Lane & 1))
      continue;
    WarpOperand &Mine = Threads[First + Lane].Operand;
    int Width = Mine.Width, Start = static_cast<int>(Lane) / Width * Width;
    int Source = static_cast<int>(Lane), Argument = static_cast<int>(Mine.From);
    if (Op.Detail == 0)
      Source = Start + (Argument & (Width - 1));
    else if (Op.Detail == 1)
      Source -= Argument;
    else if (Op.Detail == 2)
      Source += Argument;
    else
      Source ^= Argument;
    // An exchange may not look above its own segment; below is allowed.
    bool Outside = Op.Detail == 3 ? Source >= Start + Width
                                  : Source < Start || Source >= Start + Width;
    if (Outside || !(Op.Arrived >> Source & 1))
      Source = static_cast<int>(Lane);
    Mine.Result = Threads[First + static_cast<uint32_t>(Source)].Operand.Value;
  }
}

void Worker::finishWarpOperation(Warp &W, WarpOperation Op) {
  uint32_t First = static_cast<uint32_t>(&W - Warps.data()) * 32;
  WarpOperand *Lanes[32] = {};
  for (uint32_t Lane = 0; Lane < 32 && First + Lane < Threads.size(); ++Lane)
    if (Op.Arrived >> Lane & 1)
      Lanes[Lane] = &Threads[First + Lane].Operand;
  bool Matrix = Op.Kind == WarpKind::Wmma || Op.Kind == WarpKind::Mma ||
                Op.Kind == WarpKind::LoadMatrix;
  if (Matrix && Op.Arrived != 0xffffffffu)
    unsupported("a matrix instruction of a warp with fewer than 32 threads",
                Op.Site);
  if (Op.Kind == WarpKind::Shuffle)
    shuffle(First, Op);
  else if (Op.Kind == WarpKind::Wmma) {
    if (!wmmaCompute(Lanes, Op.Detail, Op.Detail2))
      unsupported("this shape or type of wmma::mma_sync", Op.Site);
  } else if (Op.Kind == WarpKind::Mma)
    mmaCompute(Lanes, Op.Detail, Op.Detail2);
  else if (Op.Kind == WarpKind::LoadMatrix)
    loadMatrix(First, Op);
  uint32_t Ballot = 0;
  uint64_t Total = 0;
  bool Any = false;
  for (uint32_t Lane = 0; Lane < 32; ++Lane)
    if (Lanes[Lane]) {
      Ballot |= (Lanes[Lane]->Value != 0) << Lane;
      Total =
          Any ? reduce(static_cast<int>(Op.Detail), Total, Lanes[Lane]->Value)
              : Lanes[Lane]->Value;
      Any = true;
    }
  ++Tick;
  for (uint32_t Lane = 0; Lane < 32; ++Lane) {
    if (!Lanes[Lane])
      continue;
    if (Op.Kind == WarpKind::Ballot)
      Lanes[Lane]->Result = Ballot;
    if (Op.Kind == WarpKind::Reduce)
      Lanes[Lane]->Result = Total;
    if (Op.Kind == WarpKind::Match) {
      Lanes[Lane]->Result = 0;
      for (uint32_t Other = 0; Other < 32; ++Other)
        if (Lanes[Other] && Lanes[Other]->Value == Lanes[Lane]->Value)
          Lanes[Lane]->Result |= uint64_t(1) << Other;
    }
    Threads[First + Lane].SyncTick = Tick;
    Threads[First + Lane].State = ThreadState::Runnable;
  }
}

/// ldmatrix: lane 8i+r names row r of matrix i; lane L receives of each matrix
/// the elements 2(L%4) and the next of row L/4, or of that column.
void Worker::loadMatrix(uint32_t First, const WarpOperation &Op) {
  Thread *Before = Current;
  for (uint32_t Lane = 0; Lane < 32; ++Lane) {
    Current = &Threads[First + Lane];
    auto *Out = static_cast<uint32_t *>(
        const_cast<void *>(Current->Operand.Pointers[0]));
    for (uint32_t I = 0; I < Op.Detail; ++I) {
      uint16_t Half[2];
      for (uint32_t E = 0; E < 2; ++E) {
        uint32_t Row = Op.Detail2 ? Lane % 4 * 2 + E : Lane / 4;
        uint32_t Column = Op.Detail2 ? Lane / 4 : Lane % 4 * 2 + E;
        auto *Start = static_cast<const uint16_t *>(
            Threads[First + I * 8 + Row].Operand.Pointers[1]);
        alignment(Start, 16, "a row of ldmatrix", Op.Site);
        load(Start + Column, 2, Op.Site, 2);
        Half[E] = Start[Column];
      }
      Out[I] = uint32_t(Half[0]) | uint32_t(Half[1]) << 16;
    }
  }
  Current = Before;
}

} // namespace pr
