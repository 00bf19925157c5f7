// An attribute that the author sets serves a launch only where it is set whenever the launch is reached, on the device
// that the launch goes to. Else the launch gets a call of its own.
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async %s 2>%t.messages | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.messages
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --verify=cpu --quiet -o %t.cu %s
// Without the call that the tool puts before a launch the proof fails: above 48 KB the runtime refuses the launch.
// RUN: sed '/^void if_branch/,/^}/{/^  cudaFuncSetAttribute/d}' %t.cu > %t.if.cu
// RUN: %exits 4 pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.if.cu -- 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: sed '/^void reset/,/^}/{/^  cudaDeviceReset/,$ {/^  cudaFuncSetAttribute/d}}' %t.cu > %t.reset.cu
// RUN: %exits 4 pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.reset.cu -- 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: sed '/^void device/,/^}/{/^  cudaSetDevice(1)/,$ {/^  cudaFuncSetAttribute/d}}' %t.cu > %t.device.cu
// RUN: %exits 4 pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.device.cu -- 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: launch with 66560 bytes of dynamic shared memory is refused: it lacks a cudaFuncSetAttribute {{.*}}[launch-failed]
// SAID: pipelined: cp-async, {{.*}} 2 slots
#include <cuda_runtime.h>

constexpr int Tile = 8192;
constexpr int Old = 1024;

__global__ void sum(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Tile];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Tile) {
    for (int i = 0; i < 8; ++i)
      As[i * 1024 + threadIdx.x] = A[k0 + i * 1024 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc += As[i * 1024 + (threadIdx.x * 7) % 1024];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

float *A, *C;
bool big = false;
bool fine(bool ok) { return ok; }
void outer() { cudaDeviceReset(); }
#define TRY(call)                                                              \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      return;                                                                  \
  } while (0)

void if_branch() {
  if (big)
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  sum<<<1, 1024, Old>>>(A, C, Tile);
}
// CHECK-LABEL: void if_branch()
// CHECK-NEXT: if (big)
// CHECK-NEXT: cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_shared_bytes());
// CHECK-NEXT: cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, sum_shared_bytes());
// CHECK-NEXT: sum<<<
void condition() {
  if (cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old) != cudaSuccess)
    return;
  sum<<<1, 1024, Old>>>(A, C, Tile);
}
// CHECK-LABEL: void condition()
// CHECK-NEXT: if (cudaFuncSetAttribute(sum,
// CHECK-NEXT: return;
// CHECK-NEXT: sum<<<
void choice() {
  big ? (void)cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old) : (void)0;
  sum<<<1, 1024, Old>>>(A, C, Tile);
}
// CHECK-LABEL: void choice()
// CHECK-NEXT: big ?{{.*}};
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void last_operand() {
  bool ok = !big || cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old) == cudaSuccess;
  sum<<<1, 1024, Old>>>(A, C, ok * Tile);
}
// CHECK-LABEL: void last_operand()
// CHECK-NEXT: bool ok{{.*}};
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void first_operand() {
  bool ok = fine(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old) == cudaSuccess) || !big;
  sum<<<1, 1024, Old>>>(A, C, ok * Tile);
}
// CHECK-LABEL: void first_operand()
// CHECK-NEXT: bool ok{{.*}};
// CHECK-NEXT: sum<<<
void loops(int n) {
  for (int i = 0; i < n; ++i)
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  sum<<<1, 1024, Old>>>(A, C, Tile);
  while (n-- > 9)
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
}
// CHECK-LABEL: void loops(int n)
// CHECK-NEXT: for
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void once() {
  static cudaError_t set = cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  sum<<<1, 1024, Old>>>(A, C, set == cudaSuccess ? Tile : 0);
}
// CHECK-LABEL: void once()
// CHECK-NEXT: static{{.*}};
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void lambda() {
  auto set = [] { return cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old); };
  sum<<<1, 1024, Old>>>(A, C, Tile);
  set();
}
// CHECK-LABEL: void lambda()
// CHECK-NEXT: auto set{{.*}};
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void in_lambda() {
  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  auto run = [] { sum<<<1, 1024, Old>>>(A, C, Tile); };
  run();
}
// CHECK-LABEL: void in_lambda()
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: auto run = [] { cudaFuncSetAttribute({{.*}} sum<<<
void in_macro() {
  TRY(cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old));
  for (int i = 0; i < 1; ++i) {
    if (i == 0)
      sum<<<1, 1024, Old>>>(A, C, Tile);
  }
}
// CHECK-LABEL: void in_macro()
// CHECK-NEXT: TRY(cudaFuncSetAttribute(
// CHECK-NEXT: for
// CHECK-NEXT: if (i == 0)
// CHECK-NEXT: sum<<<
void cases(int n) {
  switch (n) {
  case 0:
    cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  default:
    sum<<<1, 1024, Old>>>(A, C, Tile);
  }
  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
  switch (n) {
  case 1:
    sum<<<1, 1024, Old>>>(A, C, Tile);
  }
}
// CHECK-LABEL: void cases(int n)
// CHECK: default:
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK: switch (n)
// CHECK-NEXT: case 1:
// CHECK-NEXT: sum<<<
void label(int n) {
  if (n)
    goto behind;
  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
behind:
  n = 1;
  sum<<<1, 1024, Old>>>(A, C, Tile);
}
// CHECK-LABEL: void label(int n)
// CHECK: n = 1;
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
void branch() {
#if 1
  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
#endif
  sum<<<1, 1024, Old>>>(A, C, Tile);
  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, Old);
#if 1
  big = false;
#endif
}
// CHECK-LABEL: void branch()
// CHECK: #endif
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: #if 1
void reset() {
  sum<<<1, 1024, Old>>>(A, C, Tile);
  cudaDeviceReset();
  sum<<<1, 1024, Old>>>(A, C, Tile);
  outer();
  sum<<<1, 1024, Old>>>(A, C, Tile);
  fine(true);
  sum<<<1, 1024, Old>>>(A, C, Tile);
  cudaDeviceReset();
}
// CHECK-LABEL: void reset()
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: cudaDeviceReset
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: outer();
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: fine(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: cudaDeviceReset
void device() {
  sum<<<1, 1024, Old>>>(A, C, Tile);
  cudaSetDevice(1);
  sum<<<1, 1024, Old>>>(A, C, Tile);
  for (int i = 0; i < 2; ++i) {
    sum<<<1, 1024, Old>>>(A, C, Tile);
    cudaSetDevice(i);
  }
}
// CHECK-LABEL: void device()
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: cudaSetDevice(1);
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<
// CHECK-NEXT: for
// CHECK-NEXT: cudaFuncSetAttribute(
// CHECK-NEXT: sum<<<

int main() {
  cudaMalloc(&A, Tile * sizeof(float));
  cudaMalloc(&C, 1024 * sizeof(float));
  cudaMemset(A, 1, Tile * sizeof(float));
  if_branch();
  reset();
  device();
  return cudaDeviceSynchronize();
}
