// Sample: C = A * B in fp32, the first tiled kernel that everyone writes.
//
// A block computes one 32x32 tile of C, a thread one element of it. The block
// walks along K in steps of 32: it copies a tile of A and a tile of B to shared
// memory, waits, multiplies them, and waits again before it overwrites them.
// During the copy no thread computes, and during the compute nothing is copied.
//
// Any M, N and K will do: what lies outside a matrix is read as zero.
//
// Sizes: M N K
#include "common.h"

constexpr int Tile = 32;

__global__ void sgemm_tiled(const float *__restrict__ A,
                            const float *__restrict__ B, float *__restrict__ C,
                            int M, int N, int K) {
  __shared__ float As[Tile][Tile];
  __shared__ float Bs[Tile][Tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty;
  const int col = blockIdx.x * Tile + tx;

  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {1024, 1024, 1024}, {65, 40, 70});
  const int M = options.sizes[0];
  const int N = options.sizes[1];
  const int K = options.sizes[2];
  const std::vector<float> a = sample::uniform(size_t(M) * K, 1);
  const std::vector<float> b = sample::uniform(size_t(K) * N, 2);
  const sample::DeviceArray<float> A(a);
  const sample::DeviceArray<float> B(b);
  const sample::DeviceArray<float> C(size_t(M) * N);

  const dim3 block(Tile, Tile);
  const dim3 grid(sample::ceilDiv(N, Tile), sample::ceilDiv(M, Tile));
  auto launch = [&] {
    sgemm_tiled<<<grid, block>>>(A.data(), B.data(), C.data(), M, N, K);
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
