// Left to itself, the program keeps the one slot and fetches into registers.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --block=16 %s 2>&1 | FileCheck %s
// CHECK: pipelined: register-prefetch, {{.*}} 1 slot
// CHECK: [stage-count-reduced]
// CHECK: __shared__ float As[8192];
// RUN: %rewritten %s %t --arch=sm_80 --block=16
#include <cuda_runtime.h>

__global__ void good_too_large(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[8192];
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
