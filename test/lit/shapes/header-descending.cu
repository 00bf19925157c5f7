// A descending loop: no index is computed, the author's own step is repeated.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = K - 16; k0 >= 0; k0 -= 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int k0 = K - 16;
// CHECK-NEXT: if (k0 >= 0) {
// CHECK: for (k0 -= 16; k0 >= 0; k0 -= 16) {
