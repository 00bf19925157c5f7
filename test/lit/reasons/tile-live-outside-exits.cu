// What a thread stored that leaves before the loop, no iteration overwrites.
// RUN: %refused %s %t tile-live-outside --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_return(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  if (tx >= n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_around(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  if (tx < n) {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 32; ++k)
        acc += As[k];
      __syncthreads();
    }
    C[tx] = acc;
  }
}

__global__ void bad_staged(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32], Bs[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = A[tx];
  __syncthreads();
  acc = As[31 - tx];
  if (tx >= n)
    return;
// CHECK: warning: {{.*}}'bad_staged' is not pipelined: 'As' is written before{{.*}}[tile-live-outside]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    Bs[tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k] * Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Who is left stores before the loop; all threads leave or none; a store that may be left out is one less.
__global__ void good_after(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  if (tx >= n)
    return;
  As[tx] = 0;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_uniform(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = 0;
  __syncthreads();
  if (blockIdx.x >= n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_conditional(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  if (tx < n)
    As[tx] = 0;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
