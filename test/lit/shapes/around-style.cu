// Braces on lines of their own, and a tab a level, as the author writes.
// RUN: %shape %s %t STYLE --variant=ldg --form=peel
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --variant=ldg --form=peel %s \
// RUN:   | FileCheck %s --check-prefix=LINES --strict-whitespace --match-full-lines
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16)
  {
  	As[tx] = A[k0 + tx];
  	__syncthreads();
  	for (int k = 0; k < 16; ++k)
  	{
  		acc += As[k];
  	}
  	__syncthreads();
  }
  C[tx] = acc;
}

// STYLE: for (int k = 0; k < 16; ++k)
// STYLE-NEXT: {
// STYLE-NEXT: acc += As[k];
//      LINES:  if (k0 < K)
// LINES-NEXT:  {
// LINES-NEXT:  	{ // Prologue: the first tile.
// LINES-NEXT:  		auto &As = As_slots[0];
//      LINES:  	for (k0 += 16; k0 < K; k0 += 16)
// LINES-NEXT:  	{
