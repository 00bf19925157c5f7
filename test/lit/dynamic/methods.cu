// Operators, constructors and methods of the author's own are followed like any call; a destructor loses the block, and so
// does a function without a body. What they touch counts: a table that one of them fills stays clear of the slots.
//
// RUN: pipeline-rewrite --dry-run --cuda-path=none --dump=facts --arch=sm_90 %s 2>/dev/null | FileCheck %s

#include <cuda_runtime.h>

extern __shared__ float pool[];

struct Table {
  __device__ float &operator[](int i) const { return pool[64 + i]; }
};
struct Filled {
  __device__ Filled(int i, float value) { pool[64 + i] = value; }
};
struct Holds {
  Filled first;
  __device__ Holds(int i, float value) : first(i, value) {}
};
struct Leaves {
  int i = 0;
  __device__ ~Leaves() { pool[64 + i] = 0; }
};
struct Window {
  float *at;
  __device__ float &operator[](int i) const { return at[i]; }
};
__device__ float elsewhere(int);

// CHECK-LABEL: loop in by_operator at line
// CHECK: dynamic bytes [0, 256) through pool
// CHECK: kept clear: [256, 512)
__global__ void by_operator(const float *__restrict__ A, const float *__restrict__ W, float *__restrict__ C, int K) {
  Table table;
  int t = threadIdx.x;
  table[t] = W[t];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc * table[63 - t];
}

// CHECK-LABEL: loop in by_constructor at line
// CHECK: kept clear: [256, 512)
__global__ void by_constructor(const float *__restrict__ A, const float *__restrict__ W, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  Holds holds(t, W[t]);
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc * pool[127 - t];
}

// CHECK-LABEL: loop in by_temporary at line
// CHECK: kept clear: [256, 512)
__global__ void by_temporary(const float *__restrict__ A, const float *__restrict__ W, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  Filled(t, W[t]);
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc * pool[127 - t];
}

// CHECK-LABEL: loop in by_destructor at line
// CHECK: dynamic block: [[#@LINE+3]]:{{[0-9]+}}: a destructor is not followed
__global__ void by_destructor(const float *__restrict__ A, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  Leaves leaves;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in by_stranger at line
// CHECK: dynamic block: [[#@LINE+3]]:{{[0-9]+}}: a call here is not followed
__global__ void by_stranger(const float *__restrict__ A, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  float acc = elsewhere(t);
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// An address that an object keeps is not followed.
// CHECK-LABEL: loop in by_window at line
// CHECK: dynamic block: [[#@LINE+3]]:{{[0-9]+}}: {{.*}}is kept in an object
__global__ void by_window(const float *__restrict__ A, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  Window window{pool + 64};
  float acc = window[t];
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// Half of -4 as an unsigned number is no index.
// CHECK-LABEL: loop in unsigned_half at line
// CHECK: dynamic block: [[#@LINE+9]]:{{[0-9]+}}: the index of this access is not bounded
__global__ void unsigned_half(const float *__restrict__ A, float *__restrict__ C, int K) {
  int t = threadIdx.x;
  int i = -4;
  i /= 2u;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[64 + i];
    __syncthreads();
  }
  C[t] = acc;
}

// Some threads have left: that the others fill the table again is not certain, so what was in it is kept.
// CHECK-LABEL: loop in some_left at line
// CHECK: kept clear: [256, 512)
__global__ void some_left(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    pool[t] = A[k0 + t];
    __syncthreads();
    acc += pool[63 - t];
    __syncthreads();
  }
  for (int i = 0; i < n; ++i)
    if (A[i] > t)
      return;
  pool[64 + t] = acc;
  C[t] = pool[64 + t] + pool[127 - t];
}

void launch(float *A, float *C, int K) {
  by_operator<<<1, 64, 512>>>(A, A, C, K);
  by_constructor<<<1, 64, 512>>>(A, A, C, K);
  by_temporary<<<1, 64, 512>>>(A, A, C, K);
  by_destructor<<<1, 64, 512>>>(A, C, K);
  by_stranger<<<1, 64, 512>>>(A, C, K);
  by_window<<<1, 64, 512>>>(A, C, K);
  unsigned_half<<<1, 64, 512>>>(A, C, K);
  some_left<<<1, 64, 512>>>(A, C, K, 0);
}
