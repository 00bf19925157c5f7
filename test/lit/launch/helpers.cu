// Launches by way of a function that is handed the kernel, or of a macro that is given the bytes: edited where the kernel is named, if
// the bytes go to launches of the kernel and to nothing else.
//
// REQUIRES: clang-host
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=2 --allow-cliff --format-style=none --verify=cpu %s -o %t.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: grep -v '// CHECK' %t.cu | FileCheck %s
// RUN: %if nvcc %{ nvcc -std=c++17 -arch=sm_90 -c -o %t.o %t.cu %}
// PROOF-COUNT-6: remark: pipelined: cp-async
// PROOF: proof (cpu): proved

#include <cuda_runtime.h>

#define LAUNCH(k, g, b, s, ...) k<<<g, b, (s)>>>(__VA_ARGS__)
#define SHORT(k, s) LAUNCH(k, 1, 64, s, A, C, K)
// Both uses of the bytes are the kernel's.
#define LARGE(k, s)                                                                                                    \
  do {                                                                                                                 \
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, s);                                           \
    k<<<1, 64, s>>>(A, C, K);                                                                                          \
  } while (0)
#define CHECK(call)                                                                                                    \
  if ((call) != cudaSuccess)                                                                                           \
  report(#call)

inline void report(const char *) {}

template <typename... P, typename... Args>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, Args... args) {
  kernel<<<grid, block, shared>>>(args...);
}

void byRuntime(const void *kernel, dim3 block, void **arguments, int bytes) {
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess)
    cudaLaunchKernel(kernel, dim3(1), block, arguments, bytes, 0);
}

__global__ void pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
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
__global__ void runtime(const float *__restrict__ A, float *__restrict__ C, int K) {
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
__global__ void macro(const float *__restrict__ A, float *__restrict__ C, int K) {
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
__global__ void attribute(const float *__restrict__ A, float *__restrict__ C, int K) {
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
__global__ void large(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[8192];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 8192) {
    for (int i = t; i < 8192; i += 64)
      s[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k * 128 + t];
    __syncthreads();
  }
  C[t] = acc;
}
__global__ void checked(const float *__restrict__ A, float *__restrict__ C, int K) {
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
// CHECK-LABEL: int main() {
int main() {
  float *A, *C;
  cudaMalloc(&A, 40960 * sizeof(float));
  cudaMalloc(&C, 64 * sizeof(float));
  cudaMemset(A, 1, 40960 * sizeof(float));
  for (int K = 0; K <= 256; K += 64) {
    void *arguments[] = {&A, &C, &K};
    // CHECK: launch(pointer, dim3(1), 64, pointer_shared_bytes(), A, C, K);
    launch(pointer, dim3(1), 64, 256, A, C, K);
    // CHECK: byRuntime((const void *)runtime, 64, arguments, runtime_shared_bytes());
    byRuntime((const void *)runtime, 64, arguments, 64 * sizeof(float));
    // CHECK: SHORT(macro, macro_shared_bytes());
    SHORT(macro, 256);
    // CHECK: LARGE(attribute, attribute_shared_bytes());
    LARGE(attribute, 256);
    // CHECK: CHECK(cudaLaunchKernel((const void *)checked, dim3(1), dim3(64), arguments, checked_shared_bytes(), 0));
    CHECK(cudaLaunchKernel((const void *)checked, dim3(1), dim3(64), arguments, 256, 0));
  }
  // CHECK: CHECK(cudaFuncSetAttribute(large<1>,
  // CHECK-NEXT: cudaFuncAttributeMaxDynamicSharedMemorySize,
  // CHECK-NEXT: large_shared_bytes<1>()));
  // CHECK-NEXT: launch(&large<1>, dim3(1), dim3(64), large_shared_bytes<1>(), A, C, 16384);
  launch(&large<1>, dim3(1), dim3(64), 0, A, C, 16384);
  return cudaDeviceSynchronize() != cudaSuccess;
}
