// A step ahead that is no constant, or more than there is, tells no count.
// RUN: %refused %s %t registers --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_run_time(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (int i = 0; i + K <= 64; i += 16)
      As[i + tx] = A[k0 * 4 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Without a sign 64 - 80 is a great many.
__global__ void bad_never(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[registers]
    for (unsigned i = 0; i + 80u <= 64u; i += 16)
      As[i + tx] = A[k0 * 4 + i + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
