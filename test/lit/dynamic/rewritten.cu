// Slots in a dynamic block that is there already: behind what lives across the
// loop, under what is staged after it. The program proves it, launches edited.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=3 --allow-cliff --format-style=none %s 2>/dev/null | grep -v '// CHECK' | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=3 --allow-cliff --verify=cpu %s -o %t.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=ldg --allow-cliff --verify=cpu %s -o %t.ldg.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// PROOF: rewritten.cu: proof (cpu): proved
//
// Taking a slot too few of the block is found.
// RUN: sed "s/return 1024;/return 1020;/" %t.cu > %t.short.cu
// RUN: not pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.short.cu 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: error: {{.*}}[out-of-bounds-shared]

#include <cuda_runtime.h>
#include <cstdio>

// Q stays; T gets slots behind the 512 bytes that are in use. What is staged
// after the loop lies in T's bytes.
// CHECK-LABEL: persistent_shared_bytes() {
// CHECK-NEXT: return 1024;
// CHECK-LABEL: __global__ void persistent(
// CHECK: constexpr int slot_stride = 256; // bytes from one slot to the next
// CHECK-NEXT: auto *T_slots = T;
// CHECK-NEXT: int slot = 0;
// CHECK: auto *T = T_slots + slot_filled * (slot_stride / int(sizeof(*T_slots)));
// CHECK: __pipeline_memcpy_async(&T[t], &A[{{.*}}], sizeof(float));
// CHECK: auto *T = T_slots + fill * (slot_stride / int(sizeof(*T_slots)));
// CHECK: auto *T = T_slots + slot * (slot_stride / int(sizeof(*T_slots)));
// CHECK: acc += T[k] * Q[k];
// CHECK: __syncthreads();
// CHECK: T[63 - t] = acc;
__global__ void persistent(const float *__restrict__ A, const float *__restrict__ B,
                           float *__restrict__ C, int K) {
  extern __shared__ float s[];
  float *Q = s, *T = &s[64];
  int t = threadIdx.x;
  Q[t] = B[t];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    T[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += T[k] * Q[k];
    __syncthreads();
  }
  T[63 - t] = acc;
  __syncthreads();
  C[t] = T[t];
}

// The last tile is read after the loop: no slots.
// CHECK-LABEL: void left_over(const float
// CHECK-NOT: slot
// CHECK: C[t] = acc + s[t];
__global__ void left_over(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    acc += s[63 - t];
    __syncthreads();
  }
  C[t] = acc + s[t];
}

// CHECK-LABEL: int main() {
// CHECK: persistent<<<1, 64, persistent_shared_bytes()>>>(A, B, C, K);
// CHECK: left_over<<<1, 64, 256>>>(A, C, K ? K : 64);
int main() {
  float *A, *B, *C;
  cudaMallocManaged(&A, 640 * sizeof(float));
  cudaMallocManaged(&B, 64 * sizeof(float));
  cudaMallocManaged(&C, 64 * sizeof(float));
  for (int i = 0; i < 640; ++i)
    A[i] = i % 13;
  for (int i = 0; i < 64; ++i)
    B[i] = i % 7;
  for (int K = 0; K <= 640; K += 64) {
    persistent<<<1, 64, 512>>>(A, B, C, K);
    left_over<<<1, 64, 256>>>(A, C, K ? K : 64);
  }
  cudaDeviceSynchronize();
  std::printf("%g\n", C[0]);
}
