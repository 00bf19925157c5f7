// Slots that are padded, as parts of a dynamic block: the function that gives the bytes counts the padding in the
// author's names, and so do the places of what lies behind. One instantiation needs no padding and has the same text.
// DEFINE: %{rewrite} = pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --quiet
// RUN: %{rewrite} --stages=2 %s -o %t.2.cu
// RUN: FileCheck %s < %t.2.cu
// RUN: %{rewrite} --stages=3 --allow-cliff %s -o %t.3.cu
// RUN: %{rewrite} --stages=4 --allow-cliff %s -o %t.4.cu
// RUN: pipeline-rewrite --compare=%s --verify=cpu --quiet %t.2.cu %t.3.cu %t.4.cu --
// Without the padding, with a launch that gives what the tiles alone take, and with the next part in the padding.
// RUN: sed -e '/static_assert/d' -e 's/struct __align__(16) As_slot /struct As_slot /' %t.3.cu > %t.slot.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.slot.cu -- 2>&1 | FileCheck %s --check-prefix=SLOT
// RUN: sed -e '/static_assert/d' -e 's/return 3 .*/return 3 * N * sizeof(float) + 4;/' %t.3.cu > %t.bytes.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.bytes.cu -- 2>&1 | FileCheck %s --check-prefix=BYTES
// RUN: sed -e '/static_assert/d' -e 's/sum_shared + sizeof(As_slots))/sum_shared + 3 * N * sizeof(float))/' %t.3.cu > %t.carve.cu
// RUN: not diff %t.3.cu %t.carve.cu
// RUN: %exits 4 pipeline-rewrite --verify=cpu --compare=%s %t.carve.cu -- 2>&1 | FileCheck %s --check-prefix=CARVE
// The report has what the block has: two slots of 32,784 bytes, and 16 for what stays.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=cp-async --stages=2 --json %s 2>/dev/null | FileCheck %s --check-prefix=JSON
#include <cuda_runtime.h>

template <int N>
__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[N];
  __shared__ int last;
  float acc = 0;
  if (threadIdx.x == 0)
    last = 5;
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 8192) {
    for (int i = threadIdx.x; i < 2048; i += 1024)
      *reinterpret_cast<float4 *>(&As[4 * i]) = *reinterpret_cast<const float4 *>(&A[k0 + 4 * i]);
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc += As[(threadIdx.x * 7 + i * 1024) % 8192];
    __syncthreads();
  }
  C[threadIdx.x] = acc + last;
}

int main() {
  constexpr int Most = 5 * 8192;
  static float values[Most];
  float *A, *C;
  cudaMalloc(&A, sizeof(values));
  cudaMalloc(&C, 1024 * sizeof(float));
  for (int i = 0; i < Most; ++i)
    values[i] = i % 97;
  cudaMemcpy(A, values, sizeof(values), cudaMemcpyHostToDevice);
  for (int K = 0; K <= Most; K += 8192) {
    sum<8193><<<1, 1024>>>(A, C, K);
    sum<8192><<<1, 1024>>>(A, C, K);
  }
  return cudaDeviceSynchronize();
}
// CHECK: // Dynamic shared memory of sum, in bytes.
// CHECK-NEXT: template <int N>
// CHECK-NEXT: __host__ __device__ constexpr size_t sum_shared_bytes() {
// CHECK-NEXT:   return 2 * ((N * sizeof(float) + 15) / 16 * 16) + (sizeof(int) + 15) / 16 * 16;
// CHECK-NEXT: }
// CHECK: extern __shared__ __align__(16) unsigned char sum_shared[];
// CHECK-NEXT: struct __align__(16) As_slot { float As[N]; };
// CHECK-NEXT: auto &As_slots = *reinterpret_cast<As_slot (*)[2]>(sum_shared);
// CHECK-NEXT: auto &last = *reinterpret_cast<int *>(sum_shared + sizeof(As_slots));
// CHECK-NEXT: static_assert(sizeof(As_slots) + (sizeof(last) + 15) / 16 * 16 <= sum_shared_bytes<N>(), "every launch gives the whole block");
// CHECK: auto &As = As_slots[slot].As;
// SLOT: [misaligned]
// BYTES: writes byte {{[0-9]+}} of sum_shared, which has 98320 bytes{{.*}} [out-of-bounds-shared]
// CARVE: [different-result]
// JSON: "after": 65584,
// JSON-NEXT: "before": 32776
// JSON: "after": 65552,
// JSON-NEXT: "before": 32772
// JSON: "bytes": 32772,
// JSON: "slot_bytes": 32784
