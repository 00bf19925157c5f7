#pragma once

#include "Module.h"

#include <boost/context/detail/fcontext.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <vector>

namespace pr {

struct Index3 {
  uint32_t X = 0, Y = 0, Z = 0;
};

/// When the bytes of an asynchronous copy arrive, among all the moments that
/// the program allows.
enum class Landing { Late, Early, Random };
/// In which order the threads of a block run between two barriers.
enum class Order { Forward, Reverse, ByWarp, Random };

/// One way to run a launch. Two versions of a kernel are compared under the
/// same schedule.
struct Schedule {
  Landing Copies = Landing::Late;
  Order Threads = Order::Forward;
  uint64_t Seed = 0;

  std::string describe() const;
};

/// Reads of shared memory that no thread of the block had written. Where the
/// original makes them too, they may be harmless: a row that no thread stores.
/// Each schedule leaves another pattern in shared memory, so that a result that
/// depends on it is not the same in all runs.
struct UnwrittenReads {
  std::mutex Lock;
  bool Seen = false; ///< The original made one.
  std::string Message, Where;
};

struct Launch {
  const Module *Code = nullptr;
  const KernelRow *Kernel = nullptr;
  Index3 Grid, Block;
  uint32_t DynamicBytes = 0;
  void **Arguments = nullptr;
  UnwrittenReads *Unwritten = nullptr;
};

/// What is known about the accesses to four bytes of shared memory (or to one,
/// where accesses of less than four bytes were seen).
struct Cell {
  uint32_t WriteTick = 0, WriteSite = 0, ReadTick = 0, ReadSite = 0;
  uint16_t Writer = 0, Reader = 0;
  uint8_t Readers = 0; ///< 0 one thread, 1 several of one warp, 2 more.
  uint8_t Flags = 0;
};
enum CellFlag : uint8_t {
  InFlight = 1,   ///< An asynchronous copy will write here.
  OutOfArray = 2, ///< Between two arrays.
  Split = 4,      ///< The four bytes are recorded one by one.
  AtomicWrite = 8 ///< The last write was atomic.
};

/// One cp.async of one thread.
struct AsyncCopy {
  char *To;
  const char *From;
  uint32_t Bytes, ZeroFill, Group, Site;
  bool Landed;
  bool WaitedUncommitted;        ///< A wait came before its commit.
  const void *Barrier = nullptr; ///< The cuda::barrier that covers it, if any.
};

enum class ThreadState : uint8_t { Runnable, AtBarrier, AtWarp, Done };

/// What a thread brings to an operation that its warp performs together.
struct WarpOperand {
  uint64_t Value = 0;
  uint32_t From = 0;
  int32_t Width = 32;
  const void *Pointers[4] = {};
  uint64_t Result = 0;
};

struct Thread {
  Index3 Index;
  uint32_t Number = 0;
  ThreadState State = ThreadState::Runnable;
  uint32_t BarrierSite = 0;
  int32_t BarrierKind = -1, BarrierValue = 0;
  /// The cuda::barrier or pipeline that is waited at; null: __syncthreads.
  const void *BarrierObject = nullptr;
  uint32_t SyncTick = 0; ///< When this thread last met others of its warp.
  uint32_t Committed = 0;
  std::vector<AsyncCopy> Copies;
  WarpOperand Operand;
  boost::context::detail::fcontext_t Context = nullptr;
  char *StackTop = nullptr;
};

enum class WarpKind : uint8_t {
  Sync,
  Shuffle,
  Ballot,
  Match,
  Reduce,
  Wmma,
  Mma,
  LoadMatrix
};

/// A warp-wide operation that some of its lanes have reached.
struct WarpOperation {
  WarpKind Kind;
  uint32_t Mask, Arrived, Detail, Detail2, Site;
};

struct Warp {
  uint32_t Live = 0; ///< Lanes that have not returned.
  std::vector<WarpOperation> Open;
};

/// Runs the blocks of launches, one at a time, on one core.
class Worker {
public:
  explicit Worker(unsigned Number);
  ~Worker();
  Worker(const Worker &) = delete;

  /// Runs one block. \returns false where a check failed; see failure().
  bool runBlock(const Launch &L, const Schedule &S, uint64_t BlockNumber);

  // Called from the fibers.
  void load(const void *P, uint32_t Size, uint32_t Site, uint32_t Info);
  void store(const void *P, uint32_t Size, uint32_t Site, uint32_t Info);
  void atomic(const void *P, uint32_t Size, uint32_t Site, uint32_t Info);
  void range(const void *P, uint64_t Size, uint32_t Site, uint32_t Info);
  void barrier(uint32_t Site, int Kind, int Value,
               const void *Object = nullptr);
  uint64_t warpOperation(WarpKind Kind, uint32_t Mask, uint32_t Detail,
                         uint32_t Detail2, uint32_t Site);
  void issueCopy(char *To, const char *From, uint64_t Bytes, uint64_t ZeroFill,
                 uint32_t Site);
  void commitCopies(uint32_t Site);
  void waitCopies(uint32_t Pending, uint32_t Site);
  void bindCopies(const void *Barrier);
  void waitBarrier(const void *Barrier, uint32_t Site);
  void alignment(const void *P, uint64_t To, const char *What, uint32_t Site);
  /// Records a failed check and gives the block up. Does not return.
  [[noreturn]] void fail(const char *Check, const std::string &Message,
                         uint32_t Site);
  [[noreturn]] void unsupported(const char *What, uint32_t Site);
  bool isShared(const void *P) const {
    return size_t(static_cast<const char *>(P) - Arena) < ArenaBytes;
  }

  Thread *Current = nullptr;
  Index3 BlockIndex;
  Launch Running;
  char *Arena = nullptr;
  uint32_t ArenaBytes = 0;
  std::vector<SharedObject> Objects;
  int BarrierResult = 0;

private:
  void prepare(const Launch &L);
  void startThreads();
  void orderThreads(std::vector<uint32_t> &Sequence);
  bool runToEnd();
  void resume(Thread &T);
  void yield();
  [[noreturn]] void leave(); ///< Back to the scheduler for good.
  void threadMain();
  static void threadEntry(boost::context::detail::transfer_t From);
  void completeBarrier();
  bool sameBarrier(const Thread &A, const Thread &B);
  void reportStuck();
  void judgeUnwritten(bool Explains);
  unsigned char pattern() const;
  void record(const char *Check, const std::string &Message, uint32_t Site);
  void landSome();
  void land(AsyncCopy &C);
  void arrive(AsyncCopy &C);

  // Shadow state.
  enum class Access { Load, Store, Atomic };
  void sharedAccess(uint32_t Offset, uint32_t Size, uint32_t Site,
                    uint32_t Info, Access A);
  void cellAccess(Cell &C, uint32_t Offset, uint32_t Site, Access A);
  void recordLoad(Cell &C, uint32_t Site);
  void globalAccess(const void *P, uint64_t Size, uint32_t Site, Access A);
  template <typename Fn> void forCells(uint32_t Offset, uint32_t Size, Fn F);
  bool ordered(uint32_t Other, uint32_t Tick) const;
  [[noreturn]] void race(const char *Check, const Cell &C, uint32_t Offset,
                         bool WithWriter, uint32_t Site, Access A);
  [[noreturn]] void inFlightAccess(uint32_t Offset, uint32_t Site, Access A);
  void checkSources(const char *P, uint64_t Size, uint32_t Site);

  // Warps.
  void finishWarpOperation(Warp &W, WarpOperation Op);
  void retryWarp(Warp &W);
  std::string threadName(uint32_t Number) const;
  std::string place(uint32_t Offset) const;
  std::string line(uint32_t Site) const { return Running.Code->site(Site); }
  void shuffle(uint32_t First, const WarpOperation &Op);
  void loadMatrix(uint32_t First, const WarpOperation &Op);

  std::vector<Thread> Threads;
  std::vector<Warp> Warps;
  std::vector<char> ArenaStorage;
  std::vector<Cell> Cells, ByteCells;
  uint32_t Tick = 1, BlockStart = 1, LastBarrier = 1;
  uint32_t LiveThreads = 0;
  uint64_t PendingCopies = 0;
  const char *SourceLow = nullptr, *SourceHigh = nullptr;
  Schedule How;
  std::mt19937_64 Random;
  boost::context::detail::fcontext_t Scheduler = nullptr;
  char *Stacks = nullptr;
  size_t StackCount = 0;
  uint32_t LastSite = 0;
  bool Failed = false;
  /// A read of shared memory that nobody had written; empty: none so far.
  std::string Unwritten;
  uint32_t UnwrittenSite = 0;

public:
  uint32_t lastSite() const { return LastSite; }
  /// What went wrong in the last block.
  struct BlockFailure {
    const char *Check;
    std::string Message, Where;
  };
  const BlockFailure &failure() const { return Failure; }
  uint32_t liveLanes() const { return Warps[Current->Number / 32].Live; }
  /// Who runs and where, for the report of a crash.
  std::string whereabouts() const;

private:
  BlockFailure Failure{};
};

/// Calls \p F with each cell of the bytes from \p Offset on: one for four
/// bytes, or one for each byte where bytes are told apart.
template <typename Fn>
void Worker::forCells(uint32_t Offset, uint32_t Size, Fn F) {
  uint32_t End = Offset + Size;
  while (Offset < End) {
    Cell &C = Cells[Offset / 4];
    bool Whole = Offset % 4 == 0 && End - Offset >= 4;
    if (Whole && !(C.Flags & Split)) {
      F(C, Offset);
      Offset += 4;
      continue;
    }
    Cell *Bytes = &ByteCells[Offset / 4 * 4];
    if (!(C.Flags & Split)) {
      for (int I = 0; I < 4; ++I)
        Bytes[I] = C;
      C.Flags |= Split;
    }
    F(Bytes[Offset % 4], Offset);
    ++Offset;
  }
}

/// The worker whose fiber runs on this thread of the operating system.
extern thread_local Worker *TheWorker;

/// Runs a launch on all cores.
struct LaunchResult {
  bool Failed = false;
  uint64_t BlocksRun = 0;
};
/// \param MaxBlocks how many blocks of blockOrder() are run.
/// \param Seconds stop taking blocks after this time; 0: never.
LaunchResult runLaunch(const Launch &L, const Schedule &S, uint64_t MaxBlocks,
                       double Seconds);

} // namespace pr
