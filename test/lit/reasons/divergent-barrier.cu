// Every thread of the block must pass every barrier of the loop.
// RUN: %refused %s %t divergent-barrier
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_guarded_barrier(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[divergent-barrier]
    if (tx < 8)
      __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_trip_count(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[divergent-barrier]
  for (int k0 = tx; k0 < K; k0 += 16) {
    As[tx] = A[k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_trip_count_from_memory(
    const float *__restrict__ A, float *__restrict__ C, int K, const int *__restrict__ count) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int n = count[tx];
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[divergent-barrier]
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_step(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int step = 16;
  if (tx == 3)
    step = 8;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[divergent-barrier]
  for (int k0 = 0; k0 < K; k0 += step) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ int lane() { return threadIdx.x; }

__global__ void bad_trip_count_from_helper(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int n = lane();
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[divergent-barrier]
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ void rows(int t, int &n) { n = t * 4; }

__global__ void bad_trip_count_by_reference(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int n = 0;
  rows(tx, n);
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[divergent-barrier]
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_inner_trip_count(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[divergent-barrier]
    for (int k = 0; k < tx; ++k) {
      acc += As[k];
      __syncthreads();
    }
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_ternary(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[divergent-barrier]
    tx < 4 ? __syncthreads() : (void)0;
  }
  C[tx] = acc;
}

__device__ void meet(int t) {
  if (t < 4)
    __syncthreads();
}

__global__ void bad_callee(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[divergent-barrier]
    meet(tx);
  }
  C[tx] = acc;
}

// A condition that is the same in the whole block, and threads that left before the loop, do no harm.
__global__ void good_uniform(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float red[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    if (K > 64) {
      red[tx] = acc;
      __syncthreads();
      acc += red[tx ^ 1];
    }
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_early_return(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  if (blockIdx.x * 16 + tx >= K)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_block_trip_count(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int n = K / (blockIdx.x + 1);
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
