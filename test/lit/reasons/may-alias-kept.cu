// A store whose place is not known may be a store to a private variable that the copy depends on.
// RUN: %refused %s %t may-alias --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

struct Reference {
  int &w;
};
struct Pointer {
  int *w;
  __device__ void step() { *w += 1; }
};
struct Stepper {
  int &w;
  __device__ explicit Stepper(int &w) : w(w) {}
  __device__ void step() { w += 1; }
};

__global__ void bad_member(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  Reference r{w};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}'w', whose address is kept{{.*}}[may-alias]
    r.w += 1;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  Pointer p{&w};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}'w', whose address is kept{{.*}}[may-alias]
    p.step();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_constructor(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  Stepper s(w);
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}'w', whose address is kept{{.*}}[may-alias]
    s.step();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_captured_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  int *p = &w;
  auto step = [=] { *p += 1; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}'w', whose address is kept{{.*}}[may-alias]
    step();
    __syncthreads();
  }
  C[tx] = acc;
}

// Nothing in the loop stores to where that may be.
__global__ void good_other(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x, w = 0;
  float acc = 0;
  Stepper s(w);
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx + w];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  s.step();
  C[tx] = acc + w;
}
