// A store in the loop might change what the next tile's copy has already read.
// RUN: %refused %s %t may-alias
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_no_restrict(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_same_pointer(float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    A[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_derived_pointer(float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  float *D = A + 64;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    D[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_atomic(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    atomicAdd(&C[tx], acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ void put(float *p, int i, float v) { p[i] = v; }

__global__ void bad_callee(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    put(C, k0 + tx, acc);
    __syncthreads();
  }
  C[tx] = acc;
}

struct Pair {
  const float *A;
  float *C;
};

__global__ void bad_members(Pair p, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = p.A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    p.C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_bound_in_memory(const float *__restrict__ A, float *C, const int *bound) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < *bound; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_index_in_memory(
    const float *__restrict__ A, float *__restrict__ C, const int *order, int *next, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[order[k0 + tx]];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[may-alias]
    next[k0] = tx;
    __syncthreads();
  }
  C[tx] = acc;
}

// Either pointer's __restrict__ is proof enough; so are distinct objects, constants and __ldg.
__global__ void good_source_restrict(const float *__restrict__ A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_target_restrict(const float *A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ float from[1024], to[1024];

__global__ void good_distinct_objects(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = from[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    to[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__constant__ float table[1024];

__global__ void good_constant(float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = table[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_ldg(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = __ldg(&A[k0 + tx]);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    C[k0 + tx] = acc;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_store_after_loop(const float *A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
