// nvcc compiles a file for the host without __CUDA_ARCH__: sizes that the host has to work out are not spelled with names that may mean something else there.
//
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --stages=3 --allow-cliff %s -o - 2>&1 | FileCheck %s
// RUN: sed 's/^#ifdef __CUDA_ARCH__/#ifdef PADDED/' %s > %t.cu
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --stages=3 --allow-cliff %t.cu -o - 2>&1 | FileCheck --check-prefix=SAME %s
#include <cuda_runtime.h>
#ifdef __CUDA_ARCH__
constexpr int LD = 64 + 8;
#else
constexpr int LD = 64;
#endif
constexpr int BM = 16;

// A number is the same for both.
// CHECK: constexpr int slot_stride = 4608;
// CHECK: parts<<<1, 64, parts_shared_bytes()>>>
// SAME: constexpr int slot_stride = {{.*}}LD
__global__ void parts(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float As[];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += BM) {
    for (int r = 0; r < BM; ++r)
      As[r * LD + tx] = A[(k + r) * 64 + tx];
    __syncthreads();
    for (int r = 0; r < BM; ++r)
      acc += As[r * LD + 63 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
void go(const float *A, float *C, int K) { parts<<<1, 64, BM * (64 + 8) * 4>>>(A, C, K); }
