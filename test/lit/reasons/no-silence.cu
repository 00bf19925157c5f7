// Each K loop gets a line, also where it is written in a way that nothing can be made of.
// RUN: pipeline-rewrite --cuda-path=none %s 2>&1 >/dev/null | FileCheck %s
#include <cuda_runtime.h>

extern __device__ float elsewhere(const float *from, int i);

__global__ void unknown_load(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = elsewhere(A, k0 + tx);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: in 'unknown_load' is not pipelined

__global__ void load_in_condition(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = (k0 + tx < K && A[k0 + tx] > 10) ? 1.0f : 2.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: {{no-silence.cu:26:|in 'load_in_condition'}}

__device__ void tile_parameter(float *As, const float *__restrict__ A, float &acc, int K) {
  int tx = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
}
// CHECK: {{no-silence.cu:58:|in 'tile_parameter'}}

__global__ void calls(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[16];
  float acc = 0;
  tile_parameter(tile, A, acc, K);
  C[threadIdx.x] = acc;
}
