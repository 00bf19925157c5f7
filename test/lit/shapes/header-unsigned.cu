// An unsigned counter that ends at zero: K - 16 would wrap, so it must not appear.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (unsigned k0 = K / 16; k0 > 0; --k0) {
    As[tx] = A[(k0 - 1) * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: unsigned k0 = K / 16;
// CHECK-NEXT: if (k0 > 0) {
// CHECK: As[tx] = A[(k0 - 1) * 16 + tx];
// CHECK: for (--k0; k0 > 0; --k0) {
