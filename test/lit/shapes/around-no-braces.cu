// A loop without a block of its own gets one.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  if (K > 3)
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 16; ++k)
        acc += As[k];
      __syncthreads();
    }
  C[tx] = acc;
}

// CHECK: if (K > 3)
// CHECK: {
// CHECK: int slot = 0;
// CHECK: // Epilogue
// CHECK: }
// CHECK: C[tx] = acc;
