// A binding that is advanced is seen, whatever it is bound to.
// RUN: %refused %s %t loop-form
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

struct Place {
  int row, column;
};

__global__ void bad_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto [row, column] = Place{tx, 0};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[row + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    column += 16;
  }
  C[tx] = acc;
}
// CHECK: '[row, column]' advances the copy, {{.*}}[loop-form]

__global__ void bad_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  Place p{tx, 0};
  auto &[row, column] = p;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[row + p.column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    column += 16;
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: 'p' advances the copy, {{.*}}[loop-form]

__global__ void bad_array(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int at[2] = {tx, 0};
  auto &[row, column] = at;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[at[0] + at[1]];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    column += 16;
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: 'at' advances the copy, {{.*}}[loop-form]

__global__ void bad_captured(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int at[2] = {tx, 0};
  auto &[row, column] = at;
  auto step = [&at] { at[1] += 16; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[row + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    step();
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: 'at' advances the copy, {{.*}}[loop-form]

__global__ void good_accumulator(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float sums[2] = {};
  auto &[even, odd] = sums;
  auto [row, column] = Place{tx, 0};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[row + column + k0];
    __syncthreads();
    for (int k = 0; k < 16; k += 2) {
      even += As[k];
      odd += As[k + 1];
    }
    __syncthreads();
  }
  C[tx] = sums[0] + odd;
}
