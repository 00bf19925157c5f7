// New names stay clear of what only a header spells: what a macro brings in, and macros themselves.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate --extra-arg=-I%S/Inputs
#include <cuda_runtime.h>
#include "names.h"

#define PASTED(name) name##_next
__device__ int PASTED(k0) = 5;
#define COUNT PASTED(k0)

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += SCALE(As[k]) * COUNT;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float As_slots1[2][16];
// CHECK: int slot1 = 0;
// CHECK: int k0_next1 = 0;
// CHECK: const bool more1 = k0_next1 < K;
