#include "ShadowLaunch.h"
#include "Compare.h"
#include "Memory.h"
#include "Report.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <unistd.h>

namespace pr {

namespace {

/// Everything that lives as long as the program.
class Session {
public:
  Session() {
    if (!settings().RecordPath.empty()) {
      // Nothing is run: its kernels are asked what they need.
      if (!settings().RewrittenPath.empty())
        loadModule(Original, settings().RewrittenPath, true);
      return;
    }
    loadModule(Original, settings().OriginalPath, true);
    loadModule(Rewritten, settings().RewrittenPath, false);
    for (Module *M : {&Original, &Rewritten})
      for (uint64_t I = 0; I < M->VariableCount; ++I)
        memory().addVariable(M->Variables[I]);
  }

  void launch(const char *Name, Index3 Grid, Index3 Block, uint32_t Dynamic,
              void **Arguments);

  void newCase(bool IsOptional, bool IsBrief) {
    Cases = true;
    Seen.clear();
    Optional = IsOptional;
    Brief = IsBrief;
    // Processor time: on a machine that is busy otherwise as much is proved.
    double Spent = double(std::clock()) / CLOCKS_PER_SEC;
    Abandoned = Optional && (Spent > settings().OptionalSeconds ||
                             elapsed() > settings().TotalSeconds);
    LeftOut += Abandoned;
  }
  bool optional() const { return Optional; }
  bool cases() const { return Cases; }
  void countRefused() { ++Launches; }
  void compareReference(const void *Result, const void *Reference,
                        double Absolute, double Relative);

  Module Original, Rewritten;
  uint64_t Runs = 0, Comparisons = 0, Blocks = 0, Skipped = 0;
  long RewrittenBytes = -1; ///< -1: by the settings.
  bool Printing = false;
  unsigned LeftOut = 0; ///< Cases that nobody asked for, for want of time.

private:
  static void loadModule(Module &M, const std::string &Path, bool IsOriginal) {
    std::string Error = M.load(Path.c_str(), IsOriginal);
    if (!Error.empty())
      stop("cannot load the compiled kernels: " + Error);
  }
  [[noreturn]] static void stop(const std::string &Message) {
    reportUnable(Message);
    std::_Exit(5);
  }
  [[noreturn]] void failed() {
    reportTotals(Runs, Comparisons, Blocks, Skipped);
    std::_Exit(4);
  }
  Launch makeLaunch(Module &M, const char *Name, Index3 Grid, Index3 Block,
                    uint32_t Dynamic, void **Arguments) {
    const KernelRow *K = M.kernel(Name);
    if (!K)
      stop(std::string("the ") + (M.Original ? "original" : "rewritten") +
           " file has no kernel " + Name);
    return {&M, K, Grid, Block, Dynamic, Arguments, &Unwritten};
  }
  uint32_t rewrittenShared(uint32_t Dynamic, const char *Kernel);
  void equalizeVariables();
  size_t scheduleCount(const std::string &Key);
  bool runOriginal(const Launch &L, const Schedule &S, bool IsFirst,
                   uint64_t &MaxBlocks);
  bool expectEqual(const Snapshot &Expected, const Snapshot &Actual,
                   const char *Version, const Schedule &S, const char *Kernel);
  std::vector<Schedule> schedules() const;
  double elapsed() const {
    std::chrono::duration<double> D = std::chrono::steady_clock::now() - Start;
    return D.count();
  }

  /// How often the same launch (kernel, sizes, scalar arguments) was seen.
  std::map<std::string, unsigned> Seen;
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
  unsigned Launches = 0;
  bool Cases = false;     ///< A program from a launch file runs.
  bool Optional = false;  ///< The case may be left out.
  bool Brief = false;     ///< The case is run under one schedule.
  bool Abandoned = false; ///< It was.
  bool Noted = false;     ///< A harmless read of nothing was mentioned.
  UnwrittenReads Unwritten;
  bool Unchecked = false; ///< Some launch was run without being compared.
};

Session &session() {
  static Session S;
  return S;
}

/// The dynamic shared bytes of the rewritten kernel in this launch.
uint32_t Session::rewrittenShared(uint32_t Dynamic, const char *Kernel) {
  if (RewrittenBytes >= 0)
    return static_cast<uint32_t>(RewrittenBytes);
  const std::string &How = settings().RewrittenShared;
  if (How == "same")
    return Dynamic;
  // The most that any of the GPUs in rules/arch gives a block.
  constexpr uint32_t Largest = 232448;
  if (How == "any")
    return std::max(Dynamic, Largest);
  // A list of numbers, one a launch.
  size_t At = 0;
  for (unsigned I = 0; I < Launches && At != std::string::npos; ++I)
    At = How.find(',', At + 1);
  if (At == std::string::npos)
    return std::max(Dynamic, Largest);
  At += Launches ? 1 : 0;
  if (How.compare(At, 1, "!") == 0) {
    long long Bytes = std::atoll(How.c_str() + At + 1);
    reportFailure("rewritten", "launch-failed",
                  "the rewritten program's launch with " + std::to_string(Bytes) +
                      " bytes of dynamic shared memory is refused: " +
                      (Bytes > Largest
                           ? "no GPU gives a block as much"
                           : "it lacks a cudaFuncSetAttribute that permits more "
                             "than 49152 bytes, static arrays included"),
                  plainName(Kernel));
    failed();
  }
  return static_cast<uint32_t>(std::atoll(How.c_str() + At));
}

/// The rewritten kernel's variables take the values that the original left.
void Session::equalizeVariables() {
  for (uint64_t I = 0; I < Original.VariableCount; ++I) {
    const VariableRow &V = Original.Variables[I];
    const VariableRow *Same = Rewritten.variable(V.Name);
    if (Same && Same->Bytes == V.Bytes)
      std::memcpy(Same->Address, V.Address, V.Bytes);
  }
}

std::vector<Schedule> Session::schedules() const {
  uint64_t Seed = settings().Seed;
  return {{Landing::Late, Order::Forward, Seed},
          {Landing::Early, Order::Reverse, Seed + 1},
          {Landing::Random, Order::ByWarp, Seed + 2},
          {Landing::Late, Order::Random, Seed + 3}};
}

/// The bytes of both versions' variables, compared by name.
Snapshot originalView(const Module &Original, const Module &Shown) {
  Snapshot S;
  for (const Allocation &A : memory().all()) {
    const char *From = A.Begin;
    bool Skip = A.Variable;
    for (uint64_t I = 0; I < Original.VariableCount; ++I)
      if (Original.Variables[I].Address == A.Begin) {
        const VariableRow *V = Shown.variable(Original.Variables[I].Name);
        Skip = !V || V->Bytes != A.Bytes;
        From = Skip ? From : static_cast<const char *>(V->Address);
      }
    S.emplace_back(From, Skip ? From : From + A.Bytes);
  }
  return S;
}

/// How many schedules a launch is run under. A program that times a kernel
/// launches it many times; a long sweep must come to an end.
size_t Session::scheduleCount(const std::string &Key) {
  unsigned Before = Seen[Key]++;
  bool Tired = elapsed() > settings().TotalSeconds;
  if (Before >= 64 || (Tired && Before > 0)) {
    if (!Unchecked)
      reportNote("not every launch was compared: the program repeats them");
    Unchecked = true;
    return 0;
  }
  return Tired || Brief ? 1 : schedules().size();
}

void Session::launch(const char *Name, Index3 Grid, Index3 Block,
                     uint32_t Dynamic, void **Arguments) {
  Launch Before = makeLaunch(Original, Name, Grid, Block, Dynamic, Arguments);
  Launch After = makeLaunch(Rewritten, Name, Grid, Block,
                            rewrittenShared(Dynamic, Name), Arguments);
  ++Launches;
  if (Abandoned)
    return;
  Unwritten.Seen = false;
  std::string Key = std::string(Name) + "/" + std::to_string(Grid.X) + "," +
                    std::to_string(Grid.Y) + "," + std::to_string(Grid.Z) +
                    "/" + std::to_string(Block.X) + "," +
                    std::to_string(Dynamic);
  size_t Count = scheduleCount(Key);
  Snapshot Start = takeSnapshot(), Kept, First;
  uint64_t MaxBlocks = ~uint64_t(0);
  for (size_t I = 0; I < std::max<size_t>(Count, 1); ++I) {
    reportProgress(Runs);
    Schedule S = schedules()[I];
    if (I > 0)
      restoreSnapshot(Start);
    if (!runOriginal(Before, S, I == 0, MaxBlocks)) {
      restoreSnapshot(Start);
      return;
    }
    Snapshot Expected = originalView(Original, Original);
    if (I == 0) {
      Kept = takeSnapshot();
      First = Expected;
    }
    if (!expectEqual(First, Expected, "original", S, Name)) {
      restoreSnapshot(Start);
      return;
    }
    if (Count == 0)
      break;
    restoreSnapshot(Start);
    ++Runs;
    if (runLaunch(After, S, MaxBlocks, 0).Failed)
      failed();
    ++Comparisons;
    expectEqual(Expected, originalView(Original, Rewritten), "rewritten", S,
                Name);
  }
  if (Unwritten.Seen && !Noted) {
    reportNote("the original has this, without effect on its result: " +
               Unwritten.Message);
    Noted = true;
  }
  restoreSnapshot(Kept);
  equalizeVariables();
}

/// \returns false where the case was optional and the original cannot stand it.
bool Session::runOriginal(const Launch &L, const Schedule &S, bool IsFirst,
                          uint64_t &MaxBlocks) {
  Printing = IsFirst;
  if (Optional)
    muteFailures(true);
  LaunchResult R =
      runLaunch(L, S, MaxBlocks, IsFirst ? settings().LaunchSeconds : 0);
  Printing = false;
  muteFailures(false);
  ++Runs;
  if (R.Failed && Optional) {
    Abandoned = true;
    return false;
  }
  if (R.Failed)
    failed();
  if (IsFirst) {
    MaxBlocks = R.BlocksRun;
    Blocks += R.BlocksRun;
    Skipped += uint64_t(L.Grid.X) * L.Grid.Y * L.Grid.Z - R.BlocksRun;
  }
  return true;
}

/// \returns false where the original differs from itself and the case was
/// optional: what was not asked for says nothing against it.
bool Session::expectEqual(const Snapshot &Expected, const Snapshot &Actual,
                          const char *Version, const Schedule &S,
                          const char *Kernel) {
  Tolerance Limit{settings().Bitwise, settings().Relative, settings().Absolute,
                  settings().Ulps, settings().Type};
  const char *Check = "";
  bool IsOriginal = std::strcmp(Version, "original") == 0;
  Writers Who = IsOriginal ? Writers{"the original in its first run",
                                     "the original in another"}
                           : Writers{"the original", "the rewritten kernel"};
  std::string Difference = firstDifference(Expected, Actual, Limit, Who, Check);
  if (Difference.empty())
    return true;
  if (IsOriginal && Optional) {
    Abandoned = true;
    return false;
  }
  if (IsOriginal && Unwritten.Seen) {
    reportFailure(Version, "uninitialised-shared",
                  Unwritten.Message + ", and the result depends on it: " +
                      Difference + " [" + S.describe() + "]",
                  Unwritten.Where);
    failed();
  }
  reportFailure(Version, IsOriginal ? "not-deterministic" : Check,
                Difference + " [" + S.describe() + "]", plainName(Kernel));
  failed();
}

void Session::compareReference(const void *Result, const void *Reference,
                               double Absolute, double Relative) {
  const Allocation *A = memory().find(Result, 0);
  if (!A || Abandoned || Brief || Skipped > 0)
    return;
  const char *From = static_cast<const char *>(Reference);
  Snapshot Expected, Actual;
  for (const Allocation &Other : memory().all()) {
    bool Here = &Other == A;
    Expected.emplace_back(From, Here ? From + A->Bytes : From);
    Actual.emplace_back(Other.Begin,
                        Here ? Other.Begin + A->Bytes : Other.Begin);
  }
  Tolerance Limit{Absolute == 0 && Relative == 0, Relative, Absolute, 0,
                  A->Type};
  const char *Check = "";
  std::string Difference = firstDifference(
      Expected, Actual, Limit, {"the reference", "the original"}, Check);
  if (Difference.empty())
    return;
  reportFailure("original", "reference-differs", Difference, A->Name);
  failed();
}

} // namespace

/// \returns whether launches are only noted.
static bool record(const char *Mark, uint32_t DynamicBytes) {
  if (settings().RecordPath.empty())
    return false;
  if (std::FILE *F = std::fopen(settings().RecordPath.c_str(), "a")) {
    std::fprintf(F, "%s%u,", Mark, DynamicBytes);
    std::fclose(F);
  }
  return true;
}

void shadowLaunch(const char *Kernel, Index3 Grid, Index3 Block,
                  uint32_t DynamicBytes, void **Arguments) {
  if (!record("", DynamicBytes))
    session().launch(Kernel, Grid, Block, DynamicBytes, Arguments);
}

uint64_t staticShared(const char *Kernel) {
  const KernelRow *K = session().Original.kernel(Kernel);
  return K ? K->StaticShared : 0;
}

void refusedLaunch(uint32_t DynamicBytes) {
  if (!record("!", DynamicBytes))
    session().countRefused();
}

void *variableAddress(const char *Name) {
  const VariableRow *V = session().Original.variable(Name);
  return V ? V->Address : nullptr;
}

void writeVariable(const char *Name, uint64_t Offset, const void *From,
                   uint64_t Bytes) {
  for (Module *M : {&session().Original, &session().Rewritten})
    if (const VariableRow *V = M->variable(Name);
        V && Offset + Bytes <= V->Bytes)
      std::memcpy(static_cast<char *>(V->Address) + Offset, From, Bytes);
}

void newCase(bool Optional, bool Brief) { session().newCase(Optional, Brief); }

bool caseIsOptional() { return session().optional(); }

bool runsCases() { return session().cases(); }

void setRewrittenShared(long Bytes) { session().RewrittenBytes = Bytes; }

void compareReference(const void *Result, const void *Reference,
                      double Absolute, double Relative) {
  session().compareReference(Result, Reference, Absolute, Relative);
}

bool printingAllowed() { return session().Printing; }

void finishReport() {
  if (!settings().RecordPath.empty())
    return;
  Session &S = session();
  if (S.LeftOut > 0)
    reportNote("the launches take long: " + std::to_string(S.LeftOut) +
               " sizes that the launch file does not ask for were left out");
  reportTotals(S.Runs, S.Comparisons, S.Blocks, S.Skipped);
}

} // namespace pr
