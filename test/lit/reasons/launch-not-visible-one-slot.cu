// Left to itself, the program fetches into registers, which needs no more shared memory and no launch.
// RUN: pipeline-rewrite --cuda-path=none %s 2>&1 >/dev/null | FileCheck %s
// CHECK: pipelined: register-prefetch, {{.*}} 1 slot
// CHECK: [stage-count-reduced]
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void good_extern(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float pool[];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    pool[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += pool[k];
    __syncthreads();
  }
  C[tx] = acc;
}
