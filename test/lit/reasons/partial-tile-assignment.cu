// An assignment of a class may leave out some of what it assigns to; what a lambda computes where it is made may decide what it stores.
// RUN: %refused %s %t partial-tile --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

struct Larger {
  float x;
  __device__ Larger &operator=(const Larger &o) {
    if (o.x > 0.5f)
      x = o.x;
    return *this;
  }
};
struct Both {
  Larger a, b;
};
struct Whole {
  float x;
  __device__ Whole &operator=(const Whole &o) {
    x = o.x;
    return *this;
  }
};
__device__ void fill(Larger *to, const Larger *from, int i) { to[i] = from[i]; }
__device__ void fillWhole(Whole *to, const Whole *from, int i) { to[i] = from[i]; }

__global__ void bad_assigned(const Larger *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Larger s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}under a condition{{.*}}[partial-tile]
    s[tid] = A[k0 + tid];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i].x * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_members(const Both *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Both s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}under a condition{{.*}}[partial-tile]
    s[tid] = A[k0 + tid];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i].a.x * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_called(const Larger *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Larger s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}under a condition{{.*}}[partial-tile]
    fill(s, A + k0, tid);
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i].x * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bad_capture(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    auto put = [&, most = 32 - k0 / 8](int t) {
      if (t < most)
        s[t] = A[k0 + t];
    };
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}under a condition{{.*}}[partial-tile]
    put(tid);
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void good_whole(const Whole *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Whole s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    s[tid] = A[k0 + tid];
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i].x * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void good_called(const Whole *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Whole s[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    fillWhole(s, A + k0, tid);
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      acc += s[i].x * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
