// Macros for a vector on both sides, as many SGEMM kernels have them.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

#define VECTOR(p) (reinterpret_cast<float4 *>(&(p))[0])
#define CONST_VECTOR(p) (reinterpret_cast<const float4 *>(&(p))[0])

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx < 4)
      VECTOR(As[tx * 4]) = CONST_VECTOR(A[k0 + tx * 4]);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: float4 As_next;
// CHECK: As_next = CONST_VECTOR(A[k0 + tx * 4]);
// CHECK: VECTOR(As[tx * 4]) = As_next;
