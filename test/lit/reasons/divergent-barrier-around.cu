// The loop itself stands under a condition that differs between threads: the condition is named.
// RUN: %refused %s %t divergent-barrier
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_guarded_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[divergent-barrier]
  if (tx < 8) {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  }
  C[tx] = acc;
}

__global__ void bad_else(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[divergent-barrier]
  if (tx < 8) {
    acc = 1;
  } else {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  }
  C[tx] = acc;
}

__global__ void bad_switch(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:11: warning: {{.*}}[divergent-barrier]
  switch (threadIdx.x) {
  case 1:
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  }
  C[tx] = acc;
}

__global__ void good_uniform_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  if (K > 8) {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  }
  C[tx] = acc;
}

__global__ void good_else(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  if (K < 8)
    acc = 1;
  else
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  C[tx] = acc;
}
