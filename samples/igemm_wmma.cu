// Sample: C = A * B^T with int8 inputs and int32 sums on the tensor cores, the
// layout of a quantised linear layer: both matrices have K as their fast side.
//
// A block of 8 warps computes a 128x128 tile of C and walks along K in steps of
// 64. A tile is kept as four slabs of 16 values of k, because a fragment of 16
// bytes a row is then contiguous and starts at a multiple of 32 bytes. Two rows
// of padding a slab let the 16-byte stores of eight neighbours hit all banks.
//
// M and N must be multiples of 128, K of 64 (zero included).
//
// Sizes: M N K
#include "common.h"

#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 64;
constexpr int Pad = 2; // rows of a slab
constexpr int Threads = 256;
constexpr int Vector = 16; // bytes in one copy, and the depth of one slab
constexpr int Slabs = BK / Vector;
constexpr int WarpM = 64; // rows of C that one warp computes
constexpr int WarpN = 32; // columns of C that one warp computes

__global__ void __launch_bounds__(Threads)
    igemm_wmma(const signed char *__restrict__ A,
               const signed char *__restrict__ B, int *__restrict__ C, int N,
               int K) {
  __shared__ __align__(32) signed char As[Slabs][BM + Pad][Vector];
  __shared__ __align__(32) signed char Bs[Slabs][BN + Pad][Vector];
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

  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < BM * Slabs / Threads; ++i) {
      const int r = (i * Threads + threadIdx.x) / Slabs;
      const int slab = threadIdx.x % Slabs;
      *reinterpret_cast<int4 *>(As[slab][r]) = *reinterpret_cast<const int4 *>(
          &A[(row0 + r) * K + k0 + slab * Vector]);
      *reinterpret_cast<int4 *>(Bs[slab][r]) = *reinterpret_cast<const int4 *>(
          &B[(col0 + r) * K + k0 + slab * Vector]);
    }
    __syncthreads();

#pragma unroll
    for (int slab = 0; slab < Slabs; ++slab) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], As[slab][warpRow + i * 16], Vector);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], Bs[slab][warpCol + j * 16], Vector);
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
  auto toByte = [](float value) {
    return static_cast<signed char>(std::floor(value));
  };
  const std::vector<signed char> a = sample::converted(
      sample::uniform(size_t(M) * K, 1, -128.0f, 128.0f), toByte);
  const std::vector<signed char> b = sample::converted(
      sample::uniform(size_t(N) * K, 2, -128.0f, 128.0f), toByte);
  const sample::DeviceArray<signed char> A(a);
  const sample::DeviceArray<signed char> B(b);
  const sample::DeviceArray<int> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    igemm_wmma<<<grid, Threads>>>(A.data(), B.data(), C.data(), N, K);
  };
  // Integers have no rounding: the result must be exact.
  return sample::runSample(options, launch, C, 0.0, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    long long sum = 0;
    for (int k = 0; k < K; ++k)
      sum += a[row * K + k] * b[col * K + k];
    return double(sum);
  });
}
