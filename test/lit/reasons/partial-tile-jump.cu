// What jumps past a store, or stands in a condition's arm, guards it as much as an if does.
// RUN: %refused %s %t partial-tile
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_continue(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 16; i += 4) {
      if (k0 + i >= K)
// CHECK: [[#@LINE+1]]:9: warning: {{.*}}[partial-tile]
        continue;
      As[i + tx] = A[k0 + i + tx];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_break(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 16; i += 4) {
      if (k0 + i >= K)
// CHECK: [[#@LINE+1]]:9: warning: {{.*}}[partial-tile]
        break;
      As[i + tx] = A[k0 + i + tx];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_ternary(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:26: warning: {{.*}}[partial-tile]
    k0 + tx < K ? (void)(As[tx] = A[k0 + tx]) : (void)0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_and(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:23: warning: {{.*}}[partial-tile]
    (k0 + tx < K) && (As[tx] = A[k0 + tx], true);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_plain_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 16; i += 4)
      As[i + (tx & 3)] = A[k0 + i + (tx & 3)];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
