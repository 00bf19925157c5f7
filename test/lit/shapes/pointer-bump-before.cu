// The pointer moves on in the copy phase.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  const float *a = A + tx;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = *a;
    a += 16;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: As[tx] = *a;
// CHECK-NEXT: a += 16;
// CHECK: As_next = *a;
// CHECK-NEXT: a += 16;
// CHECK: // Epilogue
// CHECK-NOT: a += 16;
