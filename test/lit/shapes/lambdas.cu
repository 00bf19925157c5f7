// Lambdas that read: in the copy phase and in the compute phase, by reference and by value, made before the loop and in it.
// RUN: %rewritten %s %t --variant=ldg --form=peel
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --variant=ldg --form=peel %s 2>/dev/null | FileCheck %s
#include <cuda_runtime.h>

__global__ void good_load_by_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto at = [&](int k) { return A[k + tx]; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = at(k0) * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_load_by_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto at = [=](int k) { return k < K ? A[k + tx] : 0.0f; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = at(k0);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// What the copy alone reads needs no clone.
__global__ void good_counter_by_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, k0 = 0;
  float acc = 0;
  auto at = [&](int i) { return A[i + k0]; };
  for (; k0 < K; k0 += 16) {
    As[tx] = at(tx);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void good_made_in_loop
// CHECK: auto at = [&](int i) { return A[i + k0_next]; };
// CHECK: auto weight = [k0](float x) { return x * (k0 + 1); };
__global__ void good_made_in_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto at = [&](int i) { return A[i + k0]; };
    As[tx] = at(tx);
    __syncthreads();
    auto weight = [k0](float x) { return x * (k0 + 1); };
    for (int k = 0; k < 16; ++k)
      acc += weight(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void good_capture_list
// CHECK: auto at = [A, k0_next](int i) { return A[i + k0_next]; };
__global__ void good_capture_list(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto at = [A, k0](int i) { return A[i + k0]; };
    As[tx] = at(tx);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_at_once(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = [&] { return tx + k0 < K ? A[tx + k0] : 0.0f; }();
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}

// The compute phase may change what it owns.
__global__ void good_accumulates(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto add = [&](float x) { acc += x; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      add(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}

// A lambda in the loop takes the slot by reference as it took the tile.
__global__ void good_tile_in_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    auto of = [&](int k) { return As[k]; };
    for (int k = 0; k < 16; ++k)
      acc += of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

template <typename F> static __device__ __forceinline__ float apply(F f, float x) { return f(x); }

__global__ void good_passed_on(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  float s = K * 0.5f;
  auto scale = [&](float x) { return x * s; };
  auto twice = [&](float x) { return scale(scale(x)); };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = apply(scale, A[tx + k0]);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += apply(twice, As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}
