// A fill other than zero travels by registers, with its guard at the load.
// RUN: %shape %s %t CHECK --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : 1.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-NOT: __pipeline
// CHECK: if (k0 + tx < K) As_next = A[k0 + tx];
// CHECK: As[tx] = k0 + tx < K ? As_next : 1.0f;
