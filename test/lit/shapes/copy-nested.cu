// Two inner loops, an inclusive bound and a step.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[4][16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 2; ++i)
      for (int j = 1; j <= 3; j += 2)
        As[i * 2 + j / 2][tx] = A[k0 + i * 7 + j + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k & 3][k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: float As_next[2][
// CHECK: As_next[i][
// CHECK: = A[k0 + i * 7 + j + tx];
// CHECK: As[i * 2 + j / 2][tx] = As_next[i][
