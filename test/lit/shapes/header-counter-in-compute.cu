// The compute phase reads the counter, so that the copy gets one of its own, a tile ahead.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * (k0 + k);
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: int k0 = 0;
// CHECK-NEXT: int k0_next = k0;
// CHECK-NEXT: if (k0_next < K) {
// CHECK: As[tx] = A[k0_next + tx];
// CHECK: for (k0_next += 16; k0_next < K; k0_next += 16) {
// CHECK: As_next = A[k0_next + tx];
// CHECK: acc += As[k] * (k0 + k);
// CHECK: k0 += 16;
// CHECK: // Epilogue
// CHECK: acc += As[k] * (k0 + k);
