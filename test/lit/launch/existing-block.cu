// A dynamic block that is there already keeps its place; the arrays lie behind the bytes that every launch gives it.
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async %s 2>/dev/null | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=cp-async --verify=cpu --quiet %s >/dev/null
// RUN: sed 's/1024, Bytes>>>/1024, Bytes + (argc > 9)>>>/' %s > %t.cu
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --diff %t.cu 2>&1 | FileCheck %s --check-prefix=OPEN
#include <cuda_runtime.h>

constexpr int Tile = 8192;
constexpr unsigned Bytes = 1000 * sizeof(float);

__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float scratch[];
  __shared__ float As[Tile];
  float acc = 0;
  if (threadIdx.x < 1000)
    scratch[threadIdx.x] = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    for (int i = 0; i < 8; ++i)
      As[i * 1024 + threadIdx.x] = A[k0 + i * 1024 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc += As[i * 1024 + (threadIdx.x * 7) % 1024];
    __syncthreads();
  }
  C[threadIdx.x] = acc + scratch[threadIdx.x % 1000];
}

int main(int argc, char **) {
  constexpr int K = 3 * Tile;
  float *A, *C;
  cudaMalloc(&A, K * sizeof(float));
  cudaMalloc(&C, 1024 * sizeof(float));
  cudaMemset(A, 1, K * sizeof(float));
  sum<<<1, 1024, Bytes>>>(A, C, K);
  return cudaDeviceSynchronize();
}
// CHECK:      return 4000 + 2 * Tile * sizeof(float);
// CHECK:      extern __shared__ float scratch[];
// CHECK-NEXT: extern __shared__ __align__(16) unsigned char sum_shared[];
// CHECK-NEXT: auto &As_slots = *reinterpret_cast<float (*)[2][Tile]>(sum_shared + 4000);
// CHECK-NEXT: static_assert(4000 + sizeof(As_slots) <= sum_shared_bytes(), "every launch gives the whole block");
// CHECK:      cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_shared_bytes());
// CHECK-NEXT: sum<<<1, 1024, sum_shared_bytes()>>>(A, C, K);

// OPEN: pipelined: register-prefetch
// OPEN: its launches do not all give the same constant number of dynamic bytes{{.*}}[stage-count-reduced]
// OPEN-NOT: sum_shared
