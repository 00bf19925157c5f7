// Start and step are variables.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int first = N / 3, step = 16;
  for (int k0 = first; k0 < K; k0 += step) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int k0 = first;
// CHECK-NEXT: if (k0 < K) {
// CHECK: for (k0 += step; k0 < K; k0 += step) {
