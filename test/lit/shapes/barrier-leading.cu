// The barrier before the copy is the trailing barrier of the iteration before.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    __syncthreads();
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
  }
  C[tx] = acc;
}

// CHECK: if (k0 < K) {
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: {
// CHECK: As[tx] = A[k0 + tx];
// CHECK: __syncthreads();
// CHECK: for (k0 += 16;
// CHECK-NOT: __syncthreads();
// CHECK: As[tx] = As_next;
// CHECK: }
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: slot ^= 1;
