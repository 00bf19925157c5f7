// One slot keeps what it held, so that registers ahead stay legal with the same guard on the store.
// RUN: %rewritten %s %t --variant=register-prefetch
#include <cuda_runtime.h>

__global__ void good_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
