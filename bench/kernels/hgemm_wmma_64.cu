// The same tiles as hgemm_wmma_deep, indexed with int: the same loads need so
// much fewer registers that two blocks share a multiprocessor. The tiles are
// carved from dynamic shared memory, and C leaves through the same bytes.
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
constexpr int LdA = BK + 8; // a row of a tile in halves, padded by 16 bytes
constexpr int LdB = BN + 8;
constexpr int LdC = BN + 4; // a staged row in floats
constexpr int Threads = 256;
constexpr int Vector = 8; // halves in one 16-byte copy
constexpr int WarpM = 64;
constexpr int WarpN = 32;

constexpr size_t TileBytes = (BM * LdA + BK * LdB) * sizeof(half);
constexpr size_t StageBytes = WarpM * LdC * sizeof(float);
constexpr size_t SharedBytes = TileBytes > StageBytes ? TileBytes : StageBytes;

__global__ void __launch_bounds__(Threads)
    hgemm_wmma_64(const half *__restrict__ A, const half *__restrict__ B,
                  float *__restrict__ C, int N, int K) {
  extern __shared__ __align__(32) unsigned char shared[];
  half *const As = reinterpret_cast<half *>(shared);
  half *const Bs = As + BM * LdA;
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
    for (int i = 0; i < BM * BK / (Vector * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BK / Vector);
      const int c = chunk % (BK / Vector) * Vector;
      *reinterpret_cast<int4 *>(&As[r * LdA + c]) =
          *reinterpret_cast<const int4 *>(&A[(row0 + r) * K + k0 + c]);
    }
#pragma unroll
    for (int i = 0; i < BK * BN / (Vector * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BN / Vector);
      const int c = chunk % (BN / Vector) * Vector;
      *reinterpret_cast<int4 *>(&Bs[r * LdB + c]) =
          *reinterpret_cast<const int4 *>(&B[(k0 + r) * N + col0 + c]);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>
          a[WarpM / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>
          b[WarpN / 16];
      for (int i = 0; i < WarpM / 16; ++i)
        wmma::load_matrix_sync(a[i], &As[(warpRow + i * 16) * LdA + k], LdA);
      for (int j = 0; j < WarpN / 16; ++j)
        wmma::load_matrix_sync(b[j], &Bs[k * LdB + warpCol + j * 16], LdB);
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }

  // Half of the warps put their rows down, all threads carry them away.
  float *const Cs = reinterpret_cast<float *>(shared);
  for (int first = 0; first < BM; first += WarpM) {
    if (warpRow == first)
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::store_matrix_sync(&Cs[i * 16 * LdC + warpCol + j * 16],
                                  acc[i][j], LdC, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < WarpM * BN / 4; i += Threads) {
      const int r = i / (BN / 4);
      const int c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&C[(row0 + first + r) * N + col0 + c]) =
          *reinterpret_cast<const float4 *>(&Cs[r * LdC + c]);
    }
    __syncthreads();
  }
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
    hgemm_wmma_64<<<grid, Threads, SharedBytes>>>(A.data(), B.data(), C.data(),
                                                  N, K);
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
