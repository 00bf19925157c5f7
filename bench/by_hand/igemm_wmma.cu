// igemm_wmma by hand: two slots, the tile after next already on its way to registers
// when an iteration ends, stores without a condition, pointers that are stepped.
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 64;
constexpr int Pad = 2; // rows of a slab
constexpr int Threads = 256;
constexpr int Vector = 16; // bytes in one copy, and the depth of one slab
constexpr int Slabs = BK / Vector;
constexpr int WarpM = 64;
constexpr int WarpN = 32;
constexpr int Rows = Threads / Slabs; // that one round of copies covers

__global__ void __launch_bounds__(Threads)
    igemm_wmma(const signed char *__restrict__ A,
               const signed char *__restrict__ B, int *__restrict__ C, int N,
               int K) {
  __shared__ __align__(32) signed char As[2][Slabs][BM + Pad][Vector];
  __shared__ __align__(32) signed char Bs[2][Slabs][BN + Pad][Vector];
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
  const int warp = threadIdx.x / 32;
  const int warpRow = warp / (BN / WarpN) * WarpM;
  const int warpCol = warp % (BN / WarpN) * WarpN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[WarpM / 16]
                                                        [WarpN / 16];
  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0);

  const int slab0 = threadIdx.x % Slabs;
  const int r0 = threadIdx.x / Slabs;
  const size_t down = size_t(Rows) * K;
  const signed char *nextA = &A[size_t(row0 + r0) * K + slab0 * Vector];
  const signed char *nextB = &B[size_t(col0 + r0) * K + slab0 * Vector];
  int4 a0 = {}, a1 = {}, b0 = {}, b1 = {};
  auto load = [&] {
    a0 = *reinterpret_cast<const int4 *>(nextA);
    a1 = *reinterpret_cast<const int4 *>(nextA + down);
    b0 = *reinterpret_cast<const int4 *>(nextB);
    b1 = *reinterpret_cast<const int4 *>(nextB + down);
    nextA += BK;
    nextB += BK;
  };
  auto store = [&](int slot) {
    *reinterpret_cast<int4 *>(As[slot][slab0][r0]) = a0;
    *reinterpret_cast<int4 *>(As[slot][slab0][r0 + Rows]) = a1;
    *reinterpret_cast<int4 *>(Bs[slot][slab0][r0]) = b0;
    *reinterpret_cast<int4 *>(Bs[slot][slab0][r0 + Rows]) = b1;
  };

  int slot = 0;
  if (K > 0) {
    load();
    store(0);
  }
  __syncthreads();
  if (BK < K)
    load();
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int slab = 0; slab < Slabs; ++slab) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], As[slot][slab][warpRow + i * 16], Vector);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], Bs[slot][slab][warpCol + j * 16], Vector);
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    // Behind the last tile this stores what nobody reads.
    store(slot ^ 1);
    __syncthreads();
    if (k0 + 2 * BK < K)
      load();
    slot ^= 1;
  }

  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::store_matrix_sync(
          &C[(row0 + warpRow + i * 16) * N + col0 + warpCol + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}
