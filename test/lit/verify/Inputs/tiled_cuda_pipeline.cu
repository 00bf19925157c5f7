// tiled.cu with cuda::pipeline of the block, two stages, by hand.
#include <cooperative_groups.h>
#include <cuda/pipeline>

constexpr int T = 16;

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int M, int N, int K) {
  constexpr auto scope = cuda::thread_scope_block;
  __shared__ cuda::pipeline_shared_state<scope, 2> state;
  __shared__ float As[2][T][T];
  __shared__ float Bs[2][T][T];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f;
  for (int t = 0, fetch = 0; t < tiles; ++t) {
    for (; fetch < tiles && fetch < t + 2; ++fetch) {
      pipe.producer_acquire();
      const int k0 = fetch * T, s = fetch % 2;
      if (row < M && k0 + tx < K)
        cuda::memcpy_async(&As[s][ty][tx], &A[row * K + k0 + tx], sizeof(float), pipe);
      else
        As[s][ty][tx] = 0.0f;
      if (k0 + ty < K && col < N)
        cuda::memcpy_async(&Bs[s][ty][tx], &B[(k0 + ty) * N + col], sizeof(float), pipe);
      else
        Bs[s][ty][tx] = 0.0f;
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int k = 0; k < T; ++k)
      acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
    pipe.consumer_release();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
