// The bound of a copy loop is a constant of the copy phase: the array of registers, declared in front of it, has its value.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
    const int n = 64;
    for (int j = t; j < n; j += 32)
      tile[j] = A[k + j];
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK: float tile_next[2];
// CHECK: const int n = 64;
