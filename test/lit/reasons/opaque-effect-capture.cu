// A lambda may declare what it captures by reference, and change through it what the copy needs.
// RUN: %refused %s %t opaque-effect
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_called(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int o = 0;
  auto step = [&r = o] { r += 16; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[o + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    step();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_made(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int j = k0 + tx;
// CHECK: [[#@LINE+1]]:15: warning: {{.*}}[opaque-effect]
    auto at = [&o = j] { return o; };
    As[tx] = A[at()];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_captured(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int j = k0 + tx;
    auto at = [j] { return j; };
    As[tx] = A[at()];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_declared(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto scale = [s = 2 * K](float x) { return x * s; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto at = [o = k0 + tx] { return o; };
    As[tx] = A[at()];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += scale(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}
