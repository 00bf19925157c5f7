// Two slots that cost a resident block are refused, unless the loss is accepted.
// RUN: %refused %s %t budget --variant=ldg --arch=sm_86 --block=256
// RUN: pipeline-rewrite --cuda-path=none --variant=ldg --arch=sm_86 --block=256 --allow-cliff %s | FileCheck %s --check-prefix=ACCEPTED
// ACCEPTED: __shared__ float As_slots[2][5120];
#include <cuda_runtime.h>

__global__ void bad_cliff(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[5120];
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
