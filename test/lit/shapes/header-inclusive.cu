// An inclusive bound, and two variables that advance together; the compute phase reads one of them.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int a = 0, b = 32; a <= K - 1; a += 16, b += 2) {
    As[tx] = A[a + tx] + A[b];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * b;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int a = 0, b = 32;
// CHECK: int b_next = b;
// CHECK: if (a <= K - 1) {
// CHECK: A[a + tx] + A[b_next];
// CHECK: for (a += 16, b_next += 2; a <= K - 1; a += 16, b_next += 2) {
// CHECK: acc += As[k] * b;
// CHECK: b += 2;
// CHECK: acc += As[k] * b;
