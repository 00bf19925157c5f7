// The functions that lowered kernels call. Their declarations for the headers
// are in include/pr/abi.h; the rest is called by the lowering alone.
#include "Machine.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace pr;

extern "C" {

void pr_load(const void *P, uint32_t Size, uint32_t Site, uint32_t Info) {
  TheWorker->load(P, Size, Site, Info);
}
void pr_store(const void *P, uint32_t Size, uint32_t Site, uint32_t Info) {
  TheWorker->store(P, Size, Site, Info);
}
void pr_atomic(const void *P, uint32_t Size, uint32_t Site, uint32_t Info) {
  TheWorker->atomic(P, Size, Site, Info);
}
void pr_range(const void *P, uint64_t Size, uint32_t Site, uint32_t Info) {
  TheWorker->range(P, Size, Site, Info);
}

void *pr_shared_object(uint32_t Number) {
  return TheWorker->Arena + TheWorker->Objects[Number].Begin;
}
const void *pr_thread_index() { return &TheWorker->Current->Index; }
const void *pr_block_index() { return &TheWorker->BlockIndex; }
const void *pr_block_dim() { return &TheWorker->Running.Block; }
const void *pr_grid_dim() { return &TheWorker->Running.Grid; }
uint32_t pr_lane() { return TheWorker->Current->Number % 32; }

void pr_unsupported(const char *What, uint32_t Site) {
  TheWorker->unsupported(What, Site);
}
void pr_trap(uint32_t Site) {
  TheWorker->fail("trap", "the kernel stops itself with __trap", Site);
}
long long pr_clock() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}
void pr_device___assert_fail(const char *Text, const char *File, uint32_t Line,
                             const char *) {
  TheWorker->fail("assert",
                  std::string("the kernel's assertion does not hold: ") + Text +
                      " at " + File + ":" + std::to_string(Line),
                  TheWorker->lastSite());
}
void *pr_device_malloc(uint64_t) {
  TheWorker->unsupported("malloc in a kernel", TheWorker->lastSite());
}
void pr_device_free(void *) {
  TheWorker->unsupported("free in a kernel", TheWorker->lastSite());
}

// ---- Asynchronous copies ----------------------------------------------------

void pr_cp_async(void *To, const void *From, uint64_t Bytes, uint64_t ZeroFill,
                 uint32_t Site) {
  TheWorker->issueCopy(static_cast<char *>(To), static_cast<const char *>(From),
                       Bytes, ZeroFill, Site);
}
void pr_cp_async_commit(uint32_t Site) { TheWorker->commitCopies(Site); }
void pr_cp_async_wait(uint32_t Pending, uint32_t Site) {
  TheWorker->waitCopies(Pending, Site);
}
void pr_cp_async_bind(const void *Barrier) { TheWorker->bindCopies(Barrier); }
void pr_barrier_wait(const void *Barrier, uint32_t Site) {
  TheWorker->waitBarrier(Barrier, Site);
  TheWorker->barrier(Site, -1, 0, Barrier);
}
// The threads of a pipeline meet in it, whatever line they come from.
void pr_pipeline_acquire(void *Shared, uint32_t Site) {
  TheWorker->barrier(Site, -1, 0, Shared);
}
void pr_pipeline_wait(void *Shared, uint32_t Pending, uint32_t Site) {
  TheWorker->waitCopies(Pending, Site);
  TheWorker->barrier(Site, -1, 0, Shared);
}

// ---- Barriers and warps -----------------------------------------------------

void pr_barrier(uint32_t Site) { TheWorker->barrier(Site, -1, 0); }
int pr_barrier_reduce(int Kind, int Value, uint32_t Site) {
  TheWorker->barrier(Site, Kind, Value);
  return TheWorker->BarrierResult;
}
void pr_named_barrier(uint32_t, uint32_t Threads, uint32_t Site) {
  const Index3 &B = TheWorker->Running.Block;
  if (Threads != 0 && Threads != B.X * B.Y * B.Z)
    TheWorker->unsupported("a barrier for part of a block", Site);
  TheWorker->barrier(Site, -1, 0);
}
void pr_syncwarp(uint32_t Mask, uint32_t Site) {
  TheWorker->warpOperation(WarpKind::Sync, Mask, 0, 0, Site);
}
uint64_t pr_shuffle(uint32_t Mask, uint64_t Value, uint32_t From, int Width,
                    int Kind, uint32_t Site) {
  WarpOperand &O = TheWorker->Current->Operand;
  O.Value = Value;
  O.From = From;
  O.Width = Width > 0 && Width <= 32 ? Width : 32;
  return TheWorker->warpOperation(WarpKind::Shuffle, Mask,
                                  static_cast<uint32_t>(Kind), 0, Site);
}
uint32_t pr_ballot(uint32_t Mask, int Predicate, uint32_t Site) {
  TheWorker->Current->Operand.Value = Predicate != 0;
  return static_cast<uint32_t>(
      TheWorker->warpOperation(WarpKind::Ballot, Mask, 0, 0, Site));
}
uint32_t pr_match(uint32_t Mask, uint64_t Value, uint32_t Site) {
  TheWorker->Current->Operand.Value = Value;
  return static_cast<uint32_t>(
      TheWorker->warpOperation(WarpKind::Match, Mask, 0, 0, Site));
}
uint32_t pr_reduce_sync(uint32_t Mask, uint32_t Value, int Kind,
                        uint32_t Site) {
  TheWorker->Current->Operand.Value = Value;
  return static_cast<uint32_t>(TheWorker->warpOperation(
      WarpKind::Reduce, Mask, static_cast<uint32_t>(Kind), 0, Site));
}
uint32_t pr_activemask() { return TheWorker->liveLanes(); }

// ---- Matrices ---------------------------------------------------------------

void pr_wmma_check(const void *P, uint64_t RowBytes, uint32_t Site) {
  TheWorker->alignment(P, 32, "a matrix of wmma", Site);
  TheWorker->alignment(reinterpret_cast<const void *>(RowBytes), 16,
                       "the row stride of a matrix of wmma", Site);
}
void pr_wmma_mma(void *D, const void *A, const void *B, const void *C,
                 uint32_t Types, uint32_t Shape, uint32_t Site) {
  WarpOperand &O = TheWorker->Current->Operand;
  O.Pointers[0] = D;
  O.Pointers[1] = A;
  O.Pointers[2] = B;
  O.Pointers[3] = C;
  TheWorker->warpOperation(WarpKind::Wmma, 0xffffffffu, Types, Shape, Site);
}
void pr_mma(void *D, const void *A, const void *B, const void *C, uint32_t Type,
            uint32_t K, uint32_t Site) {
  WarpOperand &O = TheWorker->Current->Operand;
  O.Pointers[0] = D;
  O.Pointers[1] = A;
  O.Pointers[2] = B;
  O.Pointers[3] = C;
  TheWorker->warpOperation(WarpKind::Mma, 0xffffffffu, Type, K, Site);
}
void pr_ldmatrix(void *Out, uint64_t Row, uint32_t Count, uint32_t Transposed,
                 uint32_t Site) {
  WarpOperand &O = TheWorker->Current->Operand;
  O.Pointers[0] = Out;
  O.Pointers[1] = TheWorker->Arena + Row;
  TheWorker->warpOperation(WarpKind::LoadMatrix, 0xffffffffu, Count, Transposed,
                           Site);
}

// ---- Address spaces ---------------------------------------------------------

uint64_t pr_shared_offset(const void *P) {
  return static_cast<uint64_t>(static_cast<const char *>(P) - TheWorker->Arena);
}
void *pr_shared_pointer(uint64_t Offset) {
  return TheWorker->Arena + static_cast<uint32_t>(Offset);
}
int pr_is_shared(const void *P) { return TheWorker->isShared(P); }

} // extern "C"
