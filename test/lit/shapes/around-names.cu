// Names that the author uses already are left to the author.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int slot = 1, more = 2, k0_next = 3;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc + slot + more + k0_next;
}

// CHECK: int slot1 = 0;
// CHECK: int k0_next1 = 0;
// CHECK: const bool more1 = k0_next1 < K;
