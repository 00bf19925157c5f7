// A grid-wide barrier lets other blocks write what the next tile's copy would have read too early.
// RUN: %refused %s %t opaque-effect
// RUN: %rewritten %s %t
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void bad_grid(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    cooperative_groups::this_grid().sync();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_grid_group(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto grid = cooperative_groups::this_grid();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    grid.sync();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_warp_tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto warp = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    warp.sync();
    __syncthreads();
  }
  C[tx] = acc;
}
