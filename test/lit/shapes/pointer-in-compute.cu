// The compute phase reads through the pointer, too: it keeps its own, a tile behind.
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
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    acc += a[1];
    a += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: auto a_next = a;
// CHECK: As[tx] = *a_next;
// CHECK: a_next += 16;
// CHECK: As_next = *a_next;
// CHECK: acc += a[1];
// CHECK: a += 16;
