// The real toolkit, also for a machine that the parser does not know yet. alignas behind
// __shared__, cache hints and a shared object with a constructor are what nvcc takes.
// REQUIRES: cuda-headers
// RUN: pipeline-rewrite --arch=sm_120 --json %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// CHECK: "arch": "sm_120"
// CHECK: "kernel": "tile"
// REMARK: parsed with the headers of CUDA {{[0-9]+\.[0-9]+}} in
// REMARK-NOT: {{error|warning}}
#include <complex>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>

__device__ std::complex<float> product(std::complex<float> a, std::complex<float> b) { return a * b; }

__global__ void other(float *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  init(&bar, blockDim.x);
  __syncthreads();
  bar.arrive_and_wait();
  __stcs(p, __ldcs(p + 1));
}

__global__ void tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ alignas(16) float s[64];
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
