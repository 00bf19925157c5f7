// One value a tile, written by one thread.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float pivot;
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx == 0)
      pivot = A[k0];
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    acc *= pivot;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float pivot_slots[2];
// CHECK: float pivot_next;
// CHECK: if (tx == 0)
// CHECK-NEXT: pivot_next = A[k0];
// CHECK: if (tx == 0)
// CHECK-NEXT: pivot = pivot_next;
