#include "ShadowLaunch.h"
#include "Compare.h"
#include "Memory.h"
#include "Report.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

namespace pr {

namespace {

std::string environment(const char *Name, const char *Otherwise = "") {
  const char *Value = std::getenv(Name);
  return Value ? Value : Otherwise;
}

Settings readSettings() {
  Settings S;
  S.OriginalPath = environment("PR_ORIGINAL");
  S.RewrittenPath = environment("PR_REWRITTEN");
  S.Seed = std::strtoull(environment("PR_SEED", "1").c_str(), nullptr, 10);
  S.LaunchSeconds = std::atof(environment("PR_LAUNCH_SECONDS", "20").c_str());
  S.TotalSeconds = std::atof(environment("PR_TOTAL_SECONDS", "90").c_str());
  S.Relative = std::atof(environment("PR_RELATIVE", "0").c_str());
  S.Absolute = std::atof(environment("PR_ABSOLUTE", "0").c_str());
  S.Ulps = std::strtoull(environment("PR_ULPS", "0").c_str(), nullptr, 10);
  S.Bitwise = S.Relative == 0 && S.Absolute == 0 && S.Ulps == 0;
  S.Type = environment("PR_TYPE");
  S.RewrittenShared = environment("PR_REWRITTEN_SHARED", "same");
  S.RecordPath = environment("PR_RECORD");
  return S;
}

/// Everything that lives as long as the program.
class Session {
public:
  Session() {
    loadModule(Original, settings().OriginalPath, true);
    loadModule(Rewritten, settings().RewrittenPath, false);
    for (Module *M : {&Original, &Rewritten})
      for (uint64_t I = 0; I < M->VariableCount; ++I)
        memory().addVariable(M->Variables[I]);
  }

  void launch(const char *Name, Index3 Grid, Index3 Block, uint32_t Dynamic,
              void **Arguments);

  void forgetLaunches() { Seen.clear(); }

  Module Original, Rewritten;
  uint64_t Runs = 0, Comparisons = 0, Blocks = 0, Skipped = 0;
  bool Printing = false;

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
    return {&M, K, Grid, Block, Dynamic, Arguments};
  }
  uint32_t rewrittenShared(uint32_t Dynamic);
  void equalizeVariables();
  std::vector<Schedule> schedules() const;
  double elapsed() const {
    std::chrono::duration<double> D = std::chrono::steady_clock::now() - Start;
    return D.count();
  }

  /// How often the same launch (kernel, sizes, scalar arguments) was seen.
  std::map<std::string, unsigned> Seen;
  std::chrono::steady_clock::time_point Start = std::chrono::steady_clock::now();
  unsigned Launches = 0;
};

Session &session() {
  static Session S;
  return S;
}

/// The dynamic shared bytes of the rewritten kernel in this launch.
uint32_t Session::rewrittenShared(uint32_t Dynamic) {
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
  return static_cast<uint32_t>(std::atoll(How.c_str() + At + (Launches ? 1 : 0)));
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

void Session::launch(const char *Name, Index3 Grid, Index3 Block,
                     uint32_t Dynamic, void **Arguments) {
  Launch First = makeLaunch(Original, Name, Grid, Block, Dynamic, Arguments);
  Launch Second = makeLaunch(Rewritten, Name, Grid, Block,
                             rewrittenShared(Dynamic), Arguments);
  ++Launches;
  if (uint64_t(Grid.X) * Grid.Y * Grid.Z == 0)
    return;
  std::string Key = std::string(Name) + "/" + std::to_string(Grid.X) + "," +
                    std::to_string(Grid.Y) + "," + std::to_string(Grid.Z) + "/" +
                    std::to_string(Block.X) + "," + std::to_string(Dynamic);
  // A program that times a kernel launches it many times with the same data.
  unsigned Before = Seen[Key]++;
  bool Tired = elapsed() > settings().TotalSeconds;
  std::vector<Schedule> All = schedules();
  size_t Count = Before >= 64 || (Tired && Before) ? 0 : Tired ? 1 : All.size();
  Snapshot Start = takeSnapshot();
  Snapshot Kept, FirstView;
  uint64_t MaxBlocks = ~uint64_t(0);
  Tolerance Limit{settings().Bitwise, settings().Relative, settings().Absolute,
                  settings().Ulps, settings().Type};
  const char *Check = "different-result";
  for (size_t I = 0; I < std::max<size_t>(Count, 1); ++I) {
    if (I > 0)
      restoreSnapshot(Start);
    Printing = I == 0;
    LaunchResult R = runLaunch(First, All[I], MaxBlocks,
                               I == 0 ? settings().LaunchSeconds : 0);
    Printing = false;
    ++Runs;
    if (R.Failed)
      failed();
    Blocks += R.BlocksRun;
    if (I == 0) {
      MaxBlocks = R.BlocksRun;
      Skipped += uint64_t(Grid.X) * Grid.Y * Grid.Z - R.BlocksRun;
      Kept = takeSnapshot();
      FirstView = originalView(Original, Original);
    }
    Snapshot Expected = originalView(Original, Original);
    if (std::string D = firstDifference(FirstView, Expected, Limit, Check); !D.empty()) {
      reportFailure("original", "not-deterministic",
                    "the original differs from run to run: " + D + " [" +
                        All[I].describe() + "]", Name);
      failed();
    }
    if (Count == 0)
      break;
    restoreSnapshot(Start);
    R = runLaunch(Second, All[I], MaxBlocks, 0);
    ++Runs;
    if (R.Failed)
      failed();
    std::string D =
        firstDifference(Expected, originalView(Original, Rewritten), Limit, Check);
    ++Comparisons;
    if (!D.empty()) {
      reportFailure("rewritten", Check, D + " [" + All[I].describe() + "]", Name);
      failed();
    }
  }
  restoreSnapshot(Kept);
  equalizeVariables();
}

} // namespace

const Settings &settings() {
  static const Settings S = readSettings();
  return S;
}

void shadowLaunch(const char *Kernel, Index3 Grid, Index3 Block,
                  uint32_t DynamicBytes, void **Arguments) {
  if (!settings().RecordPath.empty()) {
    if (std::FILE *F = std::fopen(settings().RecordPath.c_str(), "a")) {
      std::fprintf(F, "%u,", DynamicBytes);
      std::fclose(F);
    }
    return;
  }
  session().launch(Kernel, Grid, Block, DynamicBytes, Arguments);
}

void *variableAddress(const char *Name) {
  const VariableRow *V = session().Original.variable(Name);
  return V ? V->Address : nullptr;
}

void writeVariable(const char *Name, uint64_t Offset, const void *From,
                   uint64_t Bytes) {
  for (Module *M : {&session().Original, &session().Rewritten})
    if (const VariableRow *V = M->variable(Name); V && Offset + Bytes <= V->Bytes)
      std::memcpy(static_cast<char *>(V->Address) + Offset, From, Bytes);
}

void newCase() { session().forgetLaunches(); }

bool printingAllowed() { return session().Printing; }

void finishReport() {
  if (!settings().RecordPath.empty())
    return;
  Session &S = session();
  reportTotals(S.Runs, S.Comparisons, S.Blocks, S.Skipped);
}

} // namespace pr
