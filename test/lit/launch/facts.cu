// Every place that gives a kernel its dynamic shared bytes is found, with what it is launched with.
// RUN: pipeline-rewrite --dump=facts %s 2>/dev/null | FileCheck %s
// REQUIRES: cuda-headers
#include <cuda_runtime.h>
#include <cstdio>

#define CHECK(call) do { if ((call) != cudaSuccess) std::printf("failed\n"); } while (0)


namespace nn {
template <int BK>
__global__ void direct(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
} // namespace nn

__global__ void plain(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

template <int BK> void byTemplate(const float *A, float *C, int K, cudaStream_t s) {
  nn::direct<BK><<<1, BK, BK * sizeof(float), s>>>(A, C, K);
}

template <void (*Kernel)(const float *, float *, int)> void any(const float *A, float *C, int K) {
  Kernel<<<1, dim3(32, 1, 1)>>>(A, C, K);
}

void host(const float *A, float *C, int K, cudaStream_t s, int bytes) {
  byTemplate<16>(A, C, K, s);
  any<plain>(A, C, K);
  CHECK(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  void *arguments[] = {&A, &C, &K};
  CHECK(cudaLaunchKernel((const void *)plain, dim3(1), dim3(32), arguments, bytes, s));
  CHECK(cudaLaunchCooperativeKernel(plain, dim3(1), dim3(32), arguments));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = 256;
  CHECK(cudaLaunchKernelEx(&config, plain, A, C, K));
  constexpr auto alias = plain;
  alias<<<1, 32>>>(A, C, K);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 0);
}
// CHECK: facts: loop in direct<16>
// CHECK: launch at line 40: nn::direct<BK> with nn::<BK>, bytes BK * sizeof(float) = 64, block 16 x 1 x 1, checked by CHECK
// CHECK: facts: loop in plain
// CHECK: launch at line 44: Kernel, bytes none = 0, block 32 x 1 x 1, checked by CHECK
// CHECK: attribute at line 50: plain, bytes bytes, checked by CHECK
// CHECK: runtime launch at line 52: plain, bytes bytes, block 32 x 1 x 1
// CHECK: runtime launch at line 53: plain, bytes none = 0, block 32 x 1 x 1
// CHECK: configured launch at line 58: plain, bytes 256 = 256, block 32 x 1 x 1
// CHECK: launch at line 60: alias, bytes none = 0, block 32 x 1 x 1
// CHECK: occupancy query at line 62: plain, bytes 0 = 0
// CHECK-NOT: kernel used
