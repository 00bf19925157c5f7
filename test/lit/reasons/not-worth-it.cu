// Where the copies are lost beside the compute phase there is nothing to gain: refused, unless a variant is asked for by name.
// RUN: %refused %s %t not-worth-it --arch=sm_75
// RUN: %refused %s %t not-worth-it --arch=sm_90
// RUN: %rewritten %s %t --arch=sm_90
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=ldg %s -o - -- 2>/dev/null | grep -c slots | FileCheck --check-prefix=FORCED %s
// FORCED: {{^[1-9]}}
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void bad_much_to_do(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  float sum = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}} 8192 operations on each byte that is copied: no variant is predicted to gain a percent [not-worth-it]
  for (int k = 0; k < K; k += 256) {
    tile[t] = A[k + t];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      for (int j = 0; j < 64; ++j)
        sum = sum * tile[i] + j;
    __syncthreads();
  }
  C[t] = sum;
}

// An eighth of that: two percent, where all goes well.
__global__ __launch_bounds__(256) void good_less_to_do(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k += 256) {
    tile[t] = A[k + t];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      for (int j = 0; j < 8; ++j)
        sum = sum * tile[i] + j;
    __syncthreads();
  }
  C[t] = sum;
}
