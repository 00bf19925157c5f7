// The tile's array serves something else after the loop.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  As[tx] = acc;
  __syncthreads();
  C[tx] = As[tx ^ 1];
}

// CHECK: // Epilogue
// CHECK: acc += As[k];
// CHECK: __syncthreads();
// CHECK: As[tx] = acc;
