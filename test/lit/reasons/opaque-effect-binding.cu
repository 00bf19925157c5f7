// What a binding of a tuple-like class is bound to comes from a call.
// RUN: %refused %s %t opaque-effect
#include <cuda_runtime.h>

struct Two {
  int row, column;
  template <int I> __device__ int &get() { return I ? column : row; }
};
namespace std {
template <typename T> struct tuple_size;
template <unsigned long I, typename T> struct tuple_element;
template <> struct tuple_size<Two> { static constexpr unsigned long value = 2; };
template <unsigned long I> struct tuple_element<I, Two> { using type = int; };
} // namespace std

__global__ void bad_tuple(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto [row, column] = Two{k0, tx};
    As[tx] = A[row + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: [[#@LINE-9]]:{{[0-9]+}}: warning: {{.*}}structured binding{{.*}}[opaque-effect]

// Nothing instantiates it, so nobody knows what T is.
template <typename T> __global__ void bad_open(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    auto [row, column] = T{k0, tx};
    As[tx] = A[row + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: structured binding{{.*}}[opaque-effect]
