// A constant array is no global memory.
// RUN: %refused %s %t no-async-copy --variant=cp-async --arch=sm_80
#include <cuda_runtime.h>

__constant__ float table[1024];

__global__ void bad_constant(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = table[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
