// Static shared memory ends at 48 KB: two slots of this tile are never emitted.
// RUN: %refused %s %t budget --variant=ldg --arch=sm_80 --block=1024
// RUN: %rewritten %s %t --variant=ldg --arch=sm_80 --block=1024
#include <cuda_runtime.h>

__global__ void bad_too_large(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[8192];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[budget]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Two slots of half of it just fit.
__global__ void good_half(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[4096];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
