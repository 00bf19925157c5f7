// Two slots of 32 KB pass the 48 KB of static arrays: all of them become parts of one dynamic block, and the launch
// gives it. The array that is no tile and the scalar keep name and type.
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async %s 2>%t.messages | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.messages
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --verify=cpu --quiet -o %t.cu %s
// Bytes too small and a wrong place in the block are found.
// RUN: sed -e '/static_assert/d' -e 's/return 2 \*/return 1 */' %t.cu > %t.small.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.small.cu -- 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/sum_shared + sizeof(As_slots) + (/sum_shared + (/' %t.cu > %t.carve.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.carve.cu -- 2>&1 | FileCheck %s --check-prefix=CARVE
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                             \
  do {                                                                          \
    if ((call) != cudaSuccess)                                                  \
      std::exit(1);                                                             \
  } while (0)

constexpr int Tile = 8192;

// The sum of a column, tile by tile.
__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int K) {
  constexpr int Threads = 1024;
  __shared__ float As[Tile / Threads][Threads];
  __shared__ int first[3], last;
  float acc = 0;
  if (threadIdx.x < 3)
    first[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    last = 5;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += Tile) {
    for (int i = 0; i < Tile / Threads; ++i)
      As[i][threadIdx.x] = A[k0 + i * Threads + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < Tile / Threads; ++i)
      acc += As[i][(threadIdx.x * 7) % Threads];
    __syncthreads();
  }
  C[threadIdx.x] = acc + first[threadIdx.x % 3] + last;
}

int main() {
  constexpr int K = 3 * Tile;
  float *A, *C;
  CHECK(cudaMalloc(&A, K * sizeof(float)));
  CHECK(cudaMalloc(&C, 1024 * sizeof(float)));
  float *values = static_cast<float *>(std::malloc(K * sizeof(float)));
  for (int i = 0; i < K; ++i)
    values[i] = i % 97;
  CHECK(cudaMemcpy(A, values, K * sizeof(float), cudaMemcpyHostToDevice));
  for (int round = 0; round < 2; ++round)
    sum<<<1, 1024>>>(A, C, round * Tile);
  sum<<<1, 1024>>>(A, C, K);
  sum<<<1, 1024>>>(A, C, K);
  CHECK(cudaDeviceSynchronize());
}
// CHECK: constexpr int Tile = 8192;
// CHECK-EMPTY:
// CHECK-NEXT: // Dynamic shared memory of sum, in bytes.
// CHECK-NEXT: __host__ __device__ constexpr size_t sum_shared_bytes() {
// CHECK-NEXT:   constexpr int Threads = 1024;
// CHECK-NEXT:   return 2 * (Tile / Threads) * Threads * sizeof(float) + (3 * sizeof(int) + 15) / 16 * 16 + (sizeof(int) + 15) / 16 * 16;
// CHECK-NEXT: }
// CHECK-EMPTY:
// CHECK-NEXT: // The sum of a column, tile by tile.
// CHECK-NEXT: __global__ void sum(
// CHECK:      constexpr int Threads = 1024;
// CHECK-NEXT: extern __shared__ __align__(16) unsigned char sum_shared[];
// CHECK-NEXT: auto &As_slots = *reinterpret_cast<float (*)[2][Tile / Threads][Threads]>(sum_shared);
// CHECK-NEXT: auto &first = *reinterpret_cast<int (*)[3]>(sum_shared + sizeof(As_slots));
// CHECK-NEXT: auto &last = *reinterpret_cast<int *>(sum_shared + sizeof(As_slots) + (sizeof(first) + 15) / 16 * 16);
// CHECK-NEXT: static_assert(sizeof(As_slots) + (sizeof(first) + 15) / 16 * 16 + (sizeof(last) + 15) / 16 * 16 <= sum_shared_bytes(), "every launch gives the whole block");
// CHECK:      CHECK(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_shared_bytes()));
// CHECK-NEXT: for (int round = 0; round < 2; ++round)
// CHECK-NEXT:   sum<<<1, 1024, sum_shared_bytes()>>>(A, C, round * Tile);
// CHECK-NEXT: sum<<<1, 1024, sum_shared_bytes()>>>(A, C, K);
// CHECK-NEXT: sum<<<1, 1024, sum_shared_bytes()>>>(A, C, K);
// SMALL: [out-of-bounds]
// CARVE: [different-result]
// SAID: pipelined: cp-async, {{.*}} 2 slots
// SAID-NOT: stage-count-reduced
