// C = A * B in fp32: a block of 256 threads computes 64x64 of C, a thread 4x4.
//
// Both tiles travel in 16-byte pieces. A is stored transposed, so that the four
// values of a thread lie side by side, in rows padded by four floats against
// bank conflicts of the scattered stores.
//
// M and N must be multiples of 64, K of 16 (zero included).
//
// Sizes: M N K
#include "../../samples/common.h"

constexpr int BM = 64;
constexpr int BN = 64;
constexpr int BK = 16;
constexpr int PerThread = 4; // rows and columns
constexpr int Threads = BM * BN / (PerThread * PerThread);

__global__ void __launch_bounds__(Threads)
    sgemm_64x64x16(const float *__restrict__ A, const float *__restrict__ B,
                   float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) float As[BK][BM + 4];
  __shared__ __align__(16) float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * BM;
  const int col0 = blockIdx.x * BN;
  const int aRow = tid / (BK / 4);
  const int aCol = tid % (BK / 4) * 4;
  const int bRow = tid / (BN / 4);
  const int bCol = tid % (BN / 4) * 4;
  const int ty = tid / (BN / PerThread) * PerThread;
  const int tx = tid % (BN / PerThread) * PerThread;

  float acc[PerThread][PerThread] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    const float4 a =
        *reinterpret_cast<const float4 *>(&A[(row0 + aRow) * K + k0 + aCol]);
    As[aCol + 0][aRow] = a.x;
    As[aCol + 1][aRow] = a.y;
    As[aCol + 2][aRow] = a.z;
    As[aCol + 3][aRow] = a.w;
    *reinterpret_cast<float4 *>(&Bs[bRow][bCol]) =
        *reinterpret_cast<const float4 *>(&B[(k0 + bRow) * N + col0 + bCol]);
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BK; ++k) {
      const float4 x = *reinterpret_cast<const float4 *>(&As[k][ty]);
      const float4 y = *reinterpret_cast<const float4 *>(&Bs[k][tx]);
      const float left[PerThread] = {x.x, x.y, x.z, x.w};
      const float right[PerThread] = {y.x, y.y, y.z, y.w};
      for (int i = 0; i < PerThread; ++i)
        for (int j = 0; j < PerThread; ++j)
          acc[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < PerThread; ++i)
    *reinterpret_cast<float4 *>(&C[(row0 + ty + i) * N + col0 + tx]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {64, 64, 48});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  sample::require(M % BM == 0 && N % BN == 0, "M and N in multiples of 64");
  sample::require(K % BK == 0, "K in multiples of 16");
  const std::vector<float> a = sample::uniform(size_t(M) * K, 1);
  const std::vector<float> b = sample::uniform(size_t(K) * N, 2);
  const sample::DeviceArray<float> A(a);
  const sample::DeviceArray<float> B(b);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 grid(N / BN, M / BM);
  auto launch = [&] {
    sgemm_64x64x16<<<grid, Threads>>>(A.data(), B.data(), C.data(), N, K);
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
