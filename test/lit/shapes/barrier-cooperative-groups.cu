// cooperative_groups::sync(block) and block.sync() are barriers of the block.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
// RUN: %shape %s %t PRED --variant=ldg --form=predicate
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  auto block = cooperative_groups::this_thread_block();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    block.sync();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    cooperative_groups::sync(block);
  }
  cooperative_groups::sync(block);
  C[tx] = acc + As[0];
}

// CHECK: block.sync();
// CHECK: cooperative_groups::sync(block);
// PRED: block.sync();
