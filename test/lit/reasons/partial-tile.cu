// An element that one iteration skips keeps an older tile's value: with two slots, a different one.
// RUN: %refused %s %t partial-tile
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_guard_by_variable(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    bool ok = k0 + tx < K;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (ok)
      As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_guard_by_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    float v = A[k0 + tx];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (v > 0)
      As[tx] = v;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_else_elsewhere(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    else
      As[tx ^ 1] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_destination(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    As[(tx + k0 / 16) & 7] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_trip_count(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    for (int i = tx; i < min(16, K - k0); i += 4)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_first_only(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k0 == 0)
      As[tx] = A[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// The same guard in each iteration is harmless, and so is one with an else.
__global__ void good_subset(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx < 8) {
      As[tx] = A[k0 + tx];
      As[tx + 8] = A[k0 + tx + 8];
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_else(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    else
      As[tx] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_ternary(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_permuted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx ^ 1] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
