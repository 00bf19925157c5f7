// Several declarators in one statement: only the tile gets slots.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16], last[2];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (tx == 0)
      last[0] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float As_slots[2][16], last[2];
