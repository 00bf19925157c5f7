// A tile that is named and not evaluated means what it meant: the first slot is as large as the tile.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>
#define BYTES sizeof(As)

__global__ void before(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16], Raw[sizeof(As) / sizeof(float)];
  static_assert(sizeof(As) + sizeof(As[0]) <= 68, "fits");
  int tx = threadIdx.x;
  Raw[tx] = 0;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * sizeof(As);
    __syncthreads();
  }
  C[tx] = acc * (tx < sizeof(As) ? Raw[tx] : decltype(As[0])(acc));
}
// CHECK-LABEL: void before(
// CHECK: __shared__ float As_slots[2][16], Raw[sizeof(As_slots[0]) / sizeof(float)];
// CHECK: static_assert(sizeof(As_slots[0]) + sizeof(As_slots[0][0]) <= 68, "fits");
// CHECK: C[tx] = acc * (tx < sizeof(As_slots[0]) ? Raw[tx] : decltype(As_slots[0][0])(acc));

__global__ void header(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += sizeof(As) / sizeof(As[0])) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void header(
// CHECK: __shared__ float As_slots[2][16];
// CHECK-NEXT: auto &As = As_slots[0];
// CHECK: k0_next += sizeof(As) / sizeof(As[0]);

__global__ void macro(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = BYTES;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void macro(
// CHECK: __shared__ float As_slots[2][16];
// CHECK-NEXT: auto &As = As_slots[0];

// What the copy loop's bound is made of is printed again, as the extent of an array.
__global__ void bound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[1024];
  int tx = threadIdx.x;
  float acc = 0;
  const int n = sizeof(As) / sizeof(float);
  for (int k0 = 0; k0 < K; k0 += 1024) {
    for (int i = tx; i < n; i += 256)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 1024; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK-LABEL: void bound(
// CHECK: __shared__ float As_slots[2][1024];
// CHECK-NEXT: auto &As = As_slots[0];

__global__ void stepped(const float *__restrict__ A, float *__restrict__ C, int K) {
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  while (k0 < K) {
    __shared__ float As[16];
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    k0 += sizeof(As) / sizeof(float);
  }
  C[tx] = acc;
}
// CHECK-LABEL: void stepped(
// CHECK: __shared__ float As_slots[2][16];
// CHECK-NEXT: auto &As = As_slots[0];
