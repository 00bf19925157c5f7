// A guard that is the same in every iteration still skips other elements when an outer loop comes round.
// RUN: %refused %s %t partial-tile
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_outer_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int b = 4; b > 0; --b)
    for (int k0 = 0; k0 < K; k0 += 64) {
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}changes with 'b' [partial-tile]
      if (tx < b * 16)
        As[tx] = A[k0 + tx];
      __syncthreads();
      acc += As[63 - tx];
      __syncthreads();
    }
  C[tx] = acc;
}

// The outer loop does not change what is skipped.
__global__ void good_outer_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int b = 4; b > 0; --b)
    for (int k0 = 0; k0 < K; k0 += 64) {
      if (tx < 64)
        As[tx] = A[b * K + k0 + tx];
      __syncthreads();
      acc += As[63 - tx];
      __syncthreads();
    }
  C[tx] = acc;
}
