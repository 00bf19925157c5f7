// Addresses that move on from tile to tile: a pointer for each copy of a thread, set once, instead of an index worked
// out for each tile.
// RUN: %shape %s %t RING --kernel=gemm --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t LDG --kernel=gemm --variant=ldg --form=predicate --issue=last --addresses=stepped
// RUN: %shape %s %t PEEL --kernel=gemm --variant=ldg --form=peel --addresses=stepped
// RUN: %shape %s %t ONE --kernel=gemm --variant=register-prefetch --form=peel --addresses=stepped
// RUN: %shape %s %t CONSTANT --kernel=gemm --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped --unroll=3
// RUN: %shape %s %t ASIS --kernel=gemm --variant=cp-async --form=ring --stages=3 --issue=last --addresses=indexed
// RUN: %shape %s %t ALONE --kernel=alone --variant=cp-async --form=predicate --addresses=stepped
// RUN: %shape %s %t TEMPORARY --kernel=temporary --variant=ldg --form=predicate --issue=last --addresses=stepped
// RUN: %shape %s %t THROUGH --kernel=through --variant=cp-async --form=peel --addresses=stepped
// RUN: %shape %s %t MIXED --kernel=mixed --variant=cp-async --form=peel --addresses=stepped
#include <cuda_runtime.h>

__global__ void gemm(
    const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[32][16];
  __shared__ float Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = 0; i < 32; i += 16) {
      const int r = ty + i;
      As[r][tx] = A[(row + i) * K + k0 + tx];
    }
    Bs[ty][tx] = B[N * (k0 + ty) + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += (As[ty][k] + As[ty + 16][k]) * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = acc;
}
// RING: int k0_next = 0;
// RING-NEXT: const float *As_from[(32 + 16 - 1) / 16];
// RING-NEXT: float *As_to[(32 + 16 - 1) / 16];
// RING-NEXT: const float *Bs_from;
// RING-NEXT: float *Bs_to;
// RING-NEXT: { // Where each copy reads next, and where it goes in slot 0.
// RING-NEXT: auto &As = As_slots[0];
// RING-NEXT: auto &Bs = Bs_slots[0];
// RING-NEXT: #pragma unroll
// RING-NEXT: for (int i = 0; i < 32; i += 16) {
// RING-NEXT: const int r = ty + i;
// RING-NEXT: As_from[i / 16] = &A[(row + i) * K + k0_next + tx];
// RING-NEXT: As_to[i / 16] = &As[r][tx];
// RING-NEXT: }
// RING-NEXT: Bs_from = &B[N * (k0_next + ty) + col];
// RING-NEXT: Bs_to = &Bs[ty][tx];
// RING-NEXT: }
// RING: if (k0_next < K) { // Prologue: the first tiles.
// RING-NEXT: #pragma unroll
// RING-NEXT: for (int i = 0; i < 32; i += 16) {
// RING-NEXT: __pipeline_memcpy_async(As_to[i / 16] + slot_filled * (sizeof(As_slots[0]) / sizeof(float)), As_from[i / 16], sizeof(float));
// RING-NEXT: As_from[i / 16] += 16;
// RING-NEXT: }
// RING-NEXT: __pipeline_memcpy_async(Bs_to + slot_filled * (sizeof(Bs_slots[0]) / sizeof(float)), Bs_from, sizeof(float));
// RING-NEXT: Bs_from += ptrdiff_t(16) * N;
// RING-NEXT: k0_next += 16;
// RING: if (K - k0 > 2 * 16) { // One more sets off.
// RING-NEXT: #pragma unroll
// RING-NEXT: for (int i = 0; i < 32; i += 16) {
// RING-NEXT: __pipeline_memcpy_async(As_to[i / 16] + fill *

// The store half depends on nothing that runs ahead: it needs no condition, but registers that hold something.
// LDG: float As_next[(32 + 16 - 1) / 16] = {};
// LDG-NEXT: float Bs_next = {};
// LDG-NEXT: if (k0_next < K) {
// LDG-NEXT: { // Prologue: the first tile.
// LDG-NEXT: #pragma unroll
// LDG-NEXT: for (int i = 0; i < 32; i += 16) {
// LDG-NEXT: *As_to[i / 16] = *As_from[i / 16];
// LDG-NEXT: As_from[i / 16] += 16;
// LDG: if (k0_next < K) { // The second tile sets off.
// LDG: As_next[i / 16] = *As_from[i / 16];
// LDG-NEXT: As_from[i / 16] += 16;
// LDG: Bs_next = *Bs_from;
// LDG-NEXT: Bs_from += ptrdiff_t(16) * N;
// LDG: { // Its registers fill the slot; behind the last tile nobody reads it.
// LDG: *(As_to[i / 16] + (slot ^ 1) * (sizeof(As_slots[0]) / sizeof(float))) = As_next[i / 16];
// LDG: *(Bs_to + (slot ^ 1) * (sizeof(Bs_slots[0]) / sizeof(float))) = Bs_next;
// LDG-NEXT: }
// LDG-NEXT: __syncthreads();
// LDG-NEXT: if (K - k0 > 2 * 16) { // One more sets off.

// PEEL: As_from[i / 16] = &A[(row + i) * K + k0 + tx];
// PEEL: for (k0 += 16; k0 < K; k0 += 16) {
// PEEL-NEXT: float As_next[(32 + 16 - 1) / 16];
// PEEL: As_next[i / 16] = *As_from[i / 16];
// PEEL: *(As_to[i / 16] + (slot ^ 1) *

// One slot has no places in others.
// ONE-NOT: As_to
// ONE: { // Where each copy reads next.
// ONE: As_from[i / 16] = &A[(row + i) * K + k0 + tx];
// ONE-NOT: As_to

// A slot that is a constant needs no pointer to its first place.
// CONSTANT-NOT: As_to
// CONSTANT: { // Where each copy reads next.
// CONSTANT-NEXT: #pragma unroll
// CONSTANT: __pipeline_memcpy_async(&As[r][tx], As_from[i / 16], sizeof(float));
// CONSTANT-NOT: As_to

// ASIS-NOT: As_from

// The whole body of a copy loop, without braces; the counter under a cast, and a step of one.
__global__ void alone(const float *__restrict__ A, float *__restrict__ C, int lda, int K) {
  __shared__ float As[4][32];
  float acc = 0;
  for (int t = 0; t < K; ++t) {
    for (int i = 0; i < 4; ++i)
      As[i][threadIdx.x] = A[size_t(t * 4 + i) * lda + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      acc += As[i][31 - threadIdx.x] * t;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// ALONE: As_from[i] = &A[size_t(t_next * 4 + i) * lda + threadIdx.x];
// ALONE: for (int i = 0; i < 4; ++i)
// ALONE-NEXT: {
// ALONE-NEXT: __pipeline_memcpy_async(As_to[i], As_from[i], sizeof(float));
// ALONE-NEXT: As_from[i] += ptrdiff_t(4) * lda;
// ALONE-NEXT: }

// What is stored is not what was loaded: the place is worked out, the address kept.
__global__ void temporary(const float4 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[4][33];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    const float4 v = A[k0 + tx];
    As[0][tx] = v.x;
    As[1][tx] = v.y;
    As[2][tx] = v.z;
    As[3][tx] = v.w;
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      acc += As[i][31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// TEMPORARY: const float4 *As_from;
// TEMPORARY-NOT: As_to
// TEMPORARY: v_next = *As_from;
// TEMPORARY-NEXT: As_from += 32;
// TEMPORARY: if (more) { // Its registers fill the slot.
// TEMPORARY: const float4 v = v_next;

// Through locals that are what they were set to.
__global__ void through(const float *__restrict__ A, float *__restrict__ C, int K, int step) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int t = 0; t < K; t += step) {
    const int k0 = t * 32;
    const int from = k0 + tx % 32;
    As[tx] = A[from];
    __syncthreads();
    acc += As[31 - tx] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}
// THROUGH: int t_next = t;
// THROUGH-NEXT: const float *As_from;
// THROUGH: const int k0 = t_next * 32;
// THROUGH-NEXT: const int from = k0 + tx % 32;
// THROUGH-NEXT: As_from = &A[from];
// THROUGH-NEXT: As_to = &As[tx];
// THROUGH: __pipeline_memcpy_async(As_to, As_from, sizeof(float));
// THROUGH-NEXT: As_from += ptrdiff_t(step) * 32;

// Pointers that the author moves on stay his.
__global__ void mixed(const float *__restrict__ A, const float *B, float *__restrict__ C, int K) {
  __shared__ float As[32];
  __shared__ float Bs[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[tx] = A[tx];
    const int from = k0 + tx;
    Bs[tx] = B[from];
    A += 32;
    __syncthreads();
    acc += As[31 - tx] * Bs[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// MIXED-NOT: As_from
// MIXED: const float *Bs_from;
// MIXED: __pipeline_memcpy_async(As_to, &A[tx], sizeof(float));
// MIXED: __pipeline_memcpy_async(Bs_to, Bs_from, sizeof(float));
// MIXED-NEXT: Bs_from += 32;
