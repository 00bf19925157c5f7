// The message of a static_assert is an expression without a type.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

constexpr int Tile = 16;

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  static_assert(Tile % 4 == 0, "the tile has whole vectors");
  extern __shared__ float block[];
  float *As = block;
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

void run(const float *A, float *C, int K) { kernel<<<1, Tile, Tile * sizeof(float)>>>(A, C, K); }

// CHECK: static_assert(Tile % 4 == 0, "the tile has whole vectors");
// CHECK: for (k0 += Tile; k0 < K; k0 += Tile) {
