// A conversion or a scale on the way stays in the store half: the warp must not wait for the load early.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const int *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = (float)A[k0 + tx] * 2 + 1;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int As_next;
// CHECK: As_next = A[k0 + tx];
// CHECK: acc += As[k];
// CHECK: As[tx] = (float)As_next * 2 + 1;
