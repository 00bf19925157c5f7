// C = A * W in fp16 with fp32 sums on the tensor cores, where the weights W are
// stored as int8 with one scale a column: eight of them become eight halves on
// their way to shared memory. A's tile travels unchanged.
//
// M must be a multiple of 64, N of 128, K of 32 (zero included).
//
// Sizes: M N K
#include "../../samples/common.h"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64;
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int Pad = 8; // halves
constexpr int Threads = 256;
constexpr int Vector = 8; // halves in one 16-byte store
constexpr int WarpM = 32;
constexpr int WarpN = 32;

__global__ void __launch_bounds__(Threads)
    dequant_gemm(const half *__restrict__ A,
                 const signed char *__restrict__ W,
                 const half *__restrict__ scale, float *__restrict__ C, int N,
                 int K) {
  __shared__ __align__(32) half As[BM][BK + Pad];
  __shared__ __align__(32) half Ws[BK][BN + Pad];
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
  const int warp = threadIdx.x / 32;
  const int warpRow = warp / (BN / WarpN) * WarpM;
  const int warpCol = warp % (BN / WarpN) * WarpN;
  const int aRow = threadIdx.x / (BK / Vector);
  const int aCol = threadIdx.x % (BK / Vector) * Vector;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[WarpM / 16]
                                                          [WarpN / 16];
  for (int i = 0; i < WarpM / 16; ++i)
    for (int j = 0; j < WarpN / 16; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    *reinterpret_cast<int4 *>(&As[aRow][aCol]) =
        *reinterpret_cast<const int4 *>(&A[(row0 + aRow) * K + k0 + aCol]);
#pragma unroll
    for (int i = 0; i < BK * BN / (4 * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BN / 4);
      const int c = chunk % (BN / 4) * 4;
      const char4 w =
          *reinterpret_cast<const char4 *>(&W[(k0 + r) * N + col0 + c]);
      Ws[r][c + 0] = __hmul(__int2half_rn(w.x), scale[col0 + c + 0]);
      Ws[r][c + 1] = __hmul(__int2half_rn(w.y), scale[col0 + c + 1]);
      Ws[r][c + 2] = __hmul(__int2half_rn(w.z), scale[col0 + c + 2]);
      Ws[r][c + 3] = __hmul(__int2half_rn(w.w), scale[col0 + c + 3]);
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
        wmma::load_matrix_sync(b[j], &Ws[k][warpCol + j * 16], BN + Pad);
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
  auto toHalf = [](float value) { return __float2half(value); };
  const std::vector<half> a =
      sample::converted(sample::uniform(size_t(M) * K, 1), toHalf);
  const std::vector<signed char> w =
      sample::converted(sample::uniform(size_t(K) * N, 2, -128.0f, 128.0f),
                        [](float v) { return (signed char)std::floor(v); });
  const std::vector<half> scales =
      sample::converted(sample::uniform(N, 3, 0.004f, 0.008f), toHalf);
  const sample::DeviceArray<half> A(a);
  const sample::DeviceArray<signed char> W(w);
  const sample::DeviceArray<half> scale(scales);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    dequant_gemm<<<grid, Threads>>>(A.data(), W.data(), scale.data(), C.data(),
                                    N, K);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k) {
      const float weight = w[size_t(k) * N + col] * __half2float(scales[col]);
      sum += double(__half2float(a[row * K + k])) *
             __half2float(__float2half(weight));
    }
    return sum;
  });
}
