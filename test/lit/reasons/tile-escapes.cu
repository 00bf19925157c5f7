// An address of the tile that outlives the phase would keep pointing into one slot.
// RUN: %refused %s %t tile-escapes
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:10: warning: {{.*}}[tile-escapes]
  float *p = As;
  for (int k0 = 0; k0 < K; k0 += 16) {
    p[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_reference(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:9: warning: {{.*}}[tile-escapes]
  auto &r = As;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += r[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_integer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:10: warning: {{.*}}[tile-escapes]
  size_t where = (size_t)As;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[tx ^ 1] + ((float *)where)[3];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_two_tiles_in_one(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float buffer[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:10: warning: {{.*}}[tile-escapes]
  float *X = buffer, *Y = buffer + 16;
  for (int k0 = 0; k0 < K; k0 += 16) {
    X[tx] = A[k0 + tx];
    Y[tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += X[k] * Y[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Inside a phase the tile's name means the right slot, whatever is done with it there.
__global__ void good_pointer_in_phase(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    const float *p = As;
    for (int k = 0; k < 16; ++k)
      acc += p[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ void add(const float *p, float &sum) { sum += p[threadIdx.x ^ 1]; }

__global__ void good_argument(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    add(As, acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_cast(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += reinterpret_cast<const int *>(As)[tx ^ 1];
    __syncthreads();
  }
  C[tx] = acc;
}
