// The copy has to be the first phase, in one piece, and must not look at the tile.
// RUN: %refused %s %t phase-order
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_consume_then_copy(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[phase-order]
    __syncthreads();
    As[tx] = A[k0 + tx];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_copy_reads_tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:27: warning: {{.*}}[phase-order]
    As[tx] = A[k0 + tx] + As[tx ^ 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_global_store(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[phase-order]
    C[k0 + tx] = 1;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_compound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[phase-order]
    As[tx] += A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Other arrays may be read and written between the two barriers.
__global__ void good_scratch(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float red[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    red[tx] = acc;
    __syncthreads();
    acc += red[tx ^ 1] + As[tx ^ 2];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_global_store_in_compute(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}
