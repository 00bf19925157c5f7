// Slots, asynchronous copies and registers ahead by hand are left alone.
// RUN: %refused %s %t already-pipelined
// RUN: %rewritten %s %t
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__global__ void bad_toggle(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2][16];
  int tx = threadIdx.x;
  float acc = 0;
  int slot = 0;
  As[0][tx] = A[tx];
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + 16 < K)
      As[slot ^ 1][tx] = A[k0 + 16 + tx];
    for (int k = 0; k < 16; ++k)
// CHECK: [[#@LINE+1]]:14: warning: {{.*}}[already-pipelined]
      acc += As[slot][k];
    __syncthreads();
    slot ^= 1;
  }
  C[tx] = acc;
}

__global__ void bad_async(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[already-pipelined]
    __pipeline_memcpy_async(&As[tx], &A[k0 + tx], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_registers_ahead(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  float next = A[tx];
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[already-pipelined]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = next;
    __syncthreads();
    next = A[k0 + 16 + tx];
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// A variable that alternates, or a swizzle, makes no slots.
__global__ void good_alternating_sign(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int odd = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += odd ? As[k] : -As[k];
    odd ^= 1;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_swizzle(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx ^ (K & 1)] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_two_rows(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2][16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[0][tx] = A[k0 + tx];
    As[1][tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[0][k] * As[1][k];
    __syncthreads();
  }
  C[tx] = acc;
}
