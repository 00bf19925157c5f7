// Two and four floats at once, through a cast, keep their cast; asynchronously they are one copy of 16 bytes.
// RUN: %shape %s %t LDG --variant=ldg --form=peel
// RUN: %shape %s %t ASYNC --variant=cp-async --form=peel
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx < 4)
      *reinterpret_cast<float4 *>(&As[tx * 4]) = *reinterpret_cast<const float4 *>(&A[k0 + tx * 4]);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// LDG: float4 As_next;
// LDG: if (tx < 4)
// LDG-NEXT: As_next = *reinterpret_cast<const float4 *>(&A[k0 + tx * 4]);
// LDG: if (tx < 4)
// LDG-NEXT: *reinterpret_cast<float4 *>(&As[tx * 4]) = As_next;
// ASYNC: if (tx < 4)
// ASYNC-NEXT: __pipeline_memcpy_async(reinterpret_cast<float4 *>(&As[tx * 4]), reinterpret_cast<const float4 *>(&A[k0 + tx * 4]), sizeof(float4));
