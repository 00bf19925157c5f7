// A shared array that is declared in the loop moves in front of it, and its type with it.
// RUN: %refused %s %t tile-escapes
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_extent(const float *__restrict__ A, float *__restrict__ C, int K) {
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:28: warning: {{.*}}[tile-escapes]
    constexpr int W = 16;  __shared__ float As[W];
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_type(const float *__restrict__ A, float *__restrict__ C, int K) {
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    using Element = float;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-escapes]
    __shared__ Element As[16];
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_outside(const float *__restrict__ A, float *__restrict__ C, int K) {
  int tx = threadIdx.x;
  float acc = 0;
  constexpr int W = 16;
  for (int k0 = 0; k0 < K; k0 += 16) {
    __shared__ float As[W];
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
