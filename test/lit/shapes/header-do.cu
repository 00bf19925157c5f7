// A do loop copies its first tile without a test, and tests before each further one.
// RUN: %shape %s %t CHECK --variant=ldg
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  do {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
    k0 += 16;
  } while (k0 < K);
  C[tx] = acc;
}

// CHECK: int k0 = 0;
// CHECK-NOT: if (
// CHECK: As[tx] = A[k0 + tx];
// CHECK: k0 += 16;
// CHECK: __syncthreads();
// CHECK-NEXT: while (k0 < K) {
// CHECK: As_next = A[k0 + tx];
// CHECK: // Epilogue
