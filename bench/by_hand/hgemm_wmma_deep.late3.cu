// hgemm_wmma_deep by hand: three slots, cp.async, copies issued behind the compute
// phase; the second launch bound keeps two blocks resident.
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 64;
constexpr int Pad = 8; // halves
constexpr int Threads = 256;
constexpr int Vector = 8; // halves in one 16-byte copy
constexpr int WarpM = 64;
constexpr int WarpN = 32;
constexpr int Slots = 3;

struct Tiles {
  half A[BM][BK + Pad];
  half B[BK][BN + Pad];
};

constexpr size_t hgemm_wmma_deep_shared_bytes() { return Slots * sizeof(Tiles); }

__global__ void __launch_bounds__(Threads, 2)
    hgemm_wmma_deep(const half *__restrict__ A, const half *__restrict__ B,
                    float *__restrict__ C, int N, int K) {
  extern __shared__ __align__(32) unsigned char shared[];
  Tiles *const tiles = reinterpret_cast<Tiles *>(shared);
  const size_t row0 = blockIdx.y * BM;
  const size_t col0 = blockIdx.x * BN;
  const int warp = threadIdx.x / 32;
  const int warpRow = warp / (BN / WarpN) * WarpM;
  const int warpCol = warp % (BN / WarpN) * WarpN;

  // A thread copies one column of chunks of each tile. Its pointers move on from
  // tile to tile, so that nothing is worked out behind the barrier.
  constexpr int RowsA = Threads / (BK / Vector);
  constexpr int RowsB = Threads / (BN / Vector);
  const int aRow = threadIdx.x / (BK / Vector);
  const int aCol = threadIdx.x % (BK / Vector) * Vector;
  const int bRow = threadIdx.x / (BN / Vector);
  const int bCol = threadIdx.x % (BN / Vector) * Vector;
  const half *nextA = A + size_t(row0 + aRow) * K + aCol;
  const half *nextB = B + size_t(bRow) * N + col0 + bCol;
  auto issue = [&](Tiles &to) {
#pragma unroll
    for (int i = 0; i < BM; i += RowsA)
      __pipeline_memcpy_async(&to.A[aRow + i][aCol], nextA + size_t(i) * K, 16);
#pragma unroll
    for (int i = 0; i < BK; i += RowsB)
      __pipeline_memcpy_async(&to.B[bRow + i][bCol], nextB + size_t(i) * N, 16);
    nextA += BK;
    nextB += size_t(BK) * N;
  };

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[WarpM / 16]
                                                          [WarpN / 16];
  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);
  auto compute = [&](const Tiles &from) {
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], &from.A[warpRow + i * 16][k], BK + Pad);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], &from.B[k][warpCol + j * 16], BN + Pad);
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
  };

  const int count = K / BK;
  for (int t = 0; t < Slots - 1; ++t) {
    if (t < count)
      issue(tiles[t]);
    __pipeline_commit();
  }

  int slot = 0;
  int fill = Slots - 1;
  for (int t = 0; t < count; ++t) {
    __pipeline_wait_prior(Slots - 2);
    __syncthreads();
    compute(tiles[slot]);
    // Behind the compute phase, so that the loads of the fragments, which all
    // warps want right after the barrier, do not wait for the copies' issue.
    if (t + Slots - 1 < count)
      issue(tiles[fill]);
    __pipeline_commit();
    slot = slot + 1 == Slots ? 0 : slot + 1;
    fill = fill + 1 == Slots ? 0 : fill + 1;
  }

  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::store_matrix_sync(
          &C[(row0 + warpRow + i * 16) * N + col0 + warpCol + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}
