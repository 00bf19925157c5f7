// Two K loops in a row share a tile: both are rewritten, and a barrier stands between them.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = B[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc -= As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float As_slots[2][16];
// CHECK-NOT: __shared__
// CHECK: // Epilogue
// CHECK: acc += As[k];
// CHECK: __syncthreads();
// CHECK: // Prologue
// CHECK: As[tx] = B[k0 + tx];
