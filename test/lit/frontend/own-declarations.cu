// Without a toolkit a kernel parses against our own declarations, and a remark says so.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --json %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// CHECK: "arch": "sm_86"
// CHECK: "kernel": "tile"
// REMARK: parsed with this program's own CUDA declarations
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  float sum = 0;
  for (int k = 0; k < K; k += 64) {
    s[threadIdx.x] = A[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += s[i] * s[(i + threadIdx.x) % 64];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
