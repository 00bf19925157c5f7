// An array of the copy phase's own, filled by one loop and stored by another.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    float r[2];
    for (int i = 0; i < 2; ++i)
      r[i] = A[k0 + i * 16 + tx];
    for (int i = 0; i < 2; ++i)
      As[i * 16 + tx] = r[i];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: // Prologue
// CHECK: float r[2];
// CHECK: r[i] = A[k0 + i * 16 + tx];
// CHECK: As[i * 16 + tx] = r[i];
// CHECK: // Epilogue
