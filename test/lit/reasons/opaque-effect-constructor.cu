// A constructor or a destructor may do anything to memory, like any other call.
// RUN: %refused %s %t opaque-effect
// RUN: %rewritten %s %t
// RUN: pipeline-rewrite --cuda-path=none --format-style=none %s 2>/dev/null | sed -n '/good_destructor/,$p' | FileCheck --check-prefix=KEPT %s
#include <cuda_runtime.h>

struct Put {
  __device__ Put(float *at, float value) { *at = value; }
};
struct Fetch {
  float value;
  __device__ Fetch(const float *at) : value(*at) {}
};
struct Leaves {
  float *at;
  __device__ Leaves(float *where) : at(where) {}
  __device__ ~Leaves() { *at = 0; }
};
struct Pair {
  float a, b;
  __device__ Pair(float x, float y) {
    a = x;
    b = y;
  }
  __device__ Pair(const Pair &o) : a(o.a), b(o.b) {}
};

__global__ void bad_put(const float *A, float *C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
    acc += tile[63 - t];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}a constructor with further effects [opaque-effect]
    Put(C + t, acc);
    __syncthreads();
  }
}

__global__ void bad_leaves(const float *A, float *C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
// CHECK: [[#@LINE+1]]:12: warning: {{.*}}a destructor [opaque-effect]
    Leaves leaves(C + t);
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void bad_fetch(const float *A, float *C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
// CHECK: [[#@LINE+1]]:11: warning: {{.*}}a constructor with further effects [opaque-effect]
    Fetch fetch(A + t);
    C[k0 + t] = tile[63 - t] + fetch.value;
    __syncthreads();
  }
}

// Filling the object is no further effect.
__global__ void good_pair(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
    Pair pair(tile[63 - t], 2.0f), copy(pair);
    acc += copy.a * copy.b;
    __syncthreads();
  }
  C[t] = acc;
}

// Others may still read what the destructor overwrites: the last barrier stays.
// KEPT: Epilogue
// KEPT: A[i];
// KEPT: __syncthreads();
__global__ void good_destructor(float *A, float *C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  Leaves leaves(A + t);
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
    acc += tile[63 - t];
    for (int i = 0; i < 64; ++i)
      acc += A[i];
    __syncthreads();
  }
}
