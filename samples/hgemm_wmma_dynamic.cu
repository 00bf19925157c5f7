// Sample: C = A * B + bias with fp16 inputs on the tensor cores, in shared
// memory that the launch provides.
//
// The tiles are those of hgemm_wmma, carved by hand out of one dynamic block.
// When the loop is over, the same bytes get a second job: a fragment does not
// say which of its values sits where, so the sums go through shared memory, 64
// rows at a time, to be joined with the bias and leave in whole rows. The block
// is as large as the larger of both uses: the staged rows, not the tiles.
//
// M and N must be multiples of 128, K of 8 (zero included): a 16-byte copy is
// inside the matrix or outside, never half.
//
// Sizes: M N K
#include "common.h"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128;
constexpr int BN = 128;
constexpr int BK = 32;
constexpr int LdA = BK + 8; // a row of a tile in halves, padded by 16 bytes
constexpr int LdB = BN + 8;
constexpr int LdC = BN + 4; // a staged row in floats, padded by 16 bytes
constexpr int Threads = 256;
constexpr int Vector = 8; // halves in one 16-byte copy
constexpr int WarpM = 64; // rows of C that one warp computes
constexpr int WarpN = 32; // columns of C that one warp computes

constexpr size_t TileBytes = (BM * LdA + BK * LdB) * sizeof(half);
constexpr size_t StageBytes = WarpM * LdC * sizeof(float);
constexpr size_t SharedBytes = TileBytes > StageBytes ? TileBytes : StageBytes;

__global__ void __launch_bounds__(Threads)
    hgemm_wmma_dynamic(const half *__restrict__ A, const half *__restrict__ B,
                       const float *__restrict__ bias, float *__restrict__ C,
                       int N, int K) {
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
          k0 + c < K
              ? *reinterpret_cast<const int4 *>(&A[(row0 + r) * K + k0 + c])
              : make_int4(0, 0, 0, 0);
    }
#pragma unroll
    for (int i = 0; i < BK * BN / (Vector * Threads); ++i) {
      const int chunk = i * Threads + threadIdx.x;
      const int r = chunk / (BN / Vector);
      const int c = chunk % (BN / Vector) * Vector;
      *reinterpret_cast<int4 *>(&Bs[r * LdB + c]) =
          k0 + r < K
              ? *reinterpret_cast<const int4 *>(&B[(k0 + r) * N + col0 + c])
              : make_int4(0, 0, 0, 0);
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

  // The tiles are no longer needed. Their bytes stage the upper half of C, then
  // the lower half: the warps of one half write, all threads carry away.
  float *const Cs = reinterpret_cast<float *>(shared);
  for (int first = 0; first < BM; first += WarpM) {
    if (warpRow == first)
      for (int i = 0; i < WarpM / 16; ++i)
        for (int j = 0; j < WarpN / 16; ++j)
          wmma::store_matrix_sync(&Cs[i * 16 * LdC + warpCol + j * 16],
                                  acc[i][j], LdC, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < WarpM * BN; i += Threads) {
      const int r = i / BN;
      const int c = i % BN;
      C[(row0 + first + r) * N + col0 + c] = Cs[r * LdC + c] + bias[col0 + c];
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {128, 128, 72});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  sample::require(M % BM == 0 && N % BN == 0, "M and N in multiples of 128");
  sample::require(K % Vector == 0, "K in multiples of 8");
  auto toHalf = [](float value) { return __float2half(value); };
  const std::vector<half> a =
      sample::converted(sample::uniform(size_t(M) * K, 1), toHalf);
  const std::vector<half> b =
      sample::converted(sample::uniform(size_t(K) * N, 2), toHalf);
  const std::vector<float> bias = sample::uniform(N, 3);
  const sample::DeviceArray<half> A(a);
  const sample::DeviceArray<half> B(b);
  const sample::DeviceArray<float> deviceBias(bias);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    hgemm_wmma_dynamic<<<grid, Threads, SharedBytes>>>(
        A.data(), B.data(), deviceBias.data(), C.data(), N, K);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    double sum = bias[col];
    for (int k = 0; k < K; ++k)
      sum += double(__half2float(a[row * K + k])) *
             __half2float(b[size_t(k) * N + col]);
    return sum;
  });
}
