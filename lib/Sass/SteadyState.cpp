#include "Sass/SteadyState.h"
#include "Sass/Flow.h"
#include "Sass/TileTraffic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

using namespace llvm;

namespace pipeline_rewrite {

bool SteadyLoop::staysInFlight() const {
  return AsyncCopies && !Pending.empty() && MathBeforeLoads == Math &&
         all_of(Pending, [](unsigned N) { return N > 0; });
}

unsigned lineIn(const SassInstruction &I, const SassLines &Lines) {
  unsigned Line = 0;
  for (const SassPlace &P : I.Places)
    if (P.File == Lines.File && (!Line || Lines.contain(P.Line) || !Lines.contain(Line)))
      Line = P.Line;
  return Line;
}

namespace {

/// Measures one loop.
class LoopMeter {
public:
  LoopMeter(const SassFunction &F, SteadyLoop &Loop) : F(F), Loop(Loop) {}
  void run(const std::set<size_t> &InnerBody);

private:
  const SassInstruction &at(size_t I) const { return F.Code[Loop.Body[I]]; }
  size_t size() const { return Loop.Body.size(); }
  bool isBarrier(size_t I) const { return kindOf(at(I)) == SassKind::Barrier; }

  void chooseMath();
  void count(const std::set<size_t> &InnerBody);
  void measureStretches();
  void measureStretch(const std::vector<size_t> &Stretch);
  void measureOverlap();
  size_t waitFor(size_t Load, unsigned &Passed, unsigned &Cycles) const;
  bool waitsForRegisters(const SassInstruction &Load,
                         const SassInstruction &I) const;
  void measureControl();

  const SassFunction &F;
  SteadyLoop &Loop;
};

void LoopMeter::chooseMath() {
  for (size_t I = 0; I < size(); ++I)
    Loop.Kind = std::max(Loop.Kind, mathOf(at(I)));
  StringMap<unsigned> Count;
  unsigned Most = 0;
  Loop.IsMath.assign(size(), false);
  for (size_t I = 0; I < size(); ++I) {
    if (Loop.Kind == SassMath::None || mathOf(at(I)) != Loop.Kind)
      continue;
    Loop.IsMath[I] = true;
    ++Loop.Math;
    if (++Count[at(I).base()] > Most) {
      Most = Count[at(I).base()];
      Loop.MathOpcode = at(I).base().str();
    }
  }
}

void LoopMeter::count(const std::set<size_t> &InnerBody) {
  for (size_t I = 0; I < size(); ++I) {
    SassKind Kind = kindOf(at(I));
    bool Inner = InnerBody.count(Loop.Body[I]);
    Loop.MathInInnerLoop |= Inner && Loop.IsMath[I];
    Loop.CopyInInnerLoop |= Inner && Loop.IsTileLoad[I];
    Loop.Barriers += Kind == SassKind::Barrier;
    Loop.Commits += Kind == SassKind::AsyncCommit;
    Loop.LocalLoads += Kind == SassKind::LocalLoad;
    Loop.LocalStores += Kind == SassKind::LocalStore;
    Loop.AsyncCopies += Kind == SassKind::AsyncCopy && accessBytes(at(I));
    Loop.TileStores += Loop.IsTileStore[I];
    if (Kind == SassKind::GlobalLoad)
      ++(Loop.IsTileLoad[I] ? Loop.TileLoads : Loop.OtherLoads);
    if (Loop.IsTileLoad[I])
      Loop.TileBytes += accessBytes(at(I));
  }
  if (Loop.AsyncCopies || Loop.Commits)
    for (size_t I = 0; I < size(); ++I)
      if (std::optional<unsigned> N = pendingGroups(at(I)))
        Loop.Pending.push_back(*N);
}

/// One stretch from barrier to barrier.
void LoopMeter::measureStretch(const std::vector<size_t> &Stretch) {
  unsigned Before = 0, Seen = 0, AfterStore = 0;
  unsigned AfterLoad = 0;
  bool Loads = false, Stores = false;
  for (size_t I : Stretch) {
    if (Loop.IsTileLoad[I]) {
      Before = Seen;
      Loads = true;
    }
    Stores |= Loop.IsTileStore[I];
    Seen += Loop.IsMath[I];
    AfterLoad += Loads && Loop.IsMath[I];
    AfterStore += Stores && Loop.IsMath[I];
  }
  if (Loads) {
    ++Loop.Tiles;
    Loop.MathBeforeLoads += Before;
    Loop.BarrierBeforeMath |= AfterLoad == 0;
  }
  Loop.MathAfterStores += AfterStore;
}

/// The loop is a circle: a stretch goes on from its end to its start.
void LoopMeter::measureStretches() {
  size_t First = 0;
  while (First < size() && !isBarrier(First))
    ++First;
  Loop.Tiles = 0;
  std::vector<size_t> Stretch;
  for (size_t Step = 1; Step <= size(); ++Step) {
    size_t I = (First + Step) % size();
    if (isBarrier(I)) {
      measureStretch(Stretch);
      Stretch.clear();
    } else {
      Stretch.push_back(I);
    }
  }
  measureStretch(Stretch);
  if (Loop.Tiles == 0)
    Loop.Tiles = 1;
}

bool LoopMeter::waitsForRegisters(const SassInstruction &Load,
                                  const SassInstruction &I) const {
  std::optional<RegisterRange> Result = registersOf(Load).Result;
  return Result && any_of(registersOf(I).Values, [&](RegisterRange R) {
    return R.First < Result->First + Result->Count &&
           Result->First < R.First + R.Count;
  });
}

/// Where the warp first waits for what \p Load fetches.
/// \param Passed arithmetic on the way there.
/// \param Cycles the sum of the stall counts on the way.
size_t LoopMeter::waitFor(size_t Load, unsigned &Passed,
                          unsigned &Cycles) const {
  const SassInstruction &L = at(Load);
  bool Async = kindOf(L) == SassKind::AsyncCopy;
  std::optional<unsigned> Scoreboard;
  if (L.Control)
    Scoreboard = L.Control->WriteBarrier;
  int Commits = 0; // of this group and later ones
  Passed = 0;
  Cycles = L.Control ? L.Control->Stall : 0;
  // A ring of eight slots waits seven passes later.
  for (size_t Step = 1; Step <= 8 * size(); ++Step) {
    size_t Now = (Load + Step) % size();
    const SassInstruction &I = at(Now);
    if (Async) {
      Commits += kindOf(I) == SassKind::AsyncCommit;
      std::optional<unsigned> Pending = pendingGroups(I);
      if (Pending && Commits > int(*Pending))
        return Now;
    } else if (Scoreboard && I.Control) {
      bool Counted = I.base() == "DEPBAR" && !I.Operands.empty() &&
                     I.Operands[0] == "SB" + std::to_string(*Scoreboard);
      if (I.Control->WaitMask >> *Scoreboard & 1 || Counted)
        return Now;
    } else if (waitsForRegisters(L, I)) {
      return Now;
    }
    Passed += Loop.IsMath[Now];
    Cycles += I.Control ? I.Control->Stall : 0;
  }
  return Load;
}

void LoopMeter::measureOverlap() {
  double PerTile = double(Loop.Math) / Loop.Tiles, Sum = 0;
  unsigned Loads = 0;
  Loop.WorstOverlap = 1;
  for (size_t I = 0; I < size(); ++I) {
    if (!Loop.IsTileLoad[I] || PerTile == 0)
      continue;
    unsigned Passed = 0, Cycles = 0;
    size_t Wait = waitFor(I, Passed, Cycles);
    double Share = Wait == I ? 0 : std::min(1.0, Passed / PerTile);
    Sum += Share;
    ++Loads;
    if (Share < Loop.WorstOverlap || Loads == 1) {
      Loop.WorstOverlap = Share;
      Loop.WorstLoad = I;
      Loop.WorstWait = Wait;
      Loop.CoveredCycles = Wait == I ? 0 : Cycles;
    }
  }
  Loop.Overlap = Loads ? Sum / Loads : 0;
  if (!Loads)
    Loop.WorstOverlap = 0;
}

void LoopMeter::measureControl() {
  unsigned Shared = 0; // scoreboards that a shared load holds
  for (size_t I = 0; I < size(); ++I) {
    const std::optional<SassControl> &C = at(I).Control;
    if (!C)
      continue;
    Loop.HasControl = true;
    Loop.StallCycles += C->Stall;
    Loop.Yields += C->Yield;
    Loop.SharedWaits += (C->WaitMask & Shared) != 0;
    Shared &= ~C->WaitMask;
    if (kindOf(at(I)) == SassKind::SharedLoad && C->WriteBarrier)
      Shared |= 1u << *C->WriteBarrier;
  }
}

void LoopMeter::run(const std::set<size_t> &InnerBody) {
  findTileTraffic(F, Loop);
  chooseMath();
  count(InnerBody);
  measureStretches();
  measureOverlap();
  measureControl();
}

bool qualifies(const SteadyLoop &L) {
  return L.Barriers && L.Math && L.TileLoads + L.AsyncCopies;
}

/// Does at least half of the code with a known line come from \p Lines?
bool comesFrom(const SassFunction &F, const SteadyLoop &L,
               const SassLines &Lines) {
  unsigned Inside = 0, Known = 0;
  for (size_t I : L.Body) {
    unsigned Line = lineIn(F.Code[I], Lines);
    Known += Line != 0;
    Inside += Line && Lines.contain(Line);
  }
  return Inside * 2 >= Known && Inside;
}

} // namespace

std::vector<SteadyLoop> findSteadyLoops(const SassFunction &F,
                                        const SassLines &Lines) {
  std::vector<SassLoop> Loops = findLoops(F);
  std::vector<SteadyLoop> Found(Loops.size());
  std::vector<bool> HasSmaller(Loops.size());
  // Inner loops come behind the ones around them.
  for (size_t I = Loops.size(); I-- > 0;) {
    std::set<size_t> Inner;
    for (size_t J = I + 1; J < Loops.size(); ++J)
      if (Loops[J].Parent == I)
        Inner.insert(Loops[J].Body.begin(), Loops[J].Body.end());
    Found[I].Header = Loops[I].Header;
    Found[I].Body = Loops[I].Body;
    LoopMeter(F, Found[I]).run(Inner);
    if (Loops[I].Parent && (HasSmaller[I] || qualifies(Found[I])))
      HasSmaller[*Loops[I].Parent] = true;
  }
  std::vector<SteadyLoop> Result;
  bool Known = Lines.First && any_of(F.Code, [&](const SassInstruction &I) {
    return lineIn(I, Lines) != 0;
  });
  for (size_t I = 0; I < Loops.size(); ++I)
    if (qualifies(Found[I]) && !HasSmaller[I] &&
        (!Known || comesFrom(F, Found[I], Lines)))
      Result.push_back(std::move(Found[I]));
  return Result;
}

} // namespace pipeline_rewrite
