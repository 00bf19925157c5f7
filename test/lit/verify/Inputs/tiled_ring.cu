// tiled.cu with three slots: two copies in flight, one barrier at the head of
// the loop, by hand.
#include <cuda_pipeline.h>

constexpr int T = 16;
constexpr int Stages = 3;

__device__ __forceinline__ void copy(float *to, const float *from, bool guard) {
  __pipeline_memcpy_async(to, from, 4, guard ? 0 : 4);
}

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[Stages][T][T];
  __shared__ float Bs[Stages][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f;
  for (int s = 0; s < Stages - 1; ++s) {
    if (s < tiles) {
      const int k0 = s * T;
      const bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
      copy(&As[s][ty][tx], a ? &A[row * K + k0 + tx] : A, a);
      copy(&Bs[s][ty][tx], b ? &B[(k0 + ty) * N + col] : B, b);
    }
    __pipeline_commit();
  }
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    const int next = t + Stages - 1;
    if (next < tiles) {
      const int k0 = next * T, s = next % Stages;
      const bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
      copy(&As[s][ty][tx], a ? &A[row * K + k0 + tx] : A, a);
      copy(&Bs[s][ty][tx], b ? &B[(k0 + ty) * N + col] : B, b);
    }
    __pipeline_commit();
    const int s = t % Stages;
    for (int k = 0; k < T; ++k)
      acc += As[s][ty][k] * Bs[s][k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
