// Two arms fill the same elements only if what they spell alike means the same: the bounds and conditions around a store, the variables
// in it and how wide it is.
// RUN: %refused %s %t partial-tile --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_condition(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      if (t < 64)
        tile[t] = A[k + t];
    } else {
      if (t < 32)
        tile[t] = A[k + t];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_bound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      for (int i = t; i < 64; i += 32)
        tile[i] = A[k + i];
    } else {
      for (int i = t; i < 32; i += 32)
        tile[i] = A[k + i];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_variable(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      const int c = t;
      tile[c] = A[k + t];
    } else {
      const int c = t ^ 1;
      tile[c & 62] = A[k + t];
      tile[c] = A[k + t];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_name(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      const int c = t;
      tile[c] = A[k + t];
    } else {
      const int c = t + 1;
      tile[c] = A[k + t];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_step(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
    int i = t;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      for (; i < 64; i += 16)
        tile[i] = A[k + i];
    } else {
      for (; i < 64; i += 32)
        tile[i] = A[k + i];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_width(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    if (k < 64) {
      using V = float4;
      *(V *)&tile[t & 60] = *(const V *)&A[k + (t & 60)];
    } else {
      using V = float2;
      *(V *)&tile[t & 60] = *(const V *)&A[k + (t & 60)];
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// The same by other names for the counter, and with declarations that say the same.
__global__ void good_arms(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
    if (k + 64 <= K) {
      const int row = t / 8, column = t % 8;
      tile[row * 8 + column] = A[k + t];
    } else {
      const int row = t / 8, column = t % 8;
      tile[row * 8 + column] = k + t < K ? A[k + t] : 0.0f;
    }
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void good_loops(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
    if (k + 64 <= K)
      for (int i = t; i < 64; i += 32)
        tile[i] = A[k + i];
    else
      for (int i = t; i < 64; i += 32)
        tile[i] = k + i < K ? A[k + i] : 0.0f;
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}
