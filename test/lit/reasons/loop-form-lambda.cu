// What a lambda captured by reference it may change whenever somebody who holds it is called: the copy of the next tile
// would read it too early.
// RUN: %refused %s %t loop-form --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_called(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { w += 1; };
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    step();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_chain(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { ++w; };
  auto outer = [&] { step(); };
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    outer();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_chain_by_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { ++w; };
  auto outer = [=] { step(); };
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    outer();
    __syncthreads();
  }
  C[tx] = acc;
}

template <typename F> static __device__ __forceinline__ void run(F f) { f(); }
template <typename F> struct Holder {
  F f;
  __device__ void go() const { f(); }
};

__global__ void bad_passed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { w = w + 1; };
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    run(step);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_held(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { w += 1; };
  Holder<decltype(step)> holder{step};
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    holder.go();
    __syncthreads();
  }
  C[tx] = acc;
}

static __device__ __forceinline__ void bump(int &x) { ++x; }

__global__ void bad_handed_on(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  auto step = [&] { bump(w); };
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}'w'{{.*}}[loop-form]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    step();
    __syncthreads();
  }
  C[tx] = acc;
}
