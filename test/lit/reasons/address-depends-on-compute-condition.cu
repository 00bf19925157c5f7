// A variable that a condition declares is computed each time the condition is.
// RUN: %refused %s %t address-depends-on-compute
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_while(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int o = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[o + tx];
    __syncthreads();
    int once = 1;
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    while (int q = once ? (o += 16) : 0) {
      once = 0;
      acc += As[q & 15];
    }
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_for(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int o = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[o + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    for (int once = 1; int q = once && (o += 16); --once)
      acc += As[q];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_while(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    int left = 15;
    while (int q = left--)
      acc += As[q];
    __syncthreads();
  }
  C[tx] = acc;
}
