// Copy loops that look a step ahead, and indices of a type that the template leaves open.
// RUN: %rewritten %s %t --variant=ldg
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --variant=ldg %s 2>/dev/null | FileCheck %s
#include <cuda_runtime.h>

constexpr int Rows = 64, Step = 16;

// CHECK-LABEL: void good_ahead
// CHECK: float As_next[(((Rows) - (Step)) + 1 + Step - 1) / Step];
__global__ void good_ahead(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Rows];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (unsigned i = 0; i + Step <= Rows; i += Step)
      As[i + tx] = A[k0 * 4 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < Rows; ++k)
      acc += As[k] * tx;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_ahead_below(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Rows];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; Step - 1 + i < Rows; i += Step)
      As[i + tx] = A[k0 * 4 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < Rows; ++k)
      acc += As[k] * tx;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void good_open_index
// CHECK: float As_next;
template <typename Index>
__global__ void good_open_index(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (Index k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}
template __global__ void good_open_index<int>(const float *, float *, int);
template __global__ void good_open_index<size_t>(const float *, float *, int);
