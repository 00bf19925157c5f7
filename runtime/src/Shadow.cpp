// What every access to shared memory is checked against.
#include "Machine.h"
#include "Memory.h"

#include <cstring>

namespace pr {

/// The access came before a point that both threads have passed together.
bool Worker::ordered(uint32_t Other, uint32_t At) const {
  if (At < LastBarrier || Other == Current->Number)
    return true;
  if (Other / 32 != Current->Number / 32)
    return false;
  return At < Current->SyncTick && At < Threads[Other].SyncTick;
}

std::string Worker::threadName(uint32_t Number) const {
  const Index3 &I = Threads[Number].Index;
  return "thread (" + std::to_string(I.X) + "," + std::to_string(I.Y) + "," +
         std::to_string(I.Z) + ") of block (" + std::to_string(BlockIndex.X) +
         "," + std::to_string(BlockIndex.Y) + "," +
         std::to_string(BlockIndex.Z) + ")";
}

std::string Worker::place(uint32_t Offset) const {
  for (const SharedObject &O : Objects)
    if (Offset >= O.Begin && Offset < O.End)
      return "byte " + std::to_string(Offset - O.Begin) + " of " + O.Name;
  const SharedObject *Nearest = nullptr;
  for (const SharedObject &O : Objects)
    if (O.End <= Offset && O.End > O.Begin &&
        (!Nearest || O.End > Nearest->End))
      Nearest = &O;
  if (!Nearest)
    return "shared memory before the first array";
  return std::to_string(Offset - Nearest->End) + " bytes past the end of " +
         Nearest->Name + " (" + std::to_string(Nearest->End - Nearest->Begin) +
         " bytes)";
}

void Worker::race(const char *Check, const Cell &C, uint32_t Offset,
                  bool WithWriter, uint32_t Site, Access A) {
  uint32_t Other = WithWriter ? C.Writer : C.Reader;
  uint32_t OtherSite = WithWriter ? C.WriteSite : C.ReadSite;
  if (!WithWriter && C.Readers && Other == Current->Number)
    Other = Other == 0 ? 1 : 0; // Some other thread; its number is not kept.
  std::string Who = !WithWriter && C.Readers ? std::string("another thread")
                                             : threadName(Other);
  const char *Does = A == Access::Load ? "reads " : "writes ";
  const char *Did = WithWriter ? " wrote it at " : " read it at ";
  fail(Check,
       threadName(Current->Number) + " " + Does + place(Offset) + " at " +
           line(Site) + "; " + Who + Did + line(OtherSite) +
           " and no barrier lies between",
       Site);
}

void Worker::inFlightAccess(uint32_t Offset, uint32_t Site, Access A) {
  const AsyncCopy *Copy = nullptr;
  uint32_t Owner = 0;
  for (const Thread &T : Threads)
    for (const AsyncCopy &C : T.Copies)
      if (Arena + Offset >= C.To && Arena + Offset < C.To + C.Bytes) {
        Copy = &C;
        Owner = T.Number;
      }
  std::string Message = threadName(Current->Number) +
                        (A == Access::Load ? " reads " : " writes ") +
                        place(Offset) + " at " + line(Site) +
                        " while an asynchronous copy into it is in flight";
  const char *Check = A == Access::Load ? "read-in-flight" : "write-in-flight";
  if (Copy) {
    Message += "; " + threadName(Owner) + " started it at " + line(Copy->Site);
    if (Copy->WaitedUncommitted) {
      Check = "commit-after-wait";
      Message += " and committed it only after the wait";
    } else {
      Message += " and has not waited for it";
    }
  }
  fail(Check, Message, Site);
}

void Worker::recordLoad(Cell &C, uint32_t Site) {
  uint32_t Me = Current->Number;
  if (C.ReadTick < LastBarrier) {
    C.Reader = static_cast<uint16_t>(Me);
    C.Readers = 0;
  } else if (C.Reader != Me && C.Readers < 2) {
    C.Readers = C.Reader / 32 == Me / 32 ? std::max<uint8_t>(C.Readers, 1) : 2;
  }
  C.ReadTick = Tick;
  C.ReadSite = Site;
}

void Worker::cellAccess(Cell &C, uint32_t Offset, uint32_t Site, Access A) {
  if (C.Flags & OutOfArray)
    fail("out-of-bounds-shared",
         threadName(Current->Number) +
             (A == Access::Load ? " reads " : " writes ") + place(Offset) +
             " at " + line(Site),
         Site);
  if (C.Flags & InFlight)
    inFlightAccess(Offset, Site, A);
  bool Written = C.WriteTick >= BlockStart;
  // If somebody writes it before the next barrier, a barrier is missing; that
  // is the better explanation, so the judgement waits until then.
  if (A != Access::Store && !Written && Unwritten.empty()) {
    Unwritten = threadName(Current->Number) + " reads " + place(Offset) +
                " at " + line(Site) +
                ", which no thread of the block has written";
    UnwrittenSite = Site;
  }
  bool BothAtomic = A == Access::Atomic && (C.Flags & AtomicWrite);
  if (Written && !BothAtomic && !ordered(C.Writer, C.WriteTick))
    race(A == Access::Load ? "race-read-after-write" : "race-write-after-write",
         C, Offset, true, Site, A);
  if (A == Access::Load) {
    recordLoad(C, Site);
    return;
  }
  bool Read = C.ReadTick >= LastBarrier && C.ReadTick >= BlockStart;
  bool ReadByOthers =
      Read && (C.Readers == 2 ||
               (C.Readers == 1 && C.Reader / 32 != Current->Number / 32) ||
               (C.Readers == 1 && C.ReadTick >= Current->SyncTick) ||
               (C.Readers == 0 && !ordered(C.Reader, C.ReadTick)));
  if (ReadByOthers)
    race(Written ? "race-write-after-read" : "race-read-after-write", C, Offset,
         false, Site, A);
  C.WriteTick = Tick;
  C.WriteSite = Site;
  C.Writer = static_cast<uint16_t>(Current->Number);
  C.Flags = static_cast<uint8_t>(A == Access::Atomic ? C.Flags | AtomicWrite
                                                     : C.Flags & ~AtomicWrite);
}

void Worker::sharedAccess(uint32_t Offset, uint32_t Size, uint32_t Site,
                          uint32_t Info, Access A) {
  if (uint32_t Number = (Info & 0x7fffffffu) >> 8) {
    const SharedObject &O = Objects[Number - 1];
    if (Offset < O.Begin || Offset + Size > O.End)
      fail("out-of-bounds-shared",
           threadName(Current->Number) +
               (A == Access::Load ? " reads " : " writes ") + "byte " +
               std::to_string(int64_t(Offset) - int64_t(O.Begin)) + " of " +
               O.Name + ", which has " + std::to_string(O.End - O.Begin) +
               " bytes, at " + line(Site),
           Site);
  }
  if (Offset + Size > ArenaBytes)
    fail("out-of-bounds-shared",
         threadName(Current->Number) + " reaches " + place(Offset) + " at " +
             line(Site),
         Site);
  forCells(Offset, Size,
           [&](Cell &C, uint32_t At) { cellAccess(C, At, Site, A); });
}

void Worker::globalAccess(const void *P, uint64_t Size, uint32_t Site,
                          Access A) {
  if (memory().find(P, Size)) {
    if (A != Access::Load && PendingCopies)
      checkSources(static_cast<const char *>(P), Size, Site);
    return;
  }
  // A thread's own stack: arrays of registers passed by address.
  const char *C = static_cast<const char *>(P);
  size_t StackBytes = size_t(Threads[0].StackTop - Stacks);
  if (C >= Stacks && C < Stacks + StackBytes * StackCount)
    return;
  fail("out-of-bounds",
       threadName(Current->Number) +
           (A == Access::Load ? " reads " : " writes ") + std::to_string(Size) +
           " bytes at " + line(Site) + ", " + memory().describe(P),
       Site);
}

void Worker::checkSources(const char *P, uint64_t Size, uint32_t Site) {
  if (P + Size <= SourceLow || P >= SourceHigh)
    return;
  for (const Thread &T : Threads)
    for (const AsyncCopy &C : T.Copies)
      if (P < C.From + (C.Bytes - C.ZeroFill) && C.From < P + Size)
        fail("source-changed-in-flight",
             threadName(Current->Number) + " writes global memory at " +
                 line(Site) + " that an asynchronous copy of " +
                 threadName(T.Number) + " at " + line(C.Site) +
                 " is still reading",
             Site);
}

void Worker::alignment(const void *P, uint64_t To, const char *What,
                       uint32_t Site) {
  uint64_t Address = reinterpret_cast<uint64_t>(P);
  if (To > 1 && Address % To != 0)
    fail("misaligned",
         threadName(Current->Number) + ": " + What + " at " + line(Site) +
             " needs an address that is a multiple of " + std::to_string(To) +
             "; this one is off by " + std::to_string(Address % To),
         Site);
}

void Worker::load(const void *P, uint32_t Size, uint32_t Site, uint32_t Info) {
  LastSite = Site;
  size_t Offset = size_t(static_cast<const char *>(P) - Arena);
  uint32_t Align = Info & 0xff;
  if (Offset < ArenaBytes) {
    Cell &C = Cells[Offset / 4];
    const SharedObject *O = Info >> 8 ? &Objects[(Info >> 8) - 1] : nullptr;
    // The common case: a word that was written before the last barrier.
    if (Size == 4 && Offset % 4 == 0 && C.Flags == 0 &&
        C.WriteTick >= BlockStart && C.WriteTick < LastBarrier &&
        (!O || (Offset >= O->Begin && Offset < O->End)) && Align <= 4) {
      if (C.ReadTick >= LastBarrier && C.Readers == 2)
        return;
      recordLoad(C, Site);
      return;
    }
    alignment(P, Align, "a read", Site);
    sharedAccess(static_cast<uint32_t>(Offset), Size, Site, Info, Access::Load);
    return;
  }
  alignment(P, Align, "a read", Site);
  globalAccess(P, Size, Site, Access::Load);
}

void Worker::store(const void *P, uint32_t Size, uint32_t Site, uint32_t Info) {
  LastSite = Site;
  size_t Offset = size_t(static_cast<const char *>(P) - Arena);
  alignment(P, Info & 0xff, "a write", Site);
  if (Offset < ArenaBytes)
    sharedAccess(static_cast<uint32_t>(Offset), Size, Site, Info,
                 Access::Store);
  else
    globalAccess(P, Size, Site, Access::Store);
}

void Worker::atomic(const void *P, uint32_t Size, uint32_t Site,
                    uint32_t Info) {
  LastSite = Site;
  size_t Offset = size_t(static_cast<const char *>(P) - Arena);
  alignment(P, Size, "an atomic", Site);
  if (Offset < ArenaBytes)
    sharedAccess(static_cast<uint32_t>(Offset), Size, Site, Info,
                 Access::Atomic);
  else
    globalAccess(P, Size, Site, Access::Atomic);
}

void Worker::range(const void *P, uint64_t Size, uint32_t Site, uint32_t Info) {
  LastSite = Site;
  if (Size == 0)
    return;
  size_t Offset = size_t(static_cast<const char *>(P) - Arena);
  Access A = Info & 0x80000000u ? Access::Store : Access::Load;
  alignment(P, Info & 0xff, A == Access::Load ? "a read" : "a write", Site);
  if (Offset < ArenaBytes)
    sharedAccess(static_cast<uint32_t>(Offset), static_cast<uint32_t>(Size),
                 Site, Info, A);
  else
    globalAccess(P, Size, Site, A);
}

} // namespace pr
