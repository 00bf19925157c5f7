// The threads of a block as fibers, and the barrier.
#include "Crash.h"
#include "Machine.h"
#include "Memory.h"
#include "Report.h"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace pr {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

thread_local Worker *TheWorker = nullptr;

/// Room for a kernel's own variables and for printf below it. The lowest page
/// stays unmapped.
static constexpr size_t StackBytes = 256 * 1024;
static constexpr size_t GuardBytes = 4096;

std::string Schedule::describe() const {
  const char *Copy = Copies == Landing::Late    ? "late"
                     : Copies == Landing::Early ? "early"
                                                : "random";
  const char *Thread = Threads == Order::Forward   ? "forward"
                       : Threads == Order::Reverse ? "reverse"
                       : Threads == Order::ByWarp  ? "by-warp"
                                                   : "random";
  return std::string("copies land ") + Copy + ", threads run " + Thread +
         ", seed " + std::to_string(Seed);
}

Worker::Worker(unsigned Number) { Random.seed(Number); }

Worker::~Worker() {
  if (Stacks)
    munmap(Stacks, StackBytes * StackCount);
}

void Worker::prepare(const Launch &L) {
  bool Same =
      Running.Code == L.Code && Running.DynamicBytes == L.DynamicBytes && Arena;
  Running = L;
  size_t Count = size_t(L.Block.X) * L.Block.Y * L.Block.Z;
  if (Count > StackCount) {
    if (Stacks)
      munmap(Stacks, StackBytes * StackCount);
    StackCount = Count;
    void *Map = mmap(nullptr, StackBytes * Count, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Map == MAP_FAILED) {
      reportUnable("not enough memory for the stacks of the threads");
      std::_Exit(5);
    }
    Stacks = static_cast<char *>(Map);
    for (size_t I = 0; I < Count; ++I)
      mprotect(Stacks + I * StackBytes, GuardBytes, PROT_NONE);
  }
  Threads.resize(Count);
  if (Same)
    return;
  Objects = L.Code->layout(L.DynamicBytes, ArenaBytes);
  ArenaStorage.assign(ArenaBytes + 256, char(0xFF));
  uint64_t Start = reinterpret_cast<uint64_t>(ArenaStorage.data());
  Arena = ArenaStorage.data() + (256 - Start % 256) % 256;
  Cells.assign(ArenaBytes / 4 + 1, Cell());
  ByteCells.assign(ArenaBytes + 4, Cell());
  // Everything lies outside an array until an array claims it, byte by byte.
  std::vector<bool> Inside(ArenaBytes + 4, false);
  for (const SharedObject &O : Objects)
    std::fill(Inside.begin() + O.Begin, Inside.begin() + O.End, true);
  for (uint32_t I = 0; I < ArenaBytes; I += 4) {
    int In = 0;
    for (uint32_t B = 0; B < 4; ++B) {
      In += Inside[I + B];
      ByteCells[I + B].Flags = Inside[I + B] ? 0 : OutOfArray;
    }
    Cells[I / 4].Flags = In == 4 ? 0 : In == 0 ? OutOfArray : Split;
  }
}

void Worker::startThreads() {
  const Index3 &B = Running.Block;
  Warps.assign((Threads.size() + 31) / 32, Warp());
  for (size_t I = 0; I < Threads.size(); ++I) {
    Thread &T = Threads[I];
    T.Number = static_cast<uint32_t>(I);
    T.Index = {T.Number % B.X, T.Number / B.X % B.Y, T.Number / (B.X * B.Y)};
    T.State = ThreadState::Runnable;
    T.SyncTick = T.Committed = 0;
    T.Copies.clear();
    T.StackTop = Stacks + (I + 1) * StackBytes;
    T.Context = make_fcontext(T.StackTop, StackBytes - GuardBytes, threadEntry);
    Warps[I / 32].Live |= 1u << (I % 32);
  }
  LiveThreads = static_cast<uint32_t>(Threads.size());
  PendingCopies = 0;
  Failed = false;
  Unwritten.clear();
}

void Worker::threadEntry(transfer_t From) {
  Worker *W = static_cast<Worker *>(From.data);
  W->Scheduler = From.fctx;
  W->threadMain();
}

void Worker::threadMain() {
  Running.Kernel->Entry(Running.Arguments);
  Thread &T = *Current;
  if (!T.Copies.empty())
    fail("copy-not-landed",
         threadName(T.Number) +
             " ends without waiting for the asynchronous "
             "copy that it started at " +
             line(T.Copies.front().Site),
         T.Copies.front().Site);
  T.State = ThreadState::Done;
  --LiveThreads;
  Warp &W = Warps[T.Number / 32];
  W.Live &= ~(1u << (T.Number % 32));
  retryWarp(W);
  leave();
}

void Worker::resume(Thread &T) {
  Current = &T;
  transfer_t Back = jump_fcontext(T.Context, this);
  T.Context = Back.fctx;
}

void Worker::yield() {
  transfer_t Back = jump_fcontext(Scheduler, nullptr);
  Scheduler = Back.fctx;
}

void Worker::leave() {
  jump_fcontext(Scheduler, nullptr);
  std::abort(); // A fiber that has left is never resumed.
}

void Worker::orderThreads(std::vector<uint32_t> &Sequence) {
  uint32_t N = static_cast<uint32_t>(Threads.size());
  Sequence.resize(N);
  for (uint32_t I = 0; I < N; ++I)
    Sequence[I] = I;
  if (How.Threads == Order::Reverse)
    std::reverse(Sequence.begin(), Sequence.end());
  else if (How.Threads == Order::Random)
    std::shuffle(Sequence.begin(), Sequence.end(), Random);
  else if (How.Threads == Order::ByWarp) {
    // Whole warps in random order, the lanes of each in order.
    std::vector<uint32_t> WarpOrder((N + 31) / 32);
    for (uint32_t I = 0; I < WarpOrder.size(); ++I)
      WarpOrder[I] = I;
    std::shuffle(WarpOrder.begin(), WarpOrder.end(), Random);
    uint32_t Next = 0;
    for (uint32_t W : WarpOrder)
      for (uint32_t I = W * 32; I < std::min(N, W * 32 + 32); ++I)
        Sequence[Next++] = I;
  }
}

bool Worker::runBlock(const Launch &L, const Schedule &S,
                      uint64_t BlockNumber) {
  TheWorker = this;
  watchForCrashes();
  How = S;
  prepare(L);
  // The same block of the same schedule runs the same way wherever it runs.
  Random.seed(S.Seed * 0x9e3779b97f4a7c15ull + BlockNumber);
  uint32_t Number =
      static_cast<uint32_t>(BlockNumber % (uint64_t(L.Grid.X) * L.Grid.Y));
  BlockIndex = {
      Number % L.Grid.X, Number / L.Grid.X,
      static_cast<uint32_t>(BlockNumber / (uint64_t(L.Grid.X) * L.Grid.Y))};
  if (Tick > 0xf0000000u) { // Start the clock again.
    Arena = nullptr;
    Tick = 0;
    prepare(L);
  }
  BlockStart = LastBarrier = ++Tick;
  std::memset(Arena, pattern(), ArenaBytes);
  startThreads();
  return runToEnd();
}

bool Worker::runToEnd() {
  std::vector<uint32_t> Sequence;
  orderThreads(Sequence);
  while (LiveThreads > 0) {
    bool Progress = false;
    uint32_t AtBarrier = 0;
    for (uint32_t I : Sequence) {
      if (Threads[I].State == ThreadState::Runnable) {
        resume(Threads[I]);
        Progress = true;
        if (Failed)
          break;
      }
      AtBarrier += Threads[I].State == ThreadState::AtBarrier;
    }
    if (!Failed && LiveThreads > 0 && AtBarrier == LiveThreads) {
      completeBarrier();
      orderThreads(Sequence);
    } else if (!Failed && !Progress) {
      reportStuck();
    }
    if (Failed) {
      // An abandoned block leaves copies in flight; none of it may be seen by
      // the next one.
      Arena = nullptr;
      return false;
    }
  }
  judgeUnwritten(false);
  return !Failed;
}

void Worker::barrier(uint32_t Site, int Kind, int Value, const void *Object) {
  LastSite = Site;
  Current->BarrierSite = Site;
  Current->BarrierKind = Kind;
  Current->BarrierValue = Value;
  Current->BarrierObject = Object;
  Current->State = ThreadState::AtBarrier;
  yield();
}

/// Nobody wrote it in time: the read was of memory without a value.
/// \param Explains something went wrong after it, of which it is the cause.
void Worker::judgeUnwritten(bool Explains) {
  if (Failed || Unwritten.empty())
    return;
  UnwrittenReads &Reads = *Running.Unwritten;
  std::lock_guard<std::mutex> Guard(Reads.Lock);
  if (Running.Code->Original && !Reads.Seen) {
    Reads.Seen = true;
    Reads.Message = Unwritten;
    Reads.Where = line(UnwrittenSite);
  }
  if (Explains || !Reads.Seen)
    record("uninitialised-shared", Unwritten + " [" + How.describe() + "]",
           UnwrittenSite);
  Unwritten.clear();
}

/// What lies in shared memory before anybody writes it.
unsigned char Worker::pattern() const {
  return How.Threads == Order::Forward   ? 0xFF
         : How.Threads == Order::Reverse ? 0x00
                                         : 0x3B;
}

void Worker::record(const char *Check, const std::string &Message,
                    uint32_t Site) {
  Failed = true;
  Failure = {Check, Message, line(Site)};
}

void Worker::completeBarrier() {
  judgeUnwritten(false);
  if (Failed)
    return;
  const Thread *First = nullptr;
  int Count = 0, All = 1, Any = 0;
  for (const Thread &T : Threads) {
    if (T.State != ThreadState::AtBarrier)
      continue;
    Count += T.BarrierValue != 0;
    All &= T.BarrierValue != 0;
    Any |= T.BarrierValue != 0;
    if (!First)
      First = &T;
    if (!sameBarrier(*First, T))
      return;
  }
  BarrierResult = First->BarrierKind == 0   ? Count
                  : First->BarrierKind == 1 ? All
                                            : Any;
  for (Thread &T : Threads)
    if (T.State == ThreadState::AtBarrier)
      T.State = ThreadState::Runnable;
  LastBarrier = ++Tick;
  landSome();
}

/// Records a failure where the two do not wait at the same barrier.
bool Worker::sameBarrier(const Thread &A, const Thread &B) {
  // Threads that arrive at a cuda::barrier without waiting, and barriers of
  // part of a block, are not covered; no verdict may come of them.
  if (A.BarrierObject != B.BarrierObject)
    unsupported("a cuda::barrier or pipeline that not all threads of the block "
                "wait at together",
                A.BarrierObject ? A.BarrierSite : B.BarrierSite);
  if (A.BarrierObject || A.BarrierSite == B.BarrierSite)
    return true;
  record("barrier-divergence",
         threadName(A.Number) + " waits at the barrier of " +
             line(A.BarrierSite) + ", but " + threadName(B.Number) +
             " waits at the one of " + line(B.BarrierSite) + " [" +
             How.describe() + "]",
         B.BarrierSite);
  return false;
}

/// Nobody can run: some wait at a barrier, others in their warp.
void Worker::reportStuck() {
  std::string Message = "the block cannot go on:";
  uint32_t Where = LastSite;
  for (const Thread &T : Threads)
    if (T.State == ThreadState::AtBarrier) {
      Message += " " + threadName(T.Number) + " waits at the barrier of " +
                 line(T.BarrierSite) + ";";
      Where = T.BarrierSite;
      if (T.BarrierObject)
        unsupported("a cuda::barrier or pipeline that not all threads of the "
                    "block wait at together",
                    Where);
      break;
    }
  for (const Warp &W : Warps)
    if (!W.Open.empty()) {
      Message += " a warp operation at " + line(W.Open.front().Site) +
                 " waits for lanes that do not come";
      Where = W.Open.front().Site;
      break;
    }
  record("barrier-divergence", Message + " [" + How.describe() + "]", Where);
}

void Worker::fail(const char *Check, const std::string &Message,
                  uint32_t Site) {
  // What follows a read of nothing is its consequence, except a race that
  // explains it.
  if (std::strncmp(Check, "race-", 5) != 0)
    judgeUnwritten(true);
  if (!Failed)
    record(Check, Message + " [" + How.describe() + "]", Site);
  leave();
}

std::string Worker::whereabouts() const {
  return threadName(Current->Number) + ", last seen at " + line(LastSite);
}

void Worker::unsupported(const char *What, uint32_t Site) {
  reportUnable(std::string("the CPU machine does not cover ") + What +
               ", used at " + line(Site));
  std::_Exit(5);
}

} // namespace pr
