// Registers have no addresses, and each thread has few of them.
// RUN: %refused %s %t registers
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_run_time_step(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = tx; i < 256; i += blockDim.x)
      As[i] = A[k0 + i] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_run_time_bound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; i < K / 16; ++i)
      As[i * 16 + tx] = A[k0 + i] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_too_many(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[registers]
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 128; ++i)
      As[i * 16 + tx] = A[k0 + i] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Constant bounds are enough, also from a thread's own start.
__global__ void good_constant(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 4; ++i)
      As[i * 16 + tx] = A[k0 + i] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_strided(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tx; i < 256; i += 64)
      As[i] = A[k0 + i] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
