// tiled.cu with a cuda::barrier for each slot, by hand.
#include <cooperative_groups.h>
#include <cuda/barrier>

constexpr int T = 16;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int M, int N, int K) {
  __shared__ Barrier ready[2];
  __shared__ float As[2][T][T];
  __shared__ float Bs[2][T][T];
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&ready[0], block.size());
    init(&ready[1], block.size());
  }
  block.sync();
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  auto copy = [&](int tile) {
    const int k0 = tile * T, s = tile % 2;
    if (row < M && k0 + tx < K)
      cuda::memcpy_async(&As[s][ty][tx], &A[row * K + k0 + tx], sizeof(float), ready[s]);
    else
      As[s][ty][tx] = 0.0f;
    if (k0 + ty < K && col < N)
      cuda::memcpy_async(&Bs[s][ty][tx], &B[(k0 + ty) * N + col], sizeof(float), ready[s]);
    else
      Bs[s][ty][tx] = 0.0f;
  };
  float acc = 0.0f;
  if (tiles > 0)
    copy(0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      copy(t + 1);
    ready[t % 2].arrive_and_wait();
    for (int k = 0; k < T; ++k)
      acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
    block.sync();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
