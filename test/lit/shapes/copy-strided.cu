// A strided inner loop: a register for each element, the loop unrolled, since registers have no addresses.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tx; i < 64; i += 16)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: float As_next[(64 + 16 - 1) / 16];
// CHECK: #pragma unroll
// CHECK-NEXT: for (int i = tx; i < 64; i += 16)
// CHECK-NEXT: As_next[(i - tx) / 16] = A[k0 + i];
// CHECK: #pragma unroll
// CHECK-NEXT: for (int i = tx; i < 64; i += 16)
// CHECK-NEXT: As[i] = As_next[(i - tx) / 16];
