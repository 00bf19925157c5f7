// Wait, barrier, issue, compute: one barrier an iteration, at the head, and a commit also when nothing is issued.
// RUN: %shape %s %t CHECK --variant=cp-async --form=ring
#include <cuda_runtime.h>

__global__ void gemm(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// CHECK: int k0_next = 0;
// CHECK-NEXT: if (k0_next < K) {
// CHECK: __pipeline_memcpy_async(&As[ty][tx]
// CHECK: }
// CHECK-NEXT: __pipeline_commit();
// CHECK-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK-NEXT: __pipeline_wait_prior(0);
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: if (k0_next < K) {
// CHECK: auto &As = As_slots[slot ^ 1];
// CHECK: }
// CHECK-NEXT: __pipeline_commit();
// CHECK: auto &As = As_slots[slot];
// CHECK: acc += As[ty][k] * Bs[k][tx];
// CHECK: slot ^= 1;
// CHECK-NEXT: }
// CHECK-NOT: acc +=
