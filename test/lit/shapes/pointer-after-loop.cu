// The pointer is read after the loop, and has then moved as often as before.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  const float *a = A;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = a[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    a += 16;
    __syncthreads();
  }
  C[tx] = acc + a[tx];
}

// CHECK: As[tx] = a[tx];
// CHECK: C[tx] = acc + a[tx];
