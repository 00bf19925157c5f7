// A K loop inside an outer loop: a barrier keeps the next prologue from the last readers.
// RUN: %shape %s %t PEEL --variant=ldg --form=peel
// RUN: %shape %s %t RING --variant=cp-async --form=ring
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < 3; ++t) {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx + t];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  }
  C[tx] = acc;
}

// PEEL: // Epilogue
// PEEL: acc += As[k];
// PEEL: __syncthreads();
// RING: slot ^= 1;
// RING-NEXT: }
// RING-NEXT: __syncthreads();
