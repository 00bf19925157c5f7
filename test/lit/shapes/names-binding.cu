// A structured binding is part of a variable without a name: its declaration goes where it is needed.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

struct Place {
  int row, column;
};

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int row = 7, column = 9;
  for (int k0 = 0; k0 < K; k0 += 16) {
    const auto [row, column] = Place{k0, tx};
    As[tx] = A[row + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * row;
    __syncthreads();
  }
  C[tx] = acc + row + column;
}

// CHECK:      int row = 7, column = 9;
// CHECK:      int k0_next = 0;
// CHECK:      if (k0_next < K) {
// CHECK:      const auto [row, column] = Place{k0_next, tx};
// CHECK-NEXT: As[tx] = A[row + column];
// CHECK:      for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK:      const auto [row, column] = Place{k0_next, tx};
// CHECK:      { // ... while this one is computed.
// CHECK:      const auto [row, column] = Place{k0, tx};

struct Pair {
  float a, b;
};

__global__ void loads(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[16], Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto [a, b] = Pair{A[k0 + tx], B[k0 + tx]};
    As[tx] = a;
    Bs[tx] = b;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK:      float a_b_next
// CHECK:      auto [a, b] = Pair{a_b_next, a_b_next1};
// CHECK-NEXT: As[tx] = a;

// A reference to a temporary is a value like others.
__global__ void temporary(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[16], Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto &&[a, b] = Pair{A[k0 + tx], B[k0 + tx]};
    As[tx] = a;
    Bs[tx] = b;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void temporary(
// CHECK:       auto &&[a, b] = Pair{A[k0_next + tx], B[k0_next + tx]};
// CHECK:       auto &&[a, b] = Pair{a_b_next, a_b_next1};
