// Nothing can be fetched before its address, its guard and its bounds are known.
// RUN: %refused %s %t address-depends-on-compute
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_accumulator(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + (int)acc + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_guard(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = acc > 0 ? A[k0 + tx] : 0.0f;
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_index_from_tile(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int i = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[i + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    i = (int)As[0];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_shared_index(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ int order[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:21: warning: {{.*}}[address-depends-on-compute]
    As[tx] = A[k0 + order[tx]];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    order[tx] = (int)acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_shared_scale(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float scale[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:27: warning: {{.*}}[address-depends-on-compute]
    As[tx] = A[k0 + tx] * scale[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    scale[tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_conditional_bump(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[address-depends-on-compute]
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (acc > 3)
      A += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

// Steps that need nothing of the compute phase run ahead, wherever they stand.
__global__ void good_bump(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    A += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_uniform_bump(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (k0 & 16)
      A += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_linked_list(
    const float *__restrict__ A, float *__restrict__ C, int K, const int *__restrict__ next) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int i = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[i * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    i = next[i];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_value_of_compute(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  float scale = 1;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx] * scale;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    scale = acc;
    __syncthreads();
  }
  C[tx] = acc;
}
