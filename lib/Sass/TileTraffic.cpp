#include "Sass/TileTraffic.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// For each register, the loads of the loop whose value may be in it.
class ValueTracker {
public:
  ValueTracker(const SassFunction &F, SteadyLoop &Loop)
      : F(F), Loop(Loop), Holds(256, BitVector(Loop.Body.size())) {}

  void step(size_t Index) {
    const SassInstruction &I = F.Code[Loop.Body[Index]];
    SassKind Kind = kindOf(I);
    RegisterUse Use = registersOf(I);
    BitVector Values(Loop.Body.size());
    for (RegisterRange R : Use.Values)
      forEach(R, [&](unsigned Register) { Values |= Holds[Register]; });
    if (Kind == SassKind::SharedStore && Values.any()) {
      Loop.IsTileStore[Index] = true;
      for (unsigned Load : Values.set_bits())
        Loop.IsTileLoad[Load] = true;
    }
    if (!Use.Result)
      return;
    if (Kind == SassKind::GlobalLoad)
      Values.set(Index);
    // Under a guard the old value may stay.
    forEach(*Use.Result, [&](unsigned Register) {
      if (I.Guard.empty())
        Holds[Register] = Values;
      else
        Holds[Register] |= Values;
    });
  }

private:
  template <typename Action> void forEach(RegisterRange R, Action Do) {
    for (unsigned I = R.First; I < R.First + R.Count && I < Holds.size(); ++I)
      Do(I);
  }

  const SassFunction &F;
  SteadyLoop &Loop;
  std::vector<BitVector> Holds;
};

} // namespace

void findTileTraffic(const SassFunction &F, SteadyLoop &Loop) {
  Loop.IsTileLoad.assign(Loop.Body.size(), false);
  Loop.IsTileStore.assign(Loop.Body.size(), false);
  ValueTracker Tracker(F, Loop);
  for (unsigned Round = 0; Round < 2; ++Round)
    for (size_t I = 0; I < Loop.Body.size(); ++I)
      Tracker.step(I);
  bool Followed = is_contained(Loop.IsTileLoad, true);
  bool Async = any_of(Loop.Body, [&](size_t I) {
    return kindOf(F.Code[I]) == SassKind::AsyncCopy;
  });
  for (size_t I = 0; I < Loop.Body.size(); ++I) {
    SassKind Kind = kindOf(F.Code[Loop.Body[I]]);
    if (Kind == SassKind::AsyncCopy ||
        (Kind == SassKind::GlobalLoad && !Followed && !Async))
      Loop.IsTileLoad[I] = true;
    if (Kind == SassKind::SharedStore && !Followed && !Async)
      Loop.IsTileStore[I] = true;
  }
}

} // namespace pipeline_rewrite
