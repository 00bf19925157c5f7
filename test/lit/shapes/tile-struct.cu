// A tile that is no array.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

struct Both {
  float a[16], b[16];
};

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Both s;
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    s.a[tx] = A[k0 + tx];
    s.b[tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += s.a[k] * s.b[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: __shared__ Both s_slots[2];
// CHECK: auto &s = s_slots[0];
