// References to either side of the copy, and a type name of the body's own.
// RUN: %shape %s %t CHECK --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    using Value = float;
    const Value &from = A[k0 + tx];
    Value &to = As[tx];
    to = from;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: // Prologue
// CHECK: using Value = float;
// CHECK: Value &to = As[tx];
// CHECK: // Epilogue
