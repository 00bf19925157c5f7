// Two loops in a row go on with one counter.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
// RUN: %shape %s %t PRED --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  for (; k0 < K / 2; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  for (; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc -= As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: // Epilogue
// CHECK: // Epilogue
// PRED: acc += As[k];
// PRED: acc -= As[k];
