// The rounds of a copy loop are told by what its counter starts with and by its step, as these are spelled: their names must mean the same at
// the loop as where they were written, and the start must reach the counter as it is.
// RUN: %refused %s %t registers --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_hidden(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    int tid = 3;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}no compile-time constant{{.*}}[registers]
    while (e < 64) {
      s[e] = A[k0 + e + tid];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_step(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  const int N = 8;
  int S = N * 2;
  for (int k0 = 0; k0 < K; k0 += 16) {
    {
      const int N = 32;
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}no compile-time constant{{.*}}[registers]
      for (int e = tid; e < 64; e += S)
        s[e] = A[k0 + e + N];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_narrow(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}no compile-time constant{{.*}}[registers]
    for (unsigned char e = threadIdx.x + 256; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_cut(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  const size_t big = threadIdx.x + (size_t(1) << 32);
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}no compile-time constant{{.*}}[registers]
    for (unsigned e = big; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void good_seen(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  const int N = 8;
  int S = N * 2;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int e = tid; e < 64; e += S)
      s[e] = A[k0 + e + N];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void good_other_scope(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    {
      int tid = 3;
      acc += tid;
    }
    for (int e = tid; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void good_width(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int e = threadIdx.x; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
