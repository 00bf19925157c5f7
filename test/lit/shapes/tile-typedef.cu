// An array type of the author's own.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

typedef float Square[4][4];

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Square As;
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx / 4][tx % 4] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k / 4][k % 4];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ Square As_slots[2];
// CHECK: auto &As = As_slots[0];
