// A pointer of the copy loop's own moves on inside it.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    const float *p = A + k0 + tx;
    for (int i = 0; i < 2; ++i) {
      As[i * 16 + tx] = *p;
      p += 16;
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: // Prologue
// CHECK: As[i * 16 + tx] = *p;
// CHECK-NEXT: p += 16;
// CHECK: As_next[i] = *p;
// CHECK-NEXT: p += 16;
