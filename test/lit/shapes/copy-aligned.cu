// An asynchronous copy needs both addresses aligned to its size: a class that is aligned to less has it from nobody.
// RUN: %shape %s %t CHECK --variant=cp-async --form=predicate
#include <cuda_runtime.h>

struct Loose {
  float x, y;
};
struct __align__(8) Tight {
  float x, y;
};

__global__ void kernel(const Loose *__restrict__ A, const Tight *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ Loose As[16];
  __shared__ Tight Bs[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    Bs[tx] = B[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k].x * Bs[k].y + As[k].y * Bs[k].x;
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: Loose As_next;
// CHECK: As_next = A[k0_next + tx];
// CHECK: __pipeline_memcpy_async(&Bs[tx], &B[k0_next + tx], sizeof(Tight));
// CHECK: As[tx] = As_next;
