// What was written before the loop is overwritten by every iteration only if what is spelled alike means the same.
// RUN: %refused %s %t tile-live-outside --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_bound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  {
    const int n = 64;
    for (int i = t; i < n; i += 32)
      tile[i] = 0.5f;
  }
  __syncthreads();
// CHECK: warning: {{.*}}[tile-live-outside]
  for (int k = 0; k < K; k += 64) {
    const int n = 32;
    for (int i = t; i < n; i += 32)
      tile[i] = A[k + i];
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_index(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  {
    const int at = t;
    tile[at] = 0.5f;
  }
  __syncthreads();
// CHECK: warning: {{.*}}[tile-live-outside]
  for (int k = 0; k < K; k += 64) {
    const int at = t / 2;
    tile[at] = A[k + t];
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void good_same(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  {
    const int n = 64;
    for (int j = t; j < n; j += 32) {
      const int at = j ^ 1;
      tile[at] = 0.5f;
    }
  }
  __syncthreads();
  for (int k = 0; k < K; k += 64) {
    const int n = 64;
    for (int j = t; j < n; j += 32) {
      const int at = j ^ 1;
      tile[at] = A[k + j];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}
