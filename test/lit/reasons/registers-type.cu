// A register is declared before the loop's body, and filled after that: it needs a type that has a name there, a
// default constructor and an assignment.
// RUN: %refused %s %t registers --variant=ldg
// RUN: %rewritten %s %t --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_struct(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    struct One { float x; };
    const One *from = reinterpret_cast<const One *>(A + k0);
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}declared in the loop{{.*}}[registers]
    One one = from[tx];
    As[tx] = one.x * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_enum(const int *__restrict__ A, int *__restrict__ C, int K) {
  __shared__ int As[16];
  int tx = threadIdx.x;
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    enum Level : int { low = 1, high = 2 };
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}declared in the loop{{.*}}[registers]
    As[tx] = reinterpret_cast<const Level *>(A)[k0 + tx] * high;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

template <typename T> struct Box { T v; };

__global__ void bad_argument(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    struct One { float x; };
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}declared in the loop{{.*}}[registers]
    Box<One> one = reinterpret_cast<const Box<One> *>(A)[k0 + tx];
    As[tx] = one.v.x * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Made {
  float x;
  __host__ __device__ explicit Made(float x) : x(x) {}
};

__global__ void bad_no_default(const Made *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}no default constructor{{.*}}[registers]
    Made made = A[k0 + tx];
    As[tx] = made.x * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Fixed {
  const float x[1];
};
struct HoldsFixed {
  Fixed fixed;
};

__global__ void bad_no_assignment(const HoldsFixed *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}no assignment{{.*}}[registers]
    HoldsFixed held = A[k0 + tx];
    As[tx] = held.fixed.x[0] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Near misses: names of the loop for what has a name outside, types of the function itself, constructors that take
// no value.
__global__ void good_alias(const Box<float> *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    using Value = float;
    typedef Box<Value> Values;
    Box<Value> one = A[k0 + tx];
    decltype(one) two = A[k0 + tx];
    Values three = A[k0 + tx];
    As[tx] = one.v + two.v + three.v;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_function(const float *__restrict__ A, float *__restrict__ C, int K) {
  struct One { float x; };
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    One one = reinterpret_cast<const One *>(A)[k0 + tx];
    As[tx] = one.x * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Plain {
  float x;
  Plain() = default;
  __host__ __device__ explicit Plain(float x) : x(x) {}
};

__global__ void good_default(const Plain *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    Plain made = A[k0 + tx];
    As[tx] = made.x * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
