// A launch that cannot be edited leaves the slots for which it gives enough dynamic memory as it is: 512 bytes are in use,
// and each further slot takes 256.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=3 --allow-cliff --verify=cpu --format-style=none %s -o %t.cu 2>&1 | FileCheck %s
// RUN: grep -v "^// " %t.cu | FileCheck %s --check-prefix=TEXT
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --allow-cliff --dry-run %s 2>&1 | FileCheck %s --check-prefix=AUTO
// CHECK: 2 slots are used, for which the launches give enough: the shared bytes of 'two' at line [[#]] cannot be changed: {{.*}} [stage-count-reduced]
// CHECK: in 'one' is not pipelined: 'T' lies in dynamic shared memory; the shared bytes of 'one' at line [[#]] cannot be changed: that launch gives its shared bytes in a macro [launch-not-visible]
// CHECK: in 'open_bytes' is not pipelined: {{.*}} gives its shared bytes in a macro [launch-not-visible]
// CHECK: in 'kept' is not pipelined: {{.*}} its address is taken [launch-not-visible]
// CHECK: in 'open_block' is not pipelined: {{.*}} gives its shared bytes in a macro [launch-not-visible]
// CHECK: proof (cpu): proved
// AUTO: note: 'T' lies in dynamic shared memory; the shared bytes of 'one' at line [[#]] cannot be changed: that launch gives its shared bytes in a macro; one slot is kept [stage-count-reduced]
// AUTO: three {{.*}} 2 stages{{.*}} 1,024 -> 1,024
// AUTO: two {{.*}} 2 stages{{.*}} 768 -> 768
// AUTO: one {{.*}} 1 stage)
#include <cuda_runtime.h>

// Nothing but the kernels changes.
// TEXT-LABEL: void three(
// TEXT: slot_stride = 256
// TEXT: fill
__global__ void three(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
// TEXT-LABEL: void two(
// TEXT: slot ^ 1
// TEXT-LABEL: void one(
// TEXT-NOT: {{slot|shared_bytes}}
// TEXT: ROOM(three, A, B, C, 256);
__global__ void two(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
__global__ void one(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
__global__ void open_bytes(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
__global__ void kept(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
__global__ void open_block(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
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
  C[t] = acc;
}
// The macros' bodies hold the bytes.
#define ROOM(kernel, ...) kernel<<<1, 64, 1024>>>(__VA_ARGS__)
#define LESS(kernel, ...) kernel<<<1, 64, 768>>>(__VA_ARGS__)
#define NONE(kernel, ...) kernel<<<1, 64, 512>>>(__VA_ARGS__)
#define BYTES(kernel, bytes, ...) kernel<<<1, 64, 512 + bytes>>>(__VA_ARGS__)
#define BLOCK(kernel, threads, ...) kernel<<<1, threads, 1024>>>(__VA_ARGS__)
using Kernel = void (*)(const float *, const float *, float *, int);
Kernel table[] = {kept};

int main(int argc, char **) {
  float *A, *B, *C;
  cudaMalloc(&A, 256 * sizeof(float));
  cudaMalloc(&B, 64 * sizeof(float));
  cudaMalloc(&C, 64 * sizeof(float));
  cudaMemset(A, 1, 256 * sizeof(float));
  cudaMemset(B, 2, 64 * sizeof(float));
  ROOM(three, A, B, C, 256);
  LESS(two, A, B, C, 256);
  NONE(one, A, B, C, 256);
  BYTES(open_bytes, 512 * argc, A, B, C, 256);
  ROOM(kept, A, B, C, 256);
  BLOCK(open_block, 64 * argc, A, B, C, 256);
  return cudaDeviceSynchronize();
}
