// A pragma stays with its loop, in each of the ways to write one.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>
#define UNROLL _Pragma("unroll")
#define TEXT(x) _Pragma(#x)
#define UNROLL_BY(n) TEXT(unroll n)

__global__ void directive(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
#pragma unroll 1
  // the tiles

  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void directive(
// CHECK: int slot = 0;
// CHECK: #pragma unroll 1
// CHECK-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {

__global__ void operation(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  _Pragma("unroll 1")
  for (int k0 = 0; k0 < K; k0 += 64) {
    // fill
    _Pragma("unroll 2") // two
    for (int i = 0; i < 64; i += 16)
      As[tx + i] = A[k0 + tx + i];
    __syncthreads();
    UNROLL
    for (int k = 0; k < 64; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void operation(
// CHECK: int slot = 0;
// CHECK: _Pragma("unroll 2") // two
// CHECK-NEXT: for (int i = 0; i < 64; i += 16)
// CHECK: _Pragma("unroll 1")
// CHECK-NEXT: for (int k0 = 0; k0 < K; k0 += 64) {
// CHECK: UNROLL
// CHECK-NEXT: for (int k = 0; k < 64; ++k)
// CHECK: // Its registers fill the slot.
// CHECK: _Pragma("unroll 2")
// CHECK-NEXT: for (int i = 0; i < 64; i += 16)

__global__ void macros(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  UNROLL_BY(1) for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void macros(
// CHECK: int slot = 0;
// CHECK: UNROLL_BY(1)
// CHECK-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {
