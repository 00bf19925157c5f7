// The counter advances in the copy phase, and the compute phase reads what it has become.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  while (k0 < K) {
    As[tx] = A[k0 + tx];
    k0 += 16;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int k0_next = k0;
// CHECK: if (k0_next < K) {
// CHECK: As[tx] = A[k0_next + tx];
// CHECK-NEXT: k0_next += 16;
// CHECK: while (k0 < K) {
// CHECK: As_next = A[k0_next + tx];
// CHECK: acc += As[k] * k0;
