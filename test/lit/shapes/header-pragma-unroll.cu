// A pragma on the K loop stays with the loop.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
// RUN: %shape %s %t PRED --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __syncthreads();
// CHECK: #pragma unroll 1
// CHECK-NEXT: for (k0 += 16;
// PRED: #pragma unroll 1
// PRED-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {
