// Who asks how the tile was declared would be told that it is a reference; a local class sees none.
// RUN: %refused %s %t tile-escapes
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_decltype(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
// CHECK: [[#@LINE+1]]:14: warning: {{.*}}[tile-escapes]
    decltype(As) sums = {};
    for (int k = 0; k < 16; ++k)
      acc += As[k] + sums[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_class(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  struct Reader {
// CHECK: [[#@LINE+1]]:41: warning: {{.*}}[tile-escapes]
    __device__ float at(int k) { return As[k]; }
  } reader;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += reader.at(k);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_element(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    decltype(As[0] + 1) sum = 0;
    for (int k = 0; k < 16; ++k)
      sum += As[k];
    acc += sum;
    __syncthreads();
  }
  C[tx] = acc;
}
