// What depends on where it is written, or how often, cannot be moved or written twice.
// RUN: %refused %s %t macro
// RUN: %rewritten %s %t
#include <cuda_runtime.h>
#define HERE __LINE__
#define NEXT(x) (HERE + (x))

__global__ void bad_line(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:12: warning: {{.*}}[macro]
    acc += __LINE__;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_through_macros(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
// CHECK: [[#@LINE+1]]:14: warning: {{.*}}[macro]
      acc += NEXT(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_counter(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:30: warning: {{.*}}[macro]
    As[tx] = A[k0 + tx]    + __COUNTER__;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ inline float noted(float x, int line = __builtin_LINE()) { return x + line; }

__global__ void bad_default(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
// CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}}[macro]
      acc += noted(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}

// Outside the loop nothing moves, and a function's name stays what it is.
__global__ void good_outside(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = sizeof(__FILE__);
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    // not __LINE__
    for (int k = 0; k < 16; ++k)
      acc += As[k] * sizeof(__func__);
    __syncthreads();
  }
  C[tx] = acc;
}
