// Two bytes are too few for an asynchronous copy; the loop is still pipelined.
// RUN: %shape %s %t CHECK --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const short *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ short As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: short As_next;
// CHECK: As_next = A[k0 + tx];
