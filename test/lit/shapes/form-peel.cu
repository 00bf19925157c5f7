// Prologue, steady state, epilogue: the copy runs ahead by one tile, the compute phase stands twice, and no
// copy is issued for a tile that does not exist.
// RUN: %shape %s %t LDG --variant=ldg --form=peel
// RUN: %shape %s %t ASYNC --variant=cp-async --form=peel
// RUN: %shape %s %t ONE --variant=register-prefetch --form=peel
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

// LDG: __shared__ float As_slots[2][16][16];
// LDG-NEXT: __shared__ float Bs_slots[2][16][16];
// LDG: int slot = 0;
// LDG-NEXT: int k0 = 0;
// LDG-NEXT: if (k0 < K) {
// LDG-NEXT: { // Prologue: the first tile.
// LDG-NEXT: auto &As = As_slots[0];
// LDG-NEXT: auto &Bs = Bs_slots[0];
// LDG-NEXT: As[ty][tx] = A[row * K + k0 + tx];
// LDG-NEXT: Bs[ty][tx] = B[(k0 + ty) * N + col];
// LDG-NEXT: }
// LDG-NEXT: __syncthreads();
// LDG-NEXT: for (k0 += 16; k0 < K; k0 += 16) {
// LDG-NEXT: float As_next;
// LDG-NEXT: float Bs_next;
// LDG-NEXT: As_next = A[row * K + k0 + tx];
// LDG-NEXT: Bs_next = B[(k0 + ty) * N + col];
// LDG-NEXT: {
// LDG-NEXT: auto &As = As_slots[slot];
// LDG-NEXT: auto &Bs = Bs_slots[slot];
// LDG-NEXT: for (int k = 0; k < 16; ++k)
// LDG-NEXT: acc += As[ty][k] * Bs[k][tx];
// LDG-NEXT: }
// LDG-NEXT: {
// LDG-NEXT: auto &As = As_slots[slot ^ 1];
// LDG-NEXT: auto &Bs = Bs_slots[slot ^ 1];
// LDG-NEXT: As[ty][tx] = As_next;
// LDG-NEXT: Bs[ty][tx] = Bs_next;
// LDG-NEXT: }
// LDG-NEXT: __syncthreads();
// LDG-NEXT: slot ^= 1;
// LDG-NEXT: }
// LDG-NEXT: { // Epilogue: the last tile.
// LDG-NEXT: auto &As = As_slots[slot];
// LDG-NEXT: auto &Bs = Bs_slots[slot];
// LDG-NEXT: for (int k = 0; k < 16; ++k)
// LDG-NEXT: acc += As[ty][k] * Bs[k][tx];
// LDG-NEXT: }
// LDG-NEXT: }
// LDG-NEXT: C[row * N + col] = acc;
// ASYNC: {{^#include <cuda_pipeline}}
// ASYNC: { // Prologue
// ASYNC: __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float));
// ASYNC-NEXT: __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col], sizeof(float));
// ASYNC-NEXT: }
// ASYNC-NEXT: __pipeline_commit();
// ASYNC-NEXT: __pipeline_wait_prior(0);
// ASYNC-NEXT: __syncthreads();
// ASYNC-NEXT: for (k0 += 16; k0 < K; k0 += 16) {
// ASYNC: auto &As = As_slots[slot ^ 1];
// ASYNC: __pipeline_memcpy_async(&As[ty][tx]
// ASYNC: __pipeline_commit();
// ASYNC: auto &As = As_slots[slot];
// ASYNC: acc += As[ty][k] * Bs[k][tx];
// ASYNC: __pipeline_wait_prior(0);
// ASYNC-NEXT: __syncthreads();
// ASYNC-NEXT: slot ^= 1;
// ASYNC-NEXT: }
// ASYNC-NEXT: { // Epilogue
// ASYNC-NOT: __pipeline_memcpy_async
// ASYNC: acc += As[ty][k] * Bs[k][tx];
// ONE: __shared__ float As[16][16];
// ONE-NOT: slots
// ONE: As_next = A[row * K + k0 + tx];
// ONE: acc += As[ty][k] * Bs[k][tx];
// ONE: __syncthreads();
// ONE: As[ty][tx] = As_next;
// ONE: __syncthreads();
