// One temporary serves two tiles and the compute phase: each load has a register of its own.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  __shared__ float Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  float t;
  for (int k0 = 0; k0 < K; k0 += 16) {
    t = A[k0 + tx];
    As[tx] = t;
    t = B[k0 + tx];
    Bs[tx] = t;
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      t = As[k];
      acc += t * Bs[k];
    }
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: float t_next;
// CHECK: float t_next1;
// CHECK: t_next = A[k0 + tx];
// CHECK: t_next1 = B[k0 + tx];
// CHECK: t = As[k];
// CHECK: t = t_next;
// CHECK: As[tx] = t;
// CHECK: t = t_next1;
// CHECK: Bs[tx] = t;
