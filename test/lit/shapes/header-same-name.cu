// A variable of the counter's name stands after the loop: the rewrite keeps to itself.
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
  int k0 = 5;
  acc += k0;
  C[tx] = acc;
}

// CHECK: int k0 = 0;
// CHECK: }
// CHECK: int k0 = 5;
