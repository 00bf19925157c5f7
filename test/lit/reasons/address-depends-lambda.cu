// A lambda from outside the loop sees a captured variable itself: where copy and compute phase need two of it, none
// of its text can name the other.
// RUN: %refused %s %t address-depends-on-compute --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_both_phases(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, k0 = 0;
  float acc = 0;
  auto at = [&](int i) { return A[i + k0]; };
  for (; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}a lambda captured it by reference{{.*}}[address-depends-on-compute]
    As[tx] = at(tx);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_both_call(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, k0 = 0;
  float acc = 0;
  auto where = [&](int i) { return i + k0; };
  for (; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}a lambda captured it by reference{{.*}}[address-depends-on-compute]
    As[tx] = A[where(tx)];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * where(k);
    __syncthreads();
  }
  C[tx] = acc;
}
