// if and else with zero are one zero-filling copy.
// RUN: %shape %s %t LDG --variant=ldg --form=peel
// RUN: %shape %s %t ASYNC --variant=cp-async --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    else
      As[tx] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// LDG: for (k0 += 16;
// LDG: if (k0 + tx < K)
// LDG-NEXT: As_next = A[k0 + tx];
// LDG: if (k0 + tx < K)
// LDG-NEXT: As[tx] = As_next;
// LDG-NEXT: else
// LDG-NEXT: As[tx] = 0;
// ASYNC-NOT: else
// ASYNC: __pipeline_memcpy_async(&As[tx], &A[k0 + tx], sizeof(float), (k0 + tx < K) ? 0 : sizeof(float));
