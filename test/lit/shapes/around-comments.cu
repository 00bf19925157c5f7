// The author's comments survive, and stand where the statement stands.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  // Above the loop.
  for (int k0 = 0; k0 < K; k0 += 16) {
    // Load.
    As[tx] = A[k0 + tx];
    __syncthreads();
    // Compute.
#pragma unroll 4
    for (int k = 0; k < 16; ++k)
      acc += As[k]; // one product
    __syncthreads();
  } // tiles
  C[tx] = acc;
}

// CHECK: // Above the loop.
// CHECK: // Load.
// CHECK: // Compute.
// CHECK: #pragma unroll 4
// CHECK: for (int k = 0; k < 16; ++k)
// CHECK: acc += As[k]; // one product
// CHECK: // tiles
