// C = A * B with fp16 inputs and fp32 sums on the tensor cores, in tiles of
// 128x128 that are 64 deep, written the way such a kernel is usually written:
// every index is a size_t, and the copy loops are unrolled, so that a thread has
// all its eight 16-byte vectors of a tile in flight at once. That costs so many
// registers that a multiprocessor holds one block only.
//
// M and N must be multiples of 128, K of 64 (zero included).
//
// Sizes: M N K
#include "../../samples/common.h"

#include <cuda_fp16.h>
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

__global__ void __launch_bounds__(Threads)
    hgemm_wmma_deep(const half *__restrict__ A, const half *__restrict__ B,
                    float *__restrict__ C, int N, int K) {
  __shared__ __align__(32) half As[BM][BK + Pad];
  __shared__ __align__(32) half Bs[BK][BN + Pad];
  const size_t row0 = blockIdx.y * BM;
  const size_t col0 = blockIdx.x * BN;
  const int warp = threadIdx.x / 32;
  const int warpRow = warp / (BN / WarpN) * WarpM;
  const int warpCol = warp % (BN / WarpN) * WarpN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[WarpM / 16]
                                                          [WarpN / 16];
  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < BM * BK / (Vector * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BK / Vector);
      const int c = chunk % (BK / Vector) * Vector;
      *reinterpret_cast<int4 *>(&As[r][c]) =
          *reinterpret_cast<const int4 *>(&A[(row0 + r) * K + k0 + c]);
    }
#pragma unroll
    for (int i = 0; i < BK * BN / (Vector * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BN / Vector);
      const int c = chunk % (BN / Vector) * Vector;
      *reinterpret_cast<int4 *>(&Bs[r][c]) =
          *reinterpret_cast<const int4 *>(&B[size_t(k0 + r) * N + col0 + c]);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], &As[warpRow + i * 16][k], BK + Pad);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], &Bs[k][warpCol + j * 16], BN + Pad);
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::store_matrix_sync(
          &C[(row0 + warpRow + i * 16) * N + col0 + warpCol + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {128, 128, 192});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  sample::require(M % BM == 0 && N % BN == 0, "M and N in multiples of 128");
  sample::require(K % BK == 0, "K in multiples of 64");
  auto toHalf = [](float value) { return __float2half(value); };
  const std::vector<half> a =
      sample::converted(sample::uniform(size_t(M) * K, 1), toHalf);
  const std::vector<half> b =
      sample::converted(sample::uniform(size_t(K) * N, 2), toHalf);
  const sample::DeviceArray<half> A(a);
  const sample::DeviceArray<half> B(b);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    hgemm_wmma_deep<<<grid, Threads>>>(A.data(), B.data(), C.data(), N, K);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(__half2float(a[row * K + k])) *
             __half2float(b[size_t(k) * N + col]);
    return sum;
  });
}
