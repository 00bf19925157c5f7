// Two tiles, two transports: what does not qualify travels by registers beside the other.
// RUN: %shape %s %t CHECK --variant=cp-async --form=peel
#include <cuda_runtime.h>

__global__ void kernel(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16];
  __shared__ float Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    Bs[tx] = B[k0 + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: for (k0 += 16; k0 < K; k0 += 16) {
// CHECK: float Bs_next;
// CHECK: __pipeline_memcpy_async(&As[tx], &A[k0 + tx], sizeof(float));
// CHECK: Bs_next = B[k0 + tx];
// CHECK: __pipeline_commit();
// CHECK: acc += As[k] * Bs[k];
// CHECK: Bs[tx] = Bs_next * 2;
// CHECK: __pipeline_wait_prior(0);
// CHECK-NEXT: __syncthreads();
