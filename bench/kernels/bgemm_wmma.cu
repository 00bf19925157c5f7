// C = A * B^T with bf16 inputs and fp32 sums on the tensor cores, the layout of a
// linear layer: both matrices have K as their fast side. A block of four warps
// computes 64x128 of C, a warp 32x64.
//
// M must be a multiple of 64, N of 128, K of 32 (zero included).
//
// Sizes: M N K
#include "../../samples/common.h"

#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64;
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int Pad = 8; // values
constexpr int Threads = 128;
constexpr int Vector = 8; // values in one 16-byte copy
constexpr int WarpM = 32;
constexpr int WarpN = 64;

__global__ void __launch_bounds__(Threads)
    bgemm_wmma(const __nv_bfloat16 *__restrict__ A,
               const __nv_bfloat16 *__restrict__ B, float *__restrict__ C,
               int N, int K) {
  __shared__ __align__(32) __nv_bfloat16 As[BM][BK + Pad];
  __shared__ __align__(32) __nv_bfloat16 Bs[BN][BK + Pad];
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
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
    for (int i = threadIdx.x; i < BM * BK / Vector; i += Threads) {
      const int r = i / (BK / Vector);
      const int c = i % (BK / Vector) * Vector;
      *reinterpret_cast<uint4 *>(&As[r][c]) =
          *reinterpret_cast<const uint4 *>(&A[(row0 + r) * K + k0 + c]);
    }
#pragma unroll
    for (int i = threadIdx.x; i < BN * BK / Vector; i += Threads) {
      const int r = i / (BK / Vector);
      const int c = i % (BK / Vector) * Vector;
      *reinterpret_cast<uint4 *>(&Bs[r][c]) =
          *reinterpret_cast<const uint4 *>(&B[(col0 + r) * K + k0 + c]);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], &As[warpRow + i * 16][k], BK + Pad);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], &Bs[warpCol + j * 16][k], BK + Pad);
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
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {64, 128, 96});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  sample::require(M % BM == 0 && N % BN == 0, "M of 64 and N of 128");
  sample::require(K % BK == 0, "K in multiples of 32");
  auto toBfloat = [](float value) { return __float2bfloat16(value); };
  const std::vector<__nv_bfloat16> a =
      sample::converted(sample::uniform(size_t(M) * K, 1), toBfloat);
  const std::vector<__nv_bfloat16> b =
      sample::converted(sample::uniform(size_t(N) * K, 2), toBfloat);
  const sample::DeviceArray<__nv_bfloat16> A(a);
  const sample::DeviceArray<__nv_bfloat16> B(b);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    bgemm_wmma<<<grid, Threads>>>(A.data(), B.data(), C.data(), N, K);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(__bfloat162float(a[row * K + k])) *
             __bfloat162float(b[col * K + k]);
    return sum;
  });
}
