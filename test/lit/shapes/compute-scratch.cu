// Another shared array that the compute phase writes and reads between its own barriers stays single.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ float red[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    red[tx] = acc;
    __syncthreads();
    acc += red[tx ^ 1] + As[tx ^ 2];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float red[16];
// CHECK: red[tx] = acc;
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: acc += red[tx ^ 1] + As[tx ^ 2];
