// Sample: C = A * B in fp32, where each thread keeps a TM x TN tile of C in
// registers and so reads every value in shared memory for many multiply-adds.
//
// Three things differ from sgemm_tiled:
//  - global memory is read four floats at a time;
//  - the tile of A is stored transposed, so that a thread finds its TM values
//    of one k side by side. Four floats that travelled together land in four
//    different rows: this copy can not be one 16-byte asynchronous copy;
//  - no address mentions k0. The pointers themselves move along K.
//
// M and N must be multiples of 128, K of 8 (zero included).
//
// Sizes: M N K
#include "common.h"

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__(BM *BN / (TM * TN))
    sgemm_register_tile(const float *__restrict__ A,
                        const float *__restrict__ B, float *__restrict__ C,
                        int N, int K) {
  constexpr int Threads = BM * BN / (TM * TN);
  static_assert(BM * BK == 4 * Threads && BK * BN == 4 * Threads,
                "each thread copies one float4 of A and one of B");
  __shared__ __align__(16) float As[BK][BM];
  __shared__ __align__(16) float Bs[BK][BN];

  const int aRow = threadIdx.x / (BK / 4);
  const int aCol = threadIdx.x % (BK / 4) * 4;
  const int bRow = threadIdx.x / (BN / 4);
  const int bCol = threadIdx.x % (BN / 4) * 4;
  const int cRow = threadIdx.x / (BN / TN) * TM;
  const int cCol = threadIdx.x % (BN / TN) * TN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    const float4 a = *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]);
    As[aCol + 0][aRow] = a.x;
    As[aCol + 1][aRow] = a.y;
    As[aCol + 2][aRow] = a.z;
    As[aCol + 3][aRow] = a.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bCol]) =
        *reinterpret_cast<const float4 *>(&B[bRow * N + bCol]);
    __syncthreads();

    A += BK;
    B += BK * N;
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float aReg[TM];
      float bReg[TN];
      for (int i = 0; i < TM; ++i)
        aReg[i] = As[k][cRow + i];
      for (int j = 0; j < TN; ++j)
        bReg[j] = Bs[k][cCol + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += aReg[i] * bReg[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4)
      *reinterpret_cast<float4 *>(&C[(cRow + i) * N + cCol + j]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}

int main(int argc, char **argv) {
  constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  const sample::Options options =
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {128, 128, 24});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  sample::require(M % BM == 0 && N % BN == 0, "M and N in multiples of 128");
  sample::require(K % BK == 0, "K in multiples of 8");
  const std::vector<float> a = sample::uniform(size_t(M) * K, 1);
  const std::vector<float> b = sample::uniform(size_t(K) * N, 2);
  const sample::DeviceArray<float> A(a);
  const sample::DeviceArray<float> B(b);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    sgemm_register_tile<BM, BN, BK, TM, TN>
        <<<grid, BM * BN / (TM * TN)>>>(A.data(), B.data(), C.data(), N, K);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t row = i / N;
    const size_t col = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(a[row * K + k]) * b[size_t(k) * N + col];
    return sum;
  });
}
