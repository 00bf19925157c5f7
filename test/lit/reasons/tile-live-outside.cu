// What was in the tile before the loop, or is read from it afterwards, must find the right slot.
// RUN: %refused %s %t tile-live-outside
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_halo(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx + 16] = 0;
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

__device__ void fill(float *p) { p[threadIdx.x + 16] = 0; }

__global__ void bad_filled_by_call(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  fill(As);
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

__global__ void bad_both(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = A[tx];
  __syncthreads();
  acc = As[tx ^ 1];
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
// CHECK: [[#@LINE+1]]:17: warning: {{.*}}[tile-live-outside]
  C[tx] = acc + As[tx ^ 1];
}

// A use that each iteration overwrites, or that follows in the same block, is redirected.
__global__ void good_before(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = A[tx];
  __syncthreads();
  acc = As[tx ^ 1];
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_written_after(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  As[tx] = acc;
  __syncthreads();
  C[tx] = As[tx ^ 1];
}

__global__ void good_read_after(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc + As[tx ^ 1];
}
