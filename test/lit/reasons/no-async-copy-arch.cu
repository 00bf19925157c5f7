// Machines before sm_80 have no asynchronous copy.
// RUN: %refused %s %t no-async-copy --variant=cp-async --arch=sm_75
#include <cuda_runtime.h>

__global__ void bad_old_machine(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
