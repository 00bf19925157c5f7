// One vector load, four scattered stores: the load goes early, the unpacking late.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    float4 v = reinterpret_cast<const float4 *>(A + k0 * 4)[tx];
    As[tx] = v.x;
    As[tx + 16] = v.y;
    As[tx + 32] = v.z;
    As[tx + 48] = v.w;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: float4 v_next;
// CHECK: v_next = reinterpret_cast<const float4 *>(A + k0 * 4)[tx];
// CHECK: acc += As[k];
// CHECK: float4 v = v_next;
// CHECK: As[tx] = v.x;
// CHECK: As[tx + 48] = v.w;
// CHECK: slot ^= 1;
