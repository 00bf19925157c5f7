// What a thread stored that leaves before the loop, no iteration overwrites.
// RUN: %refused %s %t tile-live-outside --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_return(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  if (tx >= n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_around(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  if (tx < n) {
    for (int k0 = 0; k0 < K; k0 += 16) {
      As[tx] = A[k0 + tx];
      __syncthreads();
      for (int k = 0; k < 32; ++k)
        acc += As[k];
      __syncthreads();
    }
    C[tx] = acc;
  }
}

__global__ void bad_staged(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32], Bs[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = A[tx];
  __syncthreads();
  acc = As[31 - tx];
  if (tx >= n)
    return;
// CHECK: warning: {{.*}}'bad_staged' is not pipelined: 'As' is written before{{.*}}[tile-live-outside]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    Bs[tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k] * Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Who is left stores before the loop; all threads leave or none; a store that may be left out is one less.
__global__ void good_after(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  if (tx >= n)
    return;
  As[tx] = 0;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_uniform(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = 0;
  __syncthreads();
  if (blockIdx.x >= n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_conditional(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  if (tx < n)
    As[tx] = 0;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// What differs between threads without naming them: constructors, pointers, methods, casts that cut, PTX.
struct Lane {
  int v;
  __device__ Lane() : v(threadIdx.x) {}
};
__global__ void bad_constructor(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  Lane lane;
  if (lane.v > n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Own {
  int v = threadIdx.x;
};
__global__ void bad_member(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  Own own;
  if (own.v > n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  int v[2];
  int *p = v;
  *p = tx;
  if (v[0] > n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Role {
  int v;
  __device__ void set(int x) { v = x; }
};
__global__ void bad_method(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  Role role;
  role.set(tx);
  if (role.v > n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_narrow(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  int count = 0;
  for (int i = tx; i < (unsigned char)(tx + 250); ++i)
    ++count;
  if (count != n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_renamed(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  int x = tx;
  const int first = x;
  x = 2 * x;
  const int last = x;
  int count = 0;
  for (int i = first; i < last; ++i)
    ++count;
  if (count > n)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_asm(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[tile-live-outside]
  As[tx] = 0;
  __syncthreads();
  if (tx >= n)
    asm volatile("exit;");
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Limit {
  int v;
  __device__ Limit(int x) : v(x) {}
  __device__ void raise(int by) { v += by; }
};
__global__ void good_same(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[32];
  int tx = threadIdx.x;
  float acc = 0;
  As[tx] = 0;
  __syncthreads();
  Limit limit(n);
  limit.raise(2);
  int count = 0;
  for (int i = tx; i < tx + 25; ++i)
    ++count;
  if (count > limit.v)
    return;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
