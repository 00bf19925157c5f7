// The copy stands under the condition of the next tile, the compute phase once.
// RUN: %shape %s %t LDG --variant=ldg --form=predicate
// RUN: %shape %s %t ASYNC --variant=cp-async --form=predicate
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

// LDG: int k0_next = 0;
// LDG-NEXT: if (k0_next < K) {
// LDG: As[ty][tx] = A[row * K + k0_next + tx];
// LDG: k0_next += 16;
// LDG-NEXT: __syncthreads();
// LDG-NEXT: }
// LDG-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {
// LDG-NEXT: const bool more = k0_next < K;
// LDG: if (more) {
// LDG-NEXT: As_next = A[row * K + k0_next + tx];
// LDG: acc += As[ty][k] * Bs[k][tx];
// LDG: if (more) {
// LDG: As[ty][tx] = As_next;
// LDG: k0_next += 16;
// LDG-NEXT: }
// LDG-NEXT: __syncthreads();
// LDG-NEXT: slot ^= 1;
// LDG-NEXT: }
// LDG-NOT: acc +=
// ASYNC: for (int k0 = 0; k0 < K; k0 += 16) {
// ASYNC: if (k0_next < K) {
// ASYNC: __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0_next + tx], sizeof(float));
// ASYNC: __pipeline_commit();
// ASYNC: acc += As[ty][k] * Bs[k][tx];
// ASYNC: __pipeline_wait_prior(0);
// ASYNC-NEXT: __syncthreads();
