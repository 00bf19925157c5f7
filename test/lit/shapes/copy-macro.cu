// Macros for both sides of the copy: the names that they use are bound around them.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

#define AS(i) As[i]
#define GLOBAL (k0 + tx)

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    AS(tx) = A[GLOBAL];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += AS(k) * k0;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: auto &k0 = k0_next;
// CHECK: auto &As = As_slots[0];
// CHECK: AS(tx) = A[GLOBAL];
// CHECK: auto &k0 = k0_next;
// CHECK: As_next = A[GLOBAL];
// CHECK: auto &As = As_slots[slot ^ 1];
// CHECK: AS(tx) = As_next;
