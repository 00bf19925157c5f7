// A tile in dynamic shared memory needs more bytes at a launch that is not here.
// RUN: %refused %s %t launch-not-visible --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_extern(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float pool[];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[launch-not-visible]
  for (int k0 = 0; k0 < K; k0 += 16) {
    pool[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += pool[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// A dynamic block beside a static tile is left alone.
__global__ void good_static_tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float pool[];
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    pool[tx] = acc;
    __syncthreads();
    acc += pool[tx ^ 1];
    __syncthreads();
  }
  C[tx] = acc;
}
