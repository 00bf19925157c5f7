// The pointer moves on behind the last barrier.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  const float *a = A + tx;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = *a;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    a += 16;
  }
  C[tx] = acc;
}

// CHECK: As[tx] = *a;
// CHECK: a += 16;
// CHECK: As_next = *a;
// CHECK: As[tx] = As_next;
// CHECK: a += 16;
