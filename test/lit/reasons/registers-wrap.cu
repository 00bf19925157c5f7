// A copy loop whose counter wraps is no counted loop: no element of an array of registers belongs to a round of it.
// RUN: %refused %s %t registers --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_explicit(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; i < 256; i = (signed char)(i + 64))
      As[(i + tx) & 255] = A[k0 + ((i + tx) & 255)] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_operand(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; i < 256; i = (unsigned char)i + 64)
      As[(i + tx) & 255] = A[k0 + ((i + tx) & 255)] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_narrow(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (unsigned char i = 0; i < 250; i += 100)
      As[(i + tx) & 255] = A[k0 + ((i + tx) & 255)] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_condition(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; (signed char)i < 100; i += 90)
      As[(i + tx) & 255] = A[k0 + ((i + tx) & 255)] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

static __device__ __forceinline__ int advance(int &i) { return i += 64; }

__global__ void bad_by_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; i < 256; i += 64) {
      As[(i + tx) & 255] = A[k0 + ((i + tx) & 255)] * 2;
      advance(i);
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// The near misses: casts that hold every value, and narrow counters that stop in time.
__global__ void good_wide(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    for (int i = 0; i < 256; i = (int)((long)i + 64))
      As[i + tx] = A[k0 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_narrow(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    for (unsigned char i = 0; i < 150; i += 100)
      As[i + tx] = A[k0 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
