// A guarded element keeps its guard: around the load, or as a zero fill.
// RUN: %shape %s %t LDG --variant=ldg --form=peel
// RUN: %shape %s %t ASYNC --variant=cp-async --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// LDG: As_next = k0 + tx < K ? A[k0 + tx] : 0.0f;
// LDG: As[tx] = As_next;
// LDG-NOT: ?
// ASYNC: __pipeline_memcpy_async(&As[tx], &A[k0 + tx], sizeof(float), (k0 + tx < K) ? 0 : sizeof(float));
