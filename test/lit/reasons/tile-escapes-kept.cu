// The compute phase must not hand the tile's address to anything that lives on.
// RUN: %refused %s %t tile-escapes
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_lambda(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:8: warning: {{.*}}[tile-escapes]
  auto get = [&](int i) { return As[i]; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += get(k);
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ float *kept;

__global__ void bad_global_variable(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:12: warning: {{.*}}[tile-escapes]
    kept = As;
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ float *other;
__device__ void keep(float *p) { other = p; }

__global__ void bad_callee_keeps(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[tile-escapes]
    keep(As);
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_lambda_in_phase(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    auto get = [&](int i) { return As[i]; };
    for (int k = 0; k < 16; ++k)
      acc += get(k);
    __syncthreads();
  }
  C[tx] = acc;
}
