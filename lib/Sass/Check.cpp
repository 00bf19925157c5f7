#include "Sass/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace pipeline_rewrite {

/// Shares of a tile's arithmetic that a load has to be covered by. Half a tile
/// is what a scheduler that spreads the loads to save registers leaves, and
/// what still gained on the card (docs/sass.md, "How far to trust it").
static constexpr double EnoughOverlap = 0.5, AnyOverlap = 0.1;
/// Stores may stand in front of the last few instructions of the arithmetic.
static constexpr double StoresLateEnough = 0.25;
/// More waits for shared loads than this, and fragments are fetched one by one.
static constexpr double MoreSharedWaits = 1.25;

const char *toString(SassStatus Status) {
  switch (Status) {
  case SassStatus::Pass:
    return "pass";
  case SassStatus::Warn:
    return "warn";
  case SassStatus::Fail:
    return "fail";
  case SassStatus::Skipped:
    return "skipped";
  }
  return "";
}

const char *toString(SassVerdict Verdict) {
  switch (Verdict) {
  case SassVerdict::Overlapped:
    return "overlapped";
  case SassVerdict::Partial:
    return "partial";
  case SassVerdict::Sunk:
    return "sunk";
  case SassVerdict::NotFound:
    return "not-found";
  }
  return "";
}

SassVerdict SassReport::verdict() const {
  SassVerdict Worst = Kernels.empty() ? SassVerdict::NotFound
                                      : SassVerdict::Overlapped;
  for (const SassKernel &K : Kernels)
    Worst = std::max(Worst, K.Verdict);
  return Worst;
}

LocalMemory localMemoryOf(const SassFunction &F) {
  LocalMemory Result;
  for (const SassInstruction &I : F.Code) {
    Result.Loads += kindOf(I) == SassKind::LocalLoad;
    Result.Stores += kindOf(I) == SassKind::LocalStore;
  }
  return Result;
}

namespace {

class Judge {
public:
  Judge(SassKernel &K, const SassExpectation &Expected)
      : K(K), Expected(Expected), After(*K.After) {}
  void run();

private:
  void add(StringRef Id, SassStatus Status, const Twine &Message) {
    K.Checks.push_back({Id.str(), Status, Message.str()});
  }
  void overlap();
  void order();
  void groups();
  void arithmetic();
  void barriers();
  void memory();
  void sharedWaits();
  StringRef headline() const;
  void conclude();
  std::string math(double Number) const {
    return formatv("{0:f0} {1}", Number, After.MathOpcode).str();
  }

  SassKernel &K;
  const SassExpectation &Expected;
  const SteadyLoop &After;
};

void Judge::overlap() {
  double Worst = After.WorstOverlap;
  SassStatus Status = Worst >= EnoughOverlap ? SassStatus::Pass
                      : Worst >= AnyOverlap  ? SassStatus::Warn
                                             : SassStatus::Fail;
  std::string Message =
      formatv("{0:P0} of a tile's {1} run between the loads and the wait for "
              "them ({2:P0} for the worst load)",
              After.Overlap, After.MathOpcode, Worst)
          .str();
  if (After.HasControl)
    Message +=
        formatv("; {0} cycles of the warp's own work", After.CoveredCycles).str();
  add("overlap", Status, Message);
}

/// Loads, arithmetic, stores: in this order, and no barrier before the
/// arithmetic.
void Judge::order() {
  bool Covered = After.WorstOverlap >= EnoughOverlap;
  if (Covered && After.staysInFlight()) {
    add("loads-first", SassStatus::Pass,
        "the copies set off behind arithmetic and are in flight through that of "
        "the next pass");
    return add("no-barrier", SassStatus::Pass,
               "the barrier's wait leaves the copies in flight");
  }
  if (After.MathBeforeLoads == 0)
    add("loads-first", SassStatus::Pass, "all loads stand before the arithmetic");
  else
    add("loads-first", Covered ? SassStatus::Warn : SassStatus::Fail,
        formatv("{0} of {1} stand before the last load: the compiler moved the "
                "loads down",
                After.MathBeforeLoads, math(After.Math)));
  add("no-barrier", After.BarrierBeforeMath ? SassStatus::Fail : SassStatus::Pass,
      After.BarrierBeforeMath ? "a barrier stands between the loads and the "
                                "arithmetic that should cover them"
                              : "no barrier between the loads and the arithmetic");
  if (!After.TileStores)
    return;
  double Share = After.Math ? double(After.MathAfterStores) / After.Math : 0;
  add("stores-last",
      After.MathAfterStores == 0   ? SassStatus::Pass
      : Share <= StoresLateEnough ? SassStatus::Warn
                                  : SassStatus::Fail,
      After.MathAfterStores == 0
          ? std::string("all stores to shared memory stand after the arithmetic")
          : formatv("{0} stand after the first store to shared memory",
                    math(After.MathAfterStores))
                .str());
}

void Judge::groups() {
  if (!Expected.Async)
    return;
  unsigned Pending = Expected.Stages > 2 ? Expected.Stages - 2 : 0;
  bool Waits = !After.Pending.empty() &&
               all_of(After.Pending, [&](unsigned N) { return N == Pending; });
  bool Right = Waits && After.AsyncCopies && After.Commits == After.Tiles;
  std::vector<std::string> Seen;
  for (unsigned N : After.Pending)
    Seen.push_back(std::to_string(N));
  add("async-groups", Right ? SassStatus::Pass : SassStatus::Fail,
      formatv("tiles: {3}, LDGSTS: {0}, commits: {1}, groups left in flight by each "
              "wait: {2}; meant are one commit a tile and {4} left",
              After.AsyncCopies, After.Commits,
              Seen.empty() ? "no wait" : join(Seen, ", "), After.Tiles, Pending));
}

void Judge::arithmetic() {
  if (!K.Before) {
    add("math-per-tile", SassStatus::Skipped, "no loop of the original to compare");
    return;
  }
  double Was = double(K.Before->Math) / K.Before->Tiles;
  double Is = double(After.Math) / After.Tiles;
  if (Was == Is && K.Before->MathOpcode == After.MathOpcode)
    return add("math-per-tile", SassStatus::Pass, math(Is) + " a tile, as before");
  // An inner loop that was unrolled by another factor holds other counts.
  bool Inner = K.Before->MathInInnerLoop || After.MathInInnerLoop;
  add("math-per-tile", Inner ? SassStatus::Skipped : SassStatus::Warn,
      formatv("{0} a tile, {1:f0} {2} before{3}", math(Is), Was,
              K.Before->MathOpcode,
              Inner ? " (they stand in inner loops, which do not compare)" : ""));
}

void Judge::barriers() {
  double Is = double(After.Barriers) / After.Tiles;
  if (!K.Before) {
    add("barriers", SassStatus::Skipped, formatv("{0:f1} a tile", Is));
    return;
  }
  double Was = double(K.Before->Barriers) / K.Before->Tiles;
  double Meant = Expected.Stages > 1 ? std::max(Was - 1, 1.0) : Was;
  add("barriers", Is <= Meant ? SassStatus::Pass : SassStatus::Warn,
      formatv("{0:f1} a tile, {1:f1} before{2}", Is, Was,
              Is <= Meant ? "" : formatv("; meant were {0:f1}", Meant).str()));
}

void Judge::memory() {
  bool More = K.LocalAfter.Loads > K.LocalBefore.Loads ||
              K.LocalAfter.Stores > K.LocalBefore.Stores;
  add("local-memory", More ? SassStatus::Fail : SassStatus::Pass,
      formatv("{0} LDL and {1} STL, {2} and {3} before", K.LocalAfter.Loads,
              K.LocalAfter.Stores, K.LocalBefore.Loads, K.LocalBefore.Stores));
}

void Judge::sharedWaits() {
  if (!K.Before || !After.HasControl || !K.Before->HasControl)
    return;
  double Was = double(K.Before->SharedWaits) / K.Before->Tiles;
  double Is = double(After.SharedWaits) / After.Tiles;
  bool More = Is > Was * MoreSharedWaits + 1;
  std::string Message =
      formatv("{0:f0} waits for shared loads a tile, {1:f0} before", Is, Was).str();
  if (More)
    Message += ": the operands are fetched closer to their use";
  bool Fewer = K.ResourcesBefore && K.ResourcesAfter &&
               K.ResourcesAfter->Registers < K.ResourcesBefore->Registers;
  if (More && Fewer)
    Message += formatv("; the compiler gave {0} registers instead of {1}, a "
                       "minimum of blocks in __launch_bounds__ tells it how many "
                       "it may use",
                       K.ResourcesAfter->Registers, K.ResourcesBefore->Registers)
                   .str();
  add("shared-waits", More ? SassStatus::Warn : SassStatus::Pass, Message);
}

/// Three ways to lose the overlap look alike in the figure.
StringRef Judge::headline() const {
  if (K.Verdict == SassVerdict::Overlapped)
    return "the loads overlap with the arithmetic";
  if (K.LocalAfter.Stores > K.LocalBefore.Stores && K.Verdict == SassVerdict::Sunk)
    return "the loads are awaited at once, to be kept in local memory";
  if (After.MathBeforeLoads > AnyOverlap * After.Math)
    return "the compiler sank the loads into the arithmetic";
  if (After.BarrierBeforeMath)
    return "the loads are awaited before the arithmetic";
  return "the loads stand early, but the arithmetic waits for their scoreboard";
}

void Judge::conclude() {
  double Worst = After.WorstOverlap;
  K.Verdict = Worst >= EnoughOverlap ? SassVerdict::Overlapped
              : Worst >= AnyOverlap  ? SassVerdict::Partial
                                     : SassVerdict::Sunk;
  StringRef Head = headline();
  K.Summary = formatv("{0}: {1:P0} of a tile's {2} between load and wait", Head,
                      After.Overlap, math(double(After.Math) / After.Tiles))
                  .str();
  if (After.MathBeforeLoads && !After.staysInFlight())
    K.Summary += formatv("; the last load stands behind {0} of {1} instructions of it",
                         After.MathBeforeLoads, After.Math)
                     .str();
  if (K.ResourcesAfter) {
    K.Summary += formatv(", {0} registers", K.ResourcesAfter->Registers).str();
    if (K.ResourcesBefore)
      K.Summary += formatv(" ({0} before)", K.ResourcesBefore->Registers).str();
  }
}

void Judge::run() {
  overlap();
  order();
  groups();
  arithmetic();
  barriers();
  memory();
  sharedWaits();
  conclude();
}

} // namespace

void judgeSass(SassKernel &K, const SassExpectation &Expected) {
  if (K.After)
    return Judge(K, Expected).run();
  K.Verdict = SassVerdict::NotFound;
  K.Summary = "no loop with a barrier, arithmetic and the tiles' loads was found "
              "in the machine code: it may be unrolled as a whole";
}

} // namespace pipeline_rewrite
