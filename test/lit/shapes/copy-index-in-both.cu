// An index of the copy phase that the compute phase reads keeps its value there.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int i = k0 + tx;
    As[tx] = A[i];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * i;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int i = k0_next + tx;
// CHECK: As[tx] = A[i];
// CHECK: As_next = A[i];
// CHECK: // ... while this one is computed.
// CHECK: int i = k0 + tx;
// CHECK: acc += As[k] * i;
