// Every function of the runtime that launches, a configuration with and without bytes, an alias and a template argument.
// RUN: pipeline-rewrite --format-style=none --arch=sm_90 --variant=cp-async %s 2>%t.messages | FileCheck %s
// RUN: %if nvcc %{ pipeline-rewrite --arch=sm_90 --variant=cp-async --quiet -o %t.cu %s && nvcc -std=c++17 -arch=sm_90 -c -o %t.o %t.cu %}
// REQUIRES: cuda-headers
#include <cuda_runtime.h>
#include <cstdio>

constexpr int Tile = 8192;

template <int Threads>
__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Tile];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    for (int i = 0; i < Tile; i += Threads)
      As[i + threadIdx.x] = A[k0 + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < Tile; i += Threads)
      acc += As[i + (threadIdx.x * 7) % Threads];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

inline void check(cudaError_t status, const char *what = "cuda") {
  if (status != cudaSuccess)
    std::printf("%s failed\n", what);
}

template <int N> void byTemplate(const float *A, float *C, int K, cudaStream_t stream) {
  if (K > 0)
    sum<N><<<1, N, 0, stream>>>(A, C, K);
}

void byFunctions(const float *A, float *C, int K, cudaStream_t stream) {
  byTemplate<1024>(A, C, K, stream);
  void *arguments[] = {&A, &C, &K};
  check(cudaLaunchKernel((const void *)sum<1024>, dim3(1), dim3(1024), arguments, 0, stream));
  check(cudaLaunchCooperativeKernel(sum<1024>, dim3(1), dim3(1024), arguments));
}

void byConfig(const float *A, float *C, int K) {
  cudaLaunchConfig_t bare = {};
  bare.gridDim = dim3(1);
  bare.blockDim = dim3(1024);
  check(cudaLaunchKernelEx(&bare, sum<1024>, A, C, K));
  cudaLaunchConfig_t full = {dim3(1), dim3(1024), 0};
  check(cudaLaunchKernelEx(&full, sum<1024>, A, C, K));
}

void byAlias(const float *A, float *C, int K) {
  constexpr auto kernel = sum<1024>;
  switch (K) {
  case 1:
    kernel<<<1, 1024>>>(A, C, K);
    break;
  default:
    break;
  }
}

void asMany(const float *A, float *C, int K) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum<1024>, 1024, 0));
  check(cudaFuncSetAttribute(sum<1024>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  sum<1024><<<blocks, 1024>>>(A, C, K);
}
// CHECK:      // Dynamic shared memory of sum, in bytes.
// CHECK-NEXT: template <int Threads>
// CHECK-NEXT: __host__ __device__ constexpr size_t sum_shared_bytes() {
// CHECK-NEXT:   return 2 * Tile * sizeof(float);
// CHECK-NEXT: }
// CHECK:      auto &As_slots = *reinterpret_cast<float (*)[2][Tile]>(sum_shared);
// CHECK-NEXT: static_assert(sizeof(As_slots) % 16 == 0, "every array must be aligned");
// CHECK-NEXT: static_assert(sizeof(As_slots) <= sum_shared_bytes<Threads>(), "every launch gives the whole block");

// CHECK:      check(cudaFuncSetAttribute(sum<N>,
// CHECK-NEXT:                            cudaFuncAttributeMaxDynamicSharedMemorySize,
// CHECK-NEXT:                            sum_shared_bytes<N>()));
// CHECK-NEXT: if (K > 0)
// CHECK-NEXT:   sum<N><<<1, N, sum_shared_bytes<N>(), stream>>>(A, C, K);

// CHECK:      void *arguments[] = {&A, &C, &K};
// CHECK-NEXT: check(cudaFuncSetAttribute(sum<1024>,
// CHECK-NEXT:                            cudaFuncAttributeMaxDynamicSharedMemorySize,
// CHECK-NEXT:                            sum_shared_bytes<1024>()));
// CHECK-NEXT: check(cudaLaunchKernel((const void *)sum<1024>, dim3(1), dim3(1024), arguments, sum_shared_bytes<1024>(), stream));
// CHECK-NEXT: check(cudaLaunchCooperativeKernel(sum<1024>, dim3(1), dim3(1024), arguments, sum_shared_bytes<1024>()));

// CHECK:      bare.dynamicSmemBytes = sum_shared_bytes<1024>();
// CHECK-NEXT: check(cudaFuncSetAttribute(sum<1024>,
// CHECK-NEXT:                            cudaFuncAttributeMaxDynamicSharedMemorySize,
// CHECK-NEXT:                            sum_shared_bytes<1024>()));
// CHECK-NEXT: check(cudaLaunchKernelEx(&bare, sum<1024>, A, C, K));
// CHECK-NEXT: cudaLaunchConfig_t full = {dim3(1), dim3(1024), sum_shared_bytes<1024>()};
// CHECK-NEXT: check(cudaLaunchKernelEx(&full, sum<1024>, A, C, K));

// CHECK:      case 1:
// CHECK-NEXT: check(cudaFuncSetAttribute(kernel,
// CHECK-NEXT:                            cudaFuncAttributeMaxDynamicSharedMemorySize,
// CHECK-NEXT:                            sum_shared_bytes<1024>()));
// CHECK-NEXT: kernel<<<1, 1024, sum_shared_bytes<1024>()>>>(A, C, K);

// CHECK:      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum<1024>, 1024, sum_shared_bytes<1024>()));
// CHECK-NEXT: check(cudaFuncSetAttribute(sum<1024>, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_shared_bytes<1024>()));
// CHECK-NEXT: sum<1024><<<blocks, 1024, sum_shared_bytes<1024>()>>>(A, C, K);
