// Registers that are stored behind the last tile too have a value from the start, if their type takes `= {}`: an
// explicit default constructor, also of a part, does not.
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=ldg --form=predicate --issue=last --addresses=stepped %s > %t.cu
// RUN: FileCheck %s --input-file=%t.cu
#include <cuda_runtime.h>

struct alignas(8) Plain {
  float x, y;
};
struct alignas(8) Explicit {
  float x, y;
  __host__ __device__ explicit Explicit() {}
};
struct Part {
  Explicit part;
};

// CHECK-LABEL: void plain(
// CHECK: Plain As_next = {};
__global__ void plain(const Plain *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Plain As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k].x * As[k].y;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void own(
// CHECK: Explicit As_next;
__global__ void own(const Explicit *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Explicit As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k].x * As[k].y;
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK-LABEL: void part(
// CHECK: Part As_next;
__global__ void part(const Part *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Part As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k].part.x * As[k].part.y;
    __syncthreads();
  }
  C[tx] = acc;
}
