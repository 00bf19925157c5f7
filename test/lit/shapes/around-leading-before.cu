// A leading barrier also orders what stands before the loop: it comes before the first copy.
// RUN: %shape %s %t PEEL --variant=ldg --form=peel
// RUN: %shape %s %t PRED --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float scale[16];
  int tx = threadIdx.x;
  float acc = 0;
  scale[tx] = A[tx];
  for (int k0 = 0; k0 < K; k0 += 16) {
    __syncthreads();
    As[tx] = A[k0 + tx] * scale[tx ^ 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
  }
  C[tx] = acc;
}

// PEEL: scale[tx] = A[tx];
// PEEL: __syncthreads();
// PEEL: // Prologue
// PRED: scale[tx] = A[tx];
// PRED: __syncthreads();
// PRED: // Prologue
