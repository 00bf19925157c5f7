// An asynchronous copy holds nothing in registers: unchanged values may come in any number.
// RUN: pipeline-rewrite --cuda-path=none %s 2>&1 | FileCheck %s
// CHECK: pipelined: cp-async
// CHECK: __pipeline_memcpy_async(&As[i], &A[k0 + i], sizeof(float));
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void good_run_time_step(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tx; i < 256; i += blockDim.x)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
