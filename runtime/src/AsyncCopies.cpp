// Asynchronous copies: issue, arrival, and the waits that tell.
#include "Machine.h"

#include <cstring>

namespace pr {

void Worker::issueCopy(char *To, const char *From, uint64_t Bytes,
                       uint64_t ZeroFill, uint32_t Site) {
  LastSite = Site;
  if (Bytes == 0) // A predicate said no.
    return;
  if (Bytes != 4 && Bytes != 8 && Bytes != 16)
    fail("async-copy-size",
         threadName(Current->Number) + " starts an asynchronous copy of " +
             std::to_string(Bytes) + " bytes at " + line(Site) +
             "; only 4, 8 and 16 exist",
         Site);
  if (ZeroFill > Bytes)
    fail("async-copy-size",
         threadName(Current->Number) + " asks at " + line(Site) + " for " +
             std::to_string(ZeroFill) + " zero bytes in a copy of " +
             std::to_string(Bytes),
         Site);
  alignment(To, Bytes, "the destination of an asynchronous copy", Site);
  alignment(From, Bytes, "the source of an asynchronous copy", Site);
  if (!isShared(To))
    fail("async-copy-space",
         threadName(Current->Number) + " starts an asynchronous copy at " +
             line(Site) + " whose destination is not shared memory",
         Site);
  if (uint64_t Read = Bytes - ZeroFill)
    globalAccess(From, Read, Site, Access::Load);
  uint32_t Offset = static_cast<uint32_t>(To - Arena);
  sharedAccess(Offset, static_cast<uint32_t>(Bytes), Site, 0, Access::Store);
  forCells(Offset, static_cast<uint32_t>(Bytes),
           [](Cell &C, uint32_t) { C.Flags |= InFlight; });
  if (!PendingCopies++) {
    SourceLow = From;
    SourceHigh = From + Bytes;
  }
  SourceLow = std::min(SourceLow, From);
  SourceHigh = std::max(SourceHigh, From + Bytes);
  // Until the bytes arrive, nobody may count on what is there.
  std::memset(To, 0xFF, Bytes);
  Current->Copies.push_back({To, From, static_cast<uint32_t>(Bytes),
                             static_cast<uint32_t>(ZeroFill),
                             Current->Committed, Site, false, false, nullptr});
  bool Now = How.Copies == Landing::Early ||
             (How.Copies == Landing::Random && Random() % 2 == 0);
  if (Now)
    land(Current->Copies.back());
}

/// The bytes arrive. The source is read now, not when the copy was issued.
void Worker::land(AsyncCopy &C) {
  if (C.Landed)
    return;
  std::memcpy(C.To, C.From, C.Bytes - C.ZeroFill);
  std::memset(C.To + (C.Bytes - C.ZeroFill), 0, C.ZeroFill);
  C.Landed = true;
}

/// The issuing thread knows that the bytes have arrived: from here on it is as
/// if it had stored them now.
void Worker::arrive(AsyncCopy &C) {
  land(C);
  forCells(static_cast<uint32_t>(C.To - Arena), C.Bytes,
           [&](Cell &Cell, uint32_t) {
             Cell.Flags &= static_cast<uint8_t>(~InFlight);
             Cell.WriteTick = Tick;
             Cell.WriteSite = C.Site;
             Cell.Writer = static_cast<uint16_t>(Current->Number);
           });
  --PendingCopies;
}

void Worker::commitCopies(uint32_t) { ++Current->Committed; }

void Worker::waitCopies(uint32_t Pending, uint32_t Site) {
  LastSite = Site;
  std::vector<AsyncCopy> &Copies = Current->Copies;
  size_t Kept = 0;
  for (AsyncCopy &C : Copies) {
    bool Covered =
        !C.Barrier &&
        int64_t(C.Group) < int64_t(Current->Committed) - int64_t(Pending);
    if (Covered) {
      arrive(C);
      continue;
    }
    C.WaitedUncommitted |= !C.Barrier && C.Group == Current->Committed;
    Copies[Kept++] = C;
  }
  Copies.resize(Kept);
}

/// The copies that this thread has started since belong to \p Barrier.
void Worker::bindCopies(const void *Barrier) {
  for (AsyncCopy &C : Current->Copies)
    if (!C.Barrier && C.Group == Current->Committed)
      C.Barrier = Barrier;
}

void Worker::waitBarrier(const void *Barrier, uint32_t Site) {
  LastSite = Site;
  std::vector<AsyncCopy> &Copies = Current->Copies;
  size_t Kept = 0;
  for (AsyncCopy &C : Copies)
    if (C.Barrier == Barrier)
      arrive(C);
    else
      Copies[Kept++] = C;
  Copies.resize(Kept);
}

void Worker::landSome() {
  if (How.Copies != Landing::Random || !PendingCopies)
    return;
  for (Thread &T : Threads)
    for (AsyncCopy &C : T.Copies)
      if (Random() % 2 == 0)
        land(C);
}

} // namespace pr
