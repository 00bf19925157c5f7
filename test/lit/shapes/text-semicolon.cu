// The semicolon belongs to the statement, whatever stands before it.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx /* , */] = A[k0 // row ;
        + tx] /* x */ ; // done
    __syncthreads() /* wait */ ;
    for (int k = 0; k < 16; ++k)
      acc += As[k] /* before ; */ ;
    acc += 1 // one
    ;
    __syncthreads() // wait
    ;
  }
  C[tx] = acc;
}

// CHECK: acc += As[k] /* before ; */ ;
// CHECK: acc += 1 // one
// CHECK-NEXT: ;
