// Strided copies that count by `while`, by `do`, or with a counter beside the loop: as good as a `for` to both transports.
// RUN: %rewritten %s %t --variant=cp-async --arch=sm_80
// RUN: %rewritten %s %t --variant=ldg --arch=sm_80
// RUN: %shape %s %t CHECK --variant=ldg --form=peel --kernel=^good_while$
#include <cuda_runtime.h>

__global__ void __launch_bounds__(16) good_while(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_do(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    do {
      s[e] = A[k0 + e];
      e = e + 16;
    } while (e < 64);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_outside(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    for (; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_assigned(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e;
    for (e = tid; e < 64; e += 16)
      s[e] = A[k0 + e];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_last_statement(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int e = tid; e < 64;) {
      s[e] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_restarted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = 0;
    e = tid;
    const int unused = tid * 2;
    while (e < 64) {
      s[e] = A[k0 + e + unused % 2 * 16];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_braces(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    unsigned e{threadIdx.x};
    while (e < 64) {
      unsigned const column{e % 16}, row{e / 16};
      s[row * 16 + column] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_nested(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int row = 0;
    while (row < 4) {
      int e = tid;
      while (e < 16) {
        s[row * 16 + e] = A[k0 + row * 16 + e];
        e += 16;
      }
      ++row;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_unrolled(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    #pragma unroll
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

// CHECK: float s_next[(64 + 16 - 1) / 16];
// CHECK-NEXT: int e = tid;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: while (e < 64) {
// CHECK-NEXT: s_next[(e - tid) / 16] = A[k0 + e];
// CHECK-NEXT: e += 16;
// CHECK: int e = tid;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: while (e < 64) {
// CHECK-NEXT: s[e] = s_next[(e - tid) / 16];
// CHECK-NEXT: e += 16;
