// The user may vouch for what the source does not show.
// RUN: %rewritten %s %t --assume-no-alias
#include <cuda_runtime.h>

__global__ void good_no_restrict(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}
