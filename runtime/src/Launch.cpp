// Blocks over all cores.
#include "Machine.h"
#include "Report.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace pr {

namespace {

/// The order in which blocks are run: the corners of the grid first, where
/// guards matter, then the rest spread out. A launch too large to run whole is
/// cut off at some point of this order.
uint64_t blockAt(uint64_t Position, uint64_t Count) {
  if (Position == 0 || Count < 3)
    return Position;
  if (Position == 1)
    return Count - 1;
  // Position 2 and up: 1 .. Count-2 by a stride that is prime to their number.
  uint64_t Rest = Count - 2, Stride = Rest * 5 / 8 | 1;
  auto Gcd = [](uint64_t A, uint64_t B) {
    while (B) {
      uint64_t R = A % B;
      A = B;
      B = R;
    }
    return A;
  };
  while (Gcd(Stride, Rest) != 1)
    Stride += 2;
  return 1 + (Position - 2) * Stride % Rest;
}

/// Workers are kept from launch to launch: their stacks and shadow are large.
std::vector<std::unique_ptr<Worker>> &workers() {
  static std::vector<std::unique_ptr<Worker>> Pool;
  return Pool;
}

} // namespace

LaunchResult runLaunch(const Launch &L, const Schedule &S, uint64_t MaxBlocks,
                       double Seconds) {
  using Clock = std::chrono::steady_clock;
  uint64_t Count = uint64_t(L.Grid.X) * L.Grid.Y * L.Grid.Z;
  uint64_t Limit = std::min(Count, MaxBlocks);
  // Atomics on global memory make results depend on the order of blocks, and
  // that order must be the same for both versions.
  unsigned Cores = L.Code->HasAtomics ? 1 : std::thread::hardware_concurrency();
  Cores = static_cast<unsigned>(std::min<uint64_t>(std::max(Cores, 1u), Limit));
  auto &Pool = workers();
  while (Pool.size() < std::max(Cores, 1u))
    Pool.push_back(
        std::make_unique<Worker>(static_cast<unsigned>(Pool.size())));

  std::atomic<uint64_t> Next{0};
  std::atomic<bool> Failed{false};
  // Blocks before the one that fails have been started, and run to their end:
  // so the first failure in order is the same in every run.
  std::mutex Lock;
  uint64_t FirstPosition = ~uint64_t(0);
  Worker::BlockFailure First{};
  Clock::time_point Start = Clock::now();
  auto Run = [&](Worker &W) {
    while (!Failed) {
      std::chrono::duration<double> Spent = Clock::now() - Start;
      if (Seconds > 0 && Spent.count() > Seconds && Next > 0)
        return;
      uint64_t Position = Next++;
      if (Position >= Limit)
        return;
      if (W.runBlock(L, S, blockAt(Position, Count)))
        continue;
      Failed = true;
      std::lock_guard<std::mutex> Guard(Lock);
      if (Position < FirstPosition) {
        FirstPosition = Position;
        First = W.failure();
      }
    }
  };
  std::vector<std::thread> Others;
  for (unsigned I = 1; I < Cores; ++I)
    Others.emplace_back([&, I] { Run(*Pool[I]); });
  Run(*Pool[0]);
  for (std::thread &T : Others)
    T.join();
  if (Failed)
    reportFailure(L.Code->Original ? "original" : "rewritten", First.Check,
                  First.Message, First.Where);
  return {Failed, std::min<uint64_t>(Next, Limit)};
}

} // namespace pr
