// A reference may be all there is to name a value: writes to it, and conditions that declare, are seen.
// RUN: %refused %s %t loop-form
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int &&o = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[o + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    o += 16;
  }
  C[tx] = acc;
}
// CHECK: 'o' advances the copy, {{.*}}[loop-form]

__global__ void good_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    const float &x = A[k0 + tx] * 2;
    As[tx] = x;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
