// A barrier that a macro spells is repeated as the macro.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

#define WAIT __syncthreads()

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    WAIT;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    WAIT;
  }
  C[tx] = acc;
}

// CHECK: // Prologue
// CHECK: WAIT;
// CHECK: for (
// CHECK: WAIT;
// CHECK-NOT: __syncthreads
