// The pointer moves on behind the barrier: the next copy must see it moved, once.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  const float *a = A + tx;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = *a;
    __syncthreads();
    a += 16;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: As[tx] = *a;
// CHECK: a += 16;
// CHECK: __syncthreads();
// CHECK: As_next = *a;
// CHECK: As[tx] = As_next;
// CHECK: a += 16;
// CHECK-NOT: a += 16;
