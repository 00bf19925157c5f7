// Which element a thread copies, by quotients and remainders of what its copies are numbered by: elements of different rounds are told apart where the
// rounds are a multiple of the divisor.
// RUN: %shape %s %t APART --kernel=apart --variant=cp-async
// RUN: %shape %s %t SAME --kernel=same
// RUN: %shape %s %t SAME --kernel=uneven
// RUN: %shape %s %t SAME --kernel=negative
// RUN: %shape %s %t SAME --kernel=remainder
#include <cuda_runtime.h>

// APART: __pipeline_memcpy_async(&s[
// SAME-NOT: __pipeline_memcpy_async
// SAME: s_next

__global__ void __launch_bounds__(256) apart(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float4 s[4][130];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 512) {
    for (int i = 0; i < 2; ++i)
      s[threadIdx.x % 4][(i * 256 + threadIdx.x) / 4] = A[k0 + i * 256 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      acc += s[j % 4][j].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// Both rounds fill the same elements.
__global__ void __launch_bounds__(256) same(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float4 s[512];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 512) {
    for (int i = 0; i < 2; ++i)
      s[(i * 256 + threadIdx.x) / 512 * 256 + threadIdx.x] = A[k0 + i * 256 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      acc += s[j].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// A round of 254 elements: some rows are filled in both.
__global__ void __launch_bounds__(256) uneven(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float4 s[4][260];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 512) {
    for (int i = 0; i < 2; ++i)
      s[threadIdx.x % 4][(i * 2 + threadIdx.x) / 4] = A[k0 + i * 254 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 60; ++j)
      acc += s[j % 4][j].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// Division rounds towards zero.
__global__ void __launch_bounds__(256) negative(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float4 s[4][260];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 512) {
    for (int i = 0; i < 2; ++i)
      s[tx % 4][(i * 4 + tx - 258) / 4 + 64] = A[k0 + i * 256 + tx];
    __syncthreads();
    for (int j = 0; j < 60; ++j)
      acc += s[j % 4][j].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// The remainder forgets the round.
__global__ void __launch_bounds__(256) remainder(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float4 s[256];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 512) {
    for (int i = 0; i < 2; ++i)
      s[(i * 256 + threadIdx.x) % 256] = A[k0 + i * 256 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      acc += s[j].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
