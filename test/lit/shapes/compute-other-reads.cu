// Global reads of the compute phase stay where they are.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * B[(k0 + k) * N + tx];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: As_next = A[k0_next + tx];
// CHECK: acc += As[k] * B[(k0 + k) * N + tx];
// CHECK: As[tx] = As_next;
