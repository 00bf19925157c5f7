// A loop that a goto runs again is a loop in a loop: a barrier keeps the next prologue from the last readers.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  again:
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  if (--N > 0)
    goto again;
  C[tx] = acc;
}

// CHECK: // Epilogue
// CHECK: acc += As[k];
// CHECK: __syncthreads();
// CHECK: goto again;
