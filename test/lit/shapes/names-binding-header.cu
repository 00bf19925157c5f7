// The counter is a binding's name outside: the loop gets a scope of its own.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

struct Place {
  int k0, column;
};

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto [k0, column] = Place{2, 3};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc + k0 + column;
}

// CHECK: auto [k0, column]
// CHECK: {
// CHECK: int k0 = 0;
