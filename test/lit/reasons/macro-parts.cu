// A header or a brace that a macro spells cannot be taken apart either.
// RUN: %refused %s %t macro
#include <cuda_runtime.h>

#define HEADER int k0 = 0; k0 < K; k0 += 16

__global__ void bad_header_parts(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[macro]
  for (HEADER) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

#define BEGIN {
#define END }

__global__ void bad_braces(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[macro]
  for (int k0 = 0; k0 < K; k0 += 16) BEGIN
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  END
  C[tx] = acc;
}
