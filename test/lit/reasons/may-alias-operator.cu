// An overloaded operator that returns a reference into memory is a store like any other.
// RUN: %refused %s %t may-alias
#include <cuda_runtime.h>

struct View {
  float *p;
  __device__ float &operator[](int i) { return p[i]; }
};

__global__ void bad_operator(const float *A, View view, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    view[k0] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}
