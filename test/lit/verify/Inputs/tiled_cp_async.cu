// tiled.cu with two slots and asynchronous copies, by hand.
#include <cuda_pipeline.h>

constexpr int T = 16;

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[2][T][T];
  __shared__ float Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  int slot = 0;
  int k0 = 0;
  if (k0 < K) {
    {
      const bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
      __pipeline_memcpy_async(&As[0][ty][tx], a ? &A[row * K + k0 + tx] : A, 4, a ? 0 : 4);
      __pipeline_memcpy_async(&Bs[0][ty][tx], b ? &B[(k0 + ty) * N + col] : B, 4, b ? 0 : 4);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    for (k0 += T; k0 < K; k0 += T) {
      const bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
      __pipeline_memcpy_async(&As[slot ^ 1][ty][tx], a ? &A[row * K + k0 + tx] : A, 4, a ? 0 : 4);
      __pipeline_memcpy_async(&Bs[slot ^ 1][ty][tx], b ? &B[(k0 + ty) * N + col] : B, 4, b ? 0 : 4);
      __pipeline_commit();
      for (int k = 0; k < T; ++k)
        acc += As[slot][ty][k] * Bs[slot][k][tx];
      __pipeline_wait_prior(0);
      __syncthreads();
      slot ^= 1;
    }
    for (int k = 0; k < T; ++k)
      acc += As[slot][ty][k] * Bs[slot][k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
