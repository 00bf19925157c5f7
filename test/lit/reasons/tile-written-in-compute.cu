// What the compute phase writes into the tile would be lost in the other slot.
// RUN: %refused %s %t tile-written-in-compute
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_scale(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-written-in-compute]
    As[tx] *= 2;
    __syncthreads();
    acc += As[tx ^ 1];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_second_fill(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-written-in-compute]
    As[tx] = B[k0 + tx];
    __syncthreads();
    acc += As[tx ^ 1];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ void clear(float *p, int i) { p[i] = 0; }

__global__ void bad_callee(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-written-in-compute]
    clear(As, tx);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    float *p = As;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-written-in-compute]
    p[tx] = 0;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_atomic(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-written-in-compute]
    atomicAdd(&As[0], 1.0f);
    __syncthreads();
  }
  C[tx] = acc;
}

// Another array, and a callee that only reads, are fine.
__global__ void good_other_array(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    Bs[tx] = acc;
    __syncthreads();
    acc += Bs[tx ^ 1];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ float sum(const float *p) { return p[0] + p[15]; }

__global__ void good_reading_callee(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += sum(As);
    __syncthreads();
  }
  C[tx] = acc;
}
