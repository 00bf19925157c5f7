// A definition inside the loop would change its place among the statements that it governs.
// RUN: %refused %s %t preprocessor
#include <cuda_runtime.h>

__global__ void bad_define(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:1: warning: {{.*}}[preprocessor]
#define OFFSET 3
    acc += OFFSET;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_undef(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:1: warning: {{.*}}[preprocessor]
#define SHIFT 3
    As[tx] = A[k0 + tx + SHIFT];
#undef SHIFT
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
