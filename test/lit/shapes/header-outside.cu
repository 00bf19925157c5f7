// The counter lives outside the loop and is read after it: it ends where it ended before.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
// RUN: %shape %s %t PEEL --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0;
  for (k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc + k0;
}

// CHECK: int k0;
// CHECK: k0 = 0;
// CHECK-NEXT: int k0_next = k0;
// CHECK-NEXT: if (k0_next < K) {
// CHECK: for (; k0 < K; k0 += 16) {
// CHECK: C[tx] = acc + k0;
// PEEL: for (k0 += 16; k0 < K; k0 += 16) {
// PEEL: C[tx] = acc + k0;
