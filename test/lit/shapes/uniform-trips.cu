// Bounds that differ between threads by the same amount at both ends: every thread runs the loop equally often.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
#include <cuda_runtime.h>

// CHECK: :[[@LINE+5]]:3: remark: pipelined: ldg
__global__ void forward(const float *__restrict__ A, float *__restrict__ C, int T, int stride) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  float acc = 0;
  for (int t = blockIdx.x * T * stride + i; t < (blockIdx.x + 1) * T * stride + i; t += stride) {
    __syncthreads();
    tile[i] = A[t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += tile[k] * (k + 1);
    C[t] = acc;
  }
}

// CHECK: :[[@LINE+7]]:3: remark: pipelined: ldg
__global__ void backward(const float *__restrict__ A, float *__restrict__ C, int T, int stride) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  const int first = blockIdx.x * T * stride + i;
  const int last = first + (T - 1) * stride;
  float acc = 0;
  for (int t = last; t >= first; t -= stride) {
    __syncthreads();
    tile[i] = A[t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += tile[k] * (k + 1);
    C[t] = acc;
  }
}

// The bound may be declared beside the counter.
// CHECK: :[[@LINE+5]]:3: remark: pipelined: ldg
__global__ void both(const float *__restrict__ A, float *__restrict__ C, int T, int stride) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  float acc = 0;
  for (int t = (blockIdx.x + 1) * T * stride + i - stride, last = blockIdx.x * T * stride + i; t >= last; t -= stride) {
    __syncthreads();
    tile[i] = A[t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += tile[k] * (k + 1);
    C[t] = acc;
  }
}

// ... but not move.
// CHECK: :[[@LINE+5]]:3: warning: {{.*}}the trip count differs between threads{{.*}}[divergent-barrier]
__global__ void moves(const float *__restrict__ A, float *__restrict__ C, int T, int stride) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  float acc = 0;
  for (int t = blockIdx.x * T + i, last = (blockIdx.x + 1) * T + i; t < last; t += stride, last -= i) {
    __syncthreads();
    tile[i] = A[t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += tile[k] * (k + 1);
    C[t] = acc;
  }
}

// The near miss: only the end depends on the thread.
// CHECK: :[[@LINE+5]]:3: warning: {{.*}}the trip count differs between threads{{.*}}[divergent-barrier]
__global__ void ragged(const float *__restrict__ A, float *__restrict__ C, int T, int stride) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  float acc = 0;
  for (int t = blockIdx.x * T * stride; t < (blockIdx.x + 1) * T * stride + i; t += stride) {
    __syncthreads();
    tile[i] = A[t];
    __syncthreads();
    acc += tile[31 - i];
  }
  C[i] = acc;
}
