// A tile declared in the loop is declared before it, so that the prologue can name it.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    __shared__ float Ts[16], Us[16];
    Ts[tx] = A[k0 + tx];
    Us[tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += Ts[k] * Us[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ float Ts_slots[2][16], Us_slots[2][16];
// CHECK: if (k0 < K) {
// CHECK: auto &Ts = Ts_slots[0];
// CHECK-NOT: __shared__
