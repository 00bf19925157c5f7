// Which register an element has is spelled where it is loaded and where it is stored: the names in that have to mean the same there as in
// the loop's header.
// RUN: %refused %s %t registers --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_start(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}is declared anew in it{{.*}}[registers]
    for (int e = tid; e < 64; e += 16) {
      int tid = 5;
      s[e] = A[k0 + e + tid];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_counter(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}is declared anew in it{{.*}}[registers]
    for (int e = 0; e < 64; e += 32) {
      const int row = e;
      for (int e = tid; e < 32; e += 16)
        s[row + e] = A[k0 + row + e];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_while(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}is declared anew in it{{.*}}[registers]
    while (e < 64) {
      int tid = 5;
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

__global__ void good_other_name(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int e = tid; e < 64; e += 16) {
      int ti = 5;
      s[e] = A[k0 + e + ti];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
