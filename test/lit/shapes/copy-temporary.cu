// Through a temporary, asynchronously without it.
// RUN: %shape %s %t LDG --variant=ldg --form=peel
// RUN: %shape %s %t ASYNC --variant=cp-async --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    float t = A[k0 + tx];
    As[tx] = t;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// LDG: t_next = A[k0 + tx];
// LDG: float t = t_next;
// LDG-NEXT: As[tx] = t;
// ASYNC-NOT: float t
// ASYNC: __pipeline_memcpy_async(&As[tx], &A[k0 + tx], sizeof(float));
