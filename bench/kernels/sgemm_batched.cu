// C[z] = alpha * A[z] * B[z] in fp32 for a batch of matrices that lie a stride
// apart. A block of 32x8 threads computes 32x32 of one of them, a thread four
// rows of a column. All edges may be ragged.
//
// Sizes: batch M N K
#include "../../samples/common.h"

constexpr int Tile = 32;
constexpr int Rows = 8; // of threads

__global__ void sgemm_batched(const float *__restrict__ A, long long strideA,
                              const float *__restrict__ B, long long strideB,
                              float *__restrict__ C, long long strideC, int M,
                              int N, int K, float alpha) {
  __shared__ float As[Tile][Tile + 1];
  __shared__ float Bs[Tile][Tile + 1];
  const float *const a = A + blockIdx.z * strideA;
  const float *const b = B + blockIdx.z * strideB;
  float *const c = C + blockIdx.z * strideC;
  const int col = blockIdx.x * Tile + threadIdx.x;
  const int row = blockIdx.y * Tile + threadIdx.y;

  float acc[Tile / Rows] = {};
  const int tiles = (K + Tile - 1) / Tile;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < Tile; i += Rows) {
      const int k = t * Tile + threadIdx.x;
      As[threadIdx.y + i][threadIdx.x] =
          row + i < M && k < K ? a[(row + i) * K + k] : 0.0f;
    }
    for (int i = 0; i < Tile; i += Rows) {
      const int k = t * Tile + threadIdx.y + i;
      Bs[threadIdx.y + i][threadIdx.x] =
          k < K && col < N ? b[k * N + col] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      for (int i = 0; i < Tile / Rows; ++i)
        acc[i] += As[threadIdx.y + i * Rows][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  for (int i = 0; i < Tile / Rows; ++i)
    if (row + i * Rows < M && col < N)
      c[(row + i * Rows) * N + col] = alpha * acc[i];
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {16, 256, 256, 256}, {2, 40, 33, 70});
  const int batch = options.sizes[0];
  const int M = options.sizes[1];
  const int N = options.sizes[2];
  const int K = options.sizes[3];
  const std::vector<float> a = sample::uniform(size_t(batch) * M * K, 1);
  const std::vector<float> b = sample::uniform(size_t(batch) * K * N, 2);
  const sample::DeviceArray<float> A(a);
  const sample::DeviceArray<float> B(b);
  const sample::DeviceArray<float> C(size_t(batch) * M * N);

  const dim3 grid(sample::ceilDiv(N, Tile), sample::ceilDiv(M, Tile), batch);
  auto launch = [&] {
    sgemm_batched<<<grid, dim3(Tile, Rows)>>>(
        A.data(), (long long)M * K, B.data(), (long long)K * N, C.data(),
        (long long)M * N, M, N, K, 0.5f);
  };
  return sample::runSample(options, launch, C, 1e-3, [&](size_t i) {
    const size_t z = i / (size_t(M) * N);
    const size_t row = i / N % M;
    const size_t col = i % N;
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(a[(z * M + row) * K + k]) * b[(z * K + k) * N + col];
    return 0.5 * sum;
  });
}
