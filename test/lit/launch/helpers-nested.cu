// Launches that a template, a method or a lambda makes of the kernel that it is handed, or hands on to another function: the bytes are
// edited where the kernel is named, if all of them do nothing with either but launch.
//
// REQUIRES: clang-host
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=2 --allow-cliff --format-style=none --verify=cpu %s -o %t.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: grep -v '// CHECK' %t.cu | FileCheck %s
// RUN: %if nvcc %{ nvcc -std=c++17 -arch=sm_90 -c -o %t.o %t.cu %}
// PROOF-COUNT-9: remark: pipelined: cp-async
// PROOF: proof (cpu): proved
// A launch that gives too little is found, whatever it goes through.
// RUN: sed 's/outer(nested, 64, nested_shared_bytes()/outer(nested, 64, 256/' %t.cu > %t.bad.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.bad.cu -- 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: out-of-bounds-shared

#include <cuda_runtime.h>
#include <utility>

using Kernel = void (*)(const float *, float *, int);

// The bytes go through two functions; the block's size is known to the first.
inline void inner(Kernel kernel, dim3 block, size_t bytes, const float *A, float *C, int K) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<1, block, bytes>>>(A, C, K);
}
inline void outer(Kernel kernel, dim3 block, size_t bytes, const float *A, float *C, int K) {
  if (K >= 0)
    inner(kernel, block, bytes, A, C, K);
}
template <typename... P, typename... Args>
void spread(void (*kernel)(P...), dim3 block, size_t bytes, Args... args) {
  kernel<<<1, block, bytes>>>(args...);
}
template <typename F, typename... Args> void forward(F &&kernel, dim3 block, size_t bytes, Args &&...args) {
  spread(std::forward<F>(kernel), block, bytes, args...);
}
inline void allow(Kernel kernel, int bytes) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
inline void allowed(Kernel kernel, int bytes, const float *A, float *C, int K) {
  allow(kernel, bytes);
  kernel<<<1, 64, bytes>>>(A, C, K);
}
struct Runner {
  const float *A;
  float *C;
  int K;
  void run(Kernel kernel, size_t bytes) const { kernel<<<1, 64, bytes>>>(A, C, K); }
  static void with(Kernel kernel, size_t bytes, const Runner &R) { R.run(kernel, bytes); }
  void operator()(Kernel kernel, size_t bytes) const { run(kernel, bytes); }
};

__global__ void nested(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void forwarded(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void limited(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void method(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void constant(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void functor(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void lambda(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

__global__ void generic(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
template <int N>
__global__ void open(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += N) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK: template <int N> void dispatch(
template <int N> void dispatch(const float *A, float *C, int K) {
  // CHECK: spread(open<N>, N, (size_t(N * sizeof(float)) > open_shared_bytes<N>() ? size_t(N * sizeof(float)) : open_shared_bytes<N>()), A, C, K);
  spread(open<N>, N, N * sizeof(float), A, C, K);
}

// CHECK-LABEL: int main() {
int main() {
  float *A, *C;
  cudaMalloc(&A, 40960 * sizeof(float));
  cudaMalloc(&C, 64 * sizeof(float));
  cudaMemset(A, 1, 40960 * sizeof(float));
  for (int K = 0; K <= 256; K += 64) {
    // CHECK: outer(nested, 64, nested_shared_bytes(), A, C, K);
    outer(nested, 64, 256, A, C, K);
    // CHECK: forward(forwarded, 64, forwarded_shared_bytes(), A, C, K);
    forward(forwarded, 64, 256, A, C, K);
    // CHECK: allowed(limited, limited_shared_bytes(), A, C, K);
    allowed(limited, 256, A, C, K);
    // CHECK: Runner{A, C, K}.run(method, method_shared_bytes());
    Runner{A, C, K}.run(method, 256);
    // CHECK: Runner::with(constant, constant_shared_bytes(), {A, C, K});
    Runner::with(constant, 256, {A, C, K});
    // CHECK: Runner{A, C, K}(functor, functor_shared_bytes());
    Runner{A, C, K}(functor, 256);
    auto go = [=](Kernel kernel, size_t bytes) { kernel<<<1, 64, bytes>>>(A, C, K); };
    // CHECK: go(lambda, lambda_shared_bytes());
    go(lambda, 256);
    auto any = [](auto kernel, int bytes, auto... args) { kernel<<<1, 64, bytes>>>(args...); };
    // CHECK: any(generic, generic_shared_bytes(), A, C, K);
    any(generic, 256, A, C, K);
    dispatch<64>(A, C, K);
    dispatch<32>(A, C, K);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
