// In a template the text serves every instantiation: a type that they do not share is never spelled out.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --format-style=none %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu
#include <cuda_runtime.h>

template <typename T> struct Vector;
template <> struct Vector<float> { using Type = float; };
template <> struct Vector<double> { using Type = double; };

// A narrower register would lose bits in the other instantiation.
template <typename T>
__global__ void open_type(const typename Vector<T>::Type *__restrict__ A, T *__restrict__ C, int K) {
  __shared__ typename Vector<T>::Type As[32];
  int tx = threadIdx.x;
  T acc = 0;
  // CHECK: :[[@LINE+2]]:5: warning: {{.*}} is not pipelined: {{.*}}template's parameters{{.*}}[registers]
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
template __global__ void open_type<float>(const float *, float *, int);
template __global__ void open_type<double>(const double *, double *, int);

// The near miss: the parameter itself is a name.
template <typename T>
__global__ void own_parameter(const T *__restrict__ A, T *__restrict__ C, int K) {
  __shared__ T As[32];
  int tx = threadIdx.x;
  T acc = 0;
  // CHECK: :[[@LINE+1]]:3: remark: pipelined: ldg
  for (unsigned k0 = 0; k0 < K; k0 += 32) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k] * k0;
    __syncthreads();
  }
  C[tx] = acc;
}
// TEXT: T As_next;
template __global__ void own_parameter<float>(const float *, float *, int);
template __global__ void own_parameter<double>(const double *, double *, int);
