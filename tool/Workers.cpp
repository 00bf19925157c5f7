#include "Workers.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <thread>

using namespace llvm;

namespace pipeline_rewrite {

/// Deeply nested sources are walked by recursion.
static constexpr unsigned StackBytes = 64u << 20;

static size_t jobsFor(const Options &Opts) {
  size_t Jobs = Opts.Jobs ? Opts.Jobs : std::thread::hardware_concurrency();
  return std::clamp<size_t>(Jobs, 1, std::max<size_t>(Opts.Files.size(), 1));
}

Workers::Workers(const SessionContext &Context)
    : Context(Context), Slots(Context.Opts.Files.size()) {
  CrashRecoveryContext::Enable();
  for (size_t I = 0; I < jobsFor(Context.Opts); ++I)
    Threads.emplace_back(std::optional<unsigned>(StackBytes), [this] { work(); });
}

Workers::~Workers() {
  Next = Slots.size(); // whoever left the loop early wants no further file
  for (llvm::thread &Thread : Threads)
    Thread.join();
  for (Slot &S : Slots)
    if (S.Job.Outcome && !*S.Job.Outcome)
      consumeError(S.Job.Outcome->takeError());
  CrashRecoveryContext::Disable();
}

void Workers::work() {
  for (size_t I = Next++; I < Slots.size(); I = Next++) {
    FileJob Job;
    CrashRecoveryContext Guard;
    bool Ended = Guard.RunSafely([&] {
      Job.Outcome.emplace(
          processFile(Context.Opts.Files[I], Context, Job.Messages));
    });
    if (!Ended)
      Job.Outcome.reset();
    std::lock_guard<std::mutex> Hold(Lock);
    Slots[I].Job = std::move(Job);
    Slots[I].Ready = true;
    Arrived.notify_all();
  }
}

FileJob Workers::take(size_t Index) {
  std::unique_lock<std::mutex> Hold(Lock);
  Arrived.wait(Hold, [&] { return Slots[Index].Ready; });
  FileJob Job = std::move(Slots[Index].Job);
  Slots[Index].Job.Outcome.reset();
  return Job;
}

} // namespace pipeline_rewrite
