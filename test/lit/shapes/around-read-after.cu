// What is read after the loop is the last tile, in whichever slot it is.
// RUN: %shape %s %t PEEL --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
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
  C[tx] = acc + As[tx ^ 1];
}

// PEEL: // Epilogue
// PEEL: auto &As = As_slots[slot];
// PEEL: auto &As = As_slots[slot];
// PEEL: C[tx] = acc + As[tx ^ 1];
