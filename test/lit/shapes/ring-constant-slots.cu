// A ring unrolled by its slots: in each copy of the body the slot is a constant.
// RUN: %shape %s %t THREE --kernel=gemm --variant=cp-async --form=ring --stages=3 --unroll=3
// RUN: %shape %s %t TWO --kernel=gemm --variant=cp-async --form=ring --stages=2 --unroll=2 --issue=first
// RUN: %shape %s %t LAST --kernel=gemm --variant=cp-async --form=ring --stages=4 --issue=last --unroll=4
// RUN: %shape %s %t WHILE --kernel=during --variant=cp-async --form=ring --stages=3 --unroll=3
// Another count leaves the choice of the copies to the compiler, and so does what the author asks of it.
// RUN: %shape %s %t OTHER --kernel=gemm --variant=cp-async --form=ring --stages=3 --unroll=2
// RUN: %shape %s %t PRAGMA --kernel=once --variant=cp-async --form=ring --stages=3 --unroll=3
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
// THREE-NOT: int slot =
// THREE: for (int k0 = 0; k0 < K;) {
// THREE-NEXT: #pragma unroll
// THREE-NEXT: for (int slot = 0; slot < 3; ++slot) { // Slots are constants.
// THREE-NEXT: const int fill = (slot + 2) % 3;
// THREE-NEXT: __pipeline_wait_prior(1);
// THREE-NEXT: __syncthreads();
// THREE-NEXT: if (k0_next < K) { // The next tile sets off ...
// THREE-NEXT: auto &As = As_slots[fill];
// THREE: { // ... while this one is computed.
// THREE-NEXT: auto &As = As_slots[slot];
// THREE: }
// THREE-NEXT: k0 += 16;
// THREE-NEXT: if (!(k0 < K))
// THREE-NEXT: break;
// THREE-NEXT: }
// THREE-NEXT: }
// THREE-NEXT: C[row * N + col] = acc;

// TWO: for (int slot = 0; slot < 2; ++slot) { // Slots are constants.
// TWO-NEXT: __pipeline_wait_prior(0);
// TWO: auto &As = As_slots[slot ^ 1];

// LAST: const int fill = (slot + 3) % 4;
// LAST: __pipeline_wait_prior(2);
// LAST: { // Computed while later tiles are on their way.
// LAST: if (k0_next < K) { // One more sets off.
// LAST: __pipeline_commit();
// LAST-NEXT: k0 += 16;

// OTHER: int slot = 0;
// OTHER: #pragma unroll 2
// OTHER-NEXT: for (int k0 = 0; k0 < K; k0 += 16) {

__global__ void during(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
  while (k0 < K) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
    k0 += 32;
  }
  C[tx] = acc + k0;
}
// WHILE: while (k0 < K) {
// WHILE-NEXT: #pragma unroll
// WHILE-NEXT: for (int slot = 0; slot < 3; ++slot) { // Slots are constants.
// WHILE: k0 += 32;
// WHILE-NEXT: }
// WHILE-NEXT: if (!(k0 < K))
// WHILE-NEXT: break;

__global__ void once(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// PRAGMA: int slot = 0;
// PRAGMA: #pragma unroll 1
// PRAGMA-NEXT: for (int k0 = 0; k0 < K; k0 += 32) {
