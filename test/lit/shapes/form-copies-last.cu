// Copies that set off behind the compute phase. Registers then carry a tile from one iteration to the next.
// RUN: %shape %s %t RING --variant=cp-async --form=ring --stages=3 --issue=last
// RUN: %shape %s %t LDG --variant=ldg --form=predicate --issue=last
// RUN: %shape %s %t ONE --variant=register-prefetch --form=predicate --issue=last
// Where it cannot be, it is not: two slots of a ring need the copy before.
// RUN: %shape %s %t FIRST --variant=cp-async --form=ring --stages=2 --issue=last
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

// RING: for (int k0 = 0; k0 < K; k0 += 16) {
// RING-NEXT: __pipeline_wait_prior(1);
// RING-NEXT: __syncthreads();
// RING-NEXT: { // Computed while later tiles are on their way.
// RING: acc += As[ty][k] * Bs[k][tx];
// RING: if (k0_next < K) { // One more sets off.
// RING-NEXT: auto &As = As_slots[fill];
// RING: k0_next += 16;
// RING-NEXT: }
// RING-NEXT: __pipeline_commit();
// RING-NEXT: slot = slot + 1 == 3 ? 0 : slot + 1;

// The second tile's loads do not wait for the barrier behind the first one's stores.
// LDG: float As_next;
// LDG-NEXT: float Bs_next;
// LDG-NEXT: bool more = false;
// LDG-NEXT: if (k0_next < K) {
// LDG-NEXT: { // Prologue: the first tile.
// LDG: k0_next += 16;
// LDG-NEXT: more = k0_next < K;
// LDG-NEXT: if (more) { // The second tile sets off.
// LDG: As_next = A[row * K + k0_next + tx];
// LDG: __syncthreads();
// LDG-NEXT: }
// LDG: for (int k0 = 0; k0 < K; k0 += 16) {
// LDG-NEXT: { // Computed while the next tile is on its way.
// LDG: acc += As[ty][k] * Bs[k][tx];
// LDG: if (more) { // Its registers fill the slot.
// LDG: As[ty][tx] = As_next;
// LDG: k0_next += 16;
// LDG-NEXT: }
// LDG-NEXT: __syncthreads();
// LDG-NEXT: more = k0_next < K;
// LDG-NEXT: if (more) { // One more sets off.
// LDG: slot ^= 1;

// ONE: acc += As[ty][k] * Bs[k][tx];
// ONE: __syncthreads();
// ONE-NEXT: if (more) { // Its registers fill the slot.
// ONE: __syncthreads();
// ONE-NEXT: more = k0_next < K;

// FIRST: if (k0_next < K) { // The next tile sets off ...
// FIRST: { // ... while this one is computed.
