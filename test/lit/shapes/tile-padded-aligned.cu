// Padding, alignment and rank are the author's; the slot dimension comes first.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[2][4][4 + 4];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[0][tx / 4][tx % 4] = A[k0 + tx];
    As[1][tx / 4][tx % 4] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[0][k / 4][k % 4] * As[1][k / 4][k % 4];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ __align__(16) float As_slots[2][2][4][4 + 4];
