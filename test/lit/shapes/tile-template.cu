// Sizes from template parameters, in a __device__ function; edited once, whatever is instantiated.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

template <int BK, int BN>
__device__ float multiply(const float *__restrict__ A, int K) {
  __shared__ float As[BK][BN + 1];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int r = 0; r < BK; ++r)
      As[r][tx] = A[(k0 + r) * BN + tx];
    __syncthreads();
    for (int r = 0; r < BK; ++r)
      acc += As[r][tx ^ 1];
    __syncthreads();
  }
  return acc;
}

__global__ void small(const float *__restrict__ A, float *__restrict__ C, int K) {
  C[threadIdx.x] = multiply<4, 16>(A, K);
}

__global__ void large(const float *__restrict__ A, float *__restrict__ C, int K) {
  C[threadIdx.x] = multiply<8, 32>(A, K);
}
// CHECK: __shared__ float As_slots[2][BK][BN + 1];
// CHECK: As[r][tx] = A[(k0 + r) * BN + tx];
// CHECK: float As_next[BK];
// CHECK: As_next[r] = A[(k0 + r) * BN + tx];
// CHECK: As[r][tx] = As_next[r];
// CHECK-NOT: As_slots[2]
