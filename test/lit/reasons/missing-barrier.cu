// An input that already races is reported, not repaired.
// RUN: %refused %s %t missing-barrier
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_no_trailing(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[missing-barrier]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
  }
  C[tx] = acc;
}

__global__ void bad_read_behind_trailing(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[missing-barrier]
    acc += As[3];
  }
  C[tx] = acc;
}

__global__ void bad_conditional_trailing(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[missing-barrier]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (K > 64)
      __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_warp_only(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[missing-barrier]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncwarp();
  }
  C[tx] = acc;
}

// The barrier may as well stand before the copy.
__global__ void good_leading(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    __syncthreads();
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
  }
  C[tx] = acc;
}

__global__ void good_private_behind_trailing(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    acc *= 2;
  }
  C[tx] = acc;
}
