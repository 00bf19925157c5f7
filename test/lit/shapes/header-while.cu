// A while loop whose counter advances at the end of the body: the step runs ahead with the copy.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  while (k0 < K) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    k0 += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int k0 = 0;
// CHECK: if (k0 < K) {
// CHECK: As[tx] = A[k0 + tx];
// CHECK: }
// CHECK-NEXT: k0 += 16;
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: while (k0 < K) {
// CHECK: As_next = A[k0 + tx];
// CHECK: As[tx] = As_next;
// CHECK: }
// CHECK-NEXT: k0 += 16;
// CHECK-NEXT: __syncthreads();
