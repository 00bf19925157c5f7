// Where a tile is written may depend on what changes without being worked out with it: it is chosen under a condition
// that changes, set by a loop that runs longer each time, or reached through a reference.
// RUN: %refused %s %t partial-tile --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_choice(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    int to = t;
    if (k & 32)
      to = t + 32;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    tile[to] = A[k + t];
    __syncthreads();
    acc += tile[31 - t] * (k + 1);
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_count(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    int to = t;
    for (int e = 0; e < k; e += 64)
      to = (to + 32) & 63;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    tile[to] = A[k + t];
    __syncthreads();
    acc += tile[31 - t] * (k + 1);
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[2][32];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    float(&half)[32] = tile[(k / 32) & 1];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    half[t] = A[k + t];
    __syncthreads();
    acc += tile[0][31 - t] * (k + 1);
    __syncthreads();
  }
  C[t] = acc;
}

// The condition stays as it is.
__global__ void good_choice(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    int to = t;
    if (K & 32)
      to = 31 - t;
    tile[to] = A[k + t];
    __syncthreads();
    acc += tile[31 - t] * (k + 1);
    __syncthreads();
  }
  C[t] = acc;
}

// Under the condition that changes, but nowhere else: what is declared there has one value wherever it is used.
__global__ void good_inside(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[32];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 32) {
    if (k + t < K) {
      const int to = 31 - t;
      tile[to] = A[k + t];
    } else {
      const int to = 31 - t;
      tile[to] = 0.0f;
    }
    __syncthreads();
    acc += tile[t];
    __syncthreads();
  }
  C[t] = acc;
}
