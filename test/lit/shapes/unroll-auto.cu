// Where `auto` unrolls: peeled ldg of a loop that holds many accumulators, and a ring of few copies that feeds a tensor core. It asks for three slots where
// less than an operation is done on a byte.
// RUN: %shape %s %t MANY --kernel=many --arch=sm_90
// RUN: %shape %s %t NONE --kernel=many --arch=sm_90 --unroll=0
// RUN: %shape %s %t NONE --kernel=few --arch=sm_90
// RUN: %shape %s %t NONE --kernel=either --arch=sm_90
// RUN: %shape %s %t NONE --kernel=told --arch=sm_90
// RUN: %shape %s %t DEEP --kernel=adds --arch=sm_90
// RUN: %shape %s %t TWO --kernel=adds --arch=sm_90 --stages=2
// RUN: %shape %s %t TWO --kernel=multiplies --arch=sm_90
#include <cuda_runtime.h>

// MANY: #pragma unroll 2
// MANY-NEXT: for (k0 += 8; k0 < K; k0 += 8) {
// NONE-NOT: #pragma unroll 2
// NONE: for (k0 += 8; k0 < K; k0 += 8) {

__global__ void __launch_bounds__(256) many(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[8][128];
  __shared__ float Bs[8][128];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = 0; i < 4; ++i) {
      As[(ty * 16 + tx) % 8][(ty * 16 + tx) / 8 + i * 32] = A[((ty * 16 + tx) / 8 + i * 32) * K + k0 + (ty * 16 + tx) % 8];
      Bs[(ty * 16 + tx) % 8][(ty * 16 + tx) / 8 + i * 32] = B[((ty * 16 + tx) / 8 + i * 32) * K + k0 + (ty * 16 + tx) % 8];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += As[k][ty * 8 + i] * Bs[k][tx * 8 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(ty * 8 + i) * 128 + tx * 8 + j] = acc[i][j];
}

__global__ void __launch_bounds__(256) few(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[8][32];
  __shared__ float Bs[8][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc[2][2] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    As[(ty * 16 + tx) % 8][(ty * 16 + tx) / 8] = A[(ty * 16 + tx) / 8 * K + k0 + (ty * 16 + tx) % 8];
    Bs[(ty * 16 + tx) % 8][(ty * 16 + tx) / 8] = B[(ty * 16 + tx) / 8 * K + k0 + (ty * 16 + tx) % 8];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          acc[i][j] += As[k][ty * 2 + i] * Bs[k][tx * 2 + j];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(ty * 2 + i) * 32 + tx * 2 + j] = acc[i][j];
}

// Instantiations that disagree have one text.
template <int N>
__global__ void __launch_bounds__(256) either(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  float acc[N][N] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    As[threadIdx.x] = A[k0 * 7 + threadIdx.x % 8];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          acc[i][j] += As[k * 2 + i] * As[k * 3 + j];
    __syncthreads();
  }
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      C[threadIdx.x * N * N + i * N + j] = acc[i][j];
}
template __global__ void either<8>(const float *__restrict__, float *__restrict__, int);
template __global__ void either<2>(const float *__restrict__, float *__restrict__, int);

// The author knows better.
__global__ void __launch_bounds__(256) told(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  float acc[8][8] = {};
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += 8) {
    As[threadIdx.x] = A[k0 * 7 + threadIdx.x % 8];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += As[k * 2 + i] * As[k * 3 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[threadIdx.x * 64 + i * 8 + j] = acc[i][j];
}

__global__ void __launch_bounds__(256) adds(const float4 *__restrict__ in, float4 *__restrict__ out, int rows) {
  __shared__ float4 row[256];
  const int x = threadIdx.x;
  for (int y = 0; y < rows; ++y) {
    row[x] = in[y * 256 + x];
    __syncthreads();
    float4 v = row[x];
    v.x += row[255 - x].y * v.x;
    out[y * 256 + x] = v;
    __syncthreads();
  }
}
// DEEP: float4 row_slots[3][256];
// TWO: float4 row_slots[2][256];

__global__ void __launch_bounds__(256) multiplies(const float4 *__restrict__ in, float4 *__restrict__ out, int rows) {
  __shared__ float4 row[256];
  const int x = threadIdx.x;
  for (int y = 0; y < rows; ++y) {
    row[x] = in[y * 256 + x];
    __syncthreads();
    float4 v = row[x];
    for (int i = 0; i < 16; ++i)
      v.x += row[255 - x].y * row[(x + i) % 256].x;
    out[y * 256 + x] = v;
    __syncthreads();
  }
}
