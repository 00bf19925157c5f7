// Addresses that do not move on by the same step from tile to tile, or of which that is not proved: they are worked out
// for each tile, as written, also where pointers are asked for. All loops are rewritten.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=ldg --addresses=stepped --format-style=none %s -o %t.cu -- 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: grep -v "^//" %t.cu | FileCheck %s --implicit-check-not=_from
#include <cuda_runtime.h>

#define ELEMENT(k) ((k) * width + threadIdx.x)

// SAID-COUNT-15: remark: pipelined

// Unsigned: the sum may wrap, and an address would not.
__global__ void wraps(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// CHECK: void wraps(
// CHECK: As_next = A[k0 + threadIdx.x];

__global__ void divides(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 3) {
    As[tx] = A[k0 / 2 + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void divides(
// CHECK: As_next = A[k0 / 2 + tx];

// Under a condition the first tile's address may not exist.
__global__ void guarded(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = -1; k0 < K; k0 += 32) {
    As[tx] = k0 + tx >= 0 && k0 + tx < K ? A[k0 + tx] : 0.0f;
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void guarded(
// CHECK: A[k0 + tx] : 0.0f;

// Something else in the address moves, too.
__global__ void also(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  int skip = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[tx] = A[k0 + skip + tx];
    skip = skip * 2 + 1;
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void also(
// CHECK: As_next = A[k0 + skip + tx];

// What the counter is multiplied with changes.
__global__ void wider(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  int width = 32;
  for (int k0 = 0; k0 < K; ++k0) {
    As[tx] = A[k0 * width + tx];
    ++width;
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void wider(
// CHECK: As_next = A[k0 * width + tx];

// The step itself changes.
__global__ void faster(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  int step = 1;
  for (int k0 = 0; k0 < K; k0 += step) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[31 - tx];
    step *= 2;
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void faster(
// CHECK: As_next = A[

// Looked up in memory.
__global__ void table(const float *__restrict__ A, const int *__restrict__ T, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; ++k0) {
    As[tx] = A[T[k0] + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void table(
// CHECK: A[T[k0] + tx]

// The factor has a name that only the copy phase knows.
__global__ void local(const float *__restrict__ A, float *__restrict__ C, int K, int lda) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; ++k0) {
    const int width = lda / 4;
    As[tx] = A[k0 * width + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void local(
// CHECK: As_next = A[k0 * width + tx];

// A macro's body spells the factor.
__global__ void macro(const float *__restrict__ A, float *__restrict__ C, int K, int width) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; ++k0) {
    As[threadIdx.x] = A[ELEMENT(k0)];
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// CHECK: void macro(
// CHECK: As_next = A[ELEMENT(k0)];

// Down, which is no step that adds.
__global__ void down(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = K; k0 > 0; k0 -= 32) {
    As[tx] = A[k0 - 32 + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void down(
// CHECK: As_next = A[k0 - 32 + tx];

// A copy loop that starts where the thread says: pointers would lie in local memory.
__global__ void shifted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
#pragma unroll
    for (int i = tx; i < 64; i += 32)
      As[i] = A[k0 + i];
    __syncthreads();
    acc += As[63 - tx] + As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void shifted(
// CHECK: As_next[(i - tx) / 32] = A[k0 + i];

// What is loaded from is chosen by the counter.
__global__ void chosen(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    const float *from = A;
    if (k0 >= 64)
      from = B;
    As[tx] = from[k0 + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void chosen(
// CHECK: As_next = from[k0 + tx];

// The base moves, too.
__global__ void band(const float *__restrict__ A, float *__restrict__ C, int K, int lda) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; ++k0) {
    As[tx] = *(A + k0 * lda + k0 + tx);
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void band(
// CHECK: As_next = *(A + k0 * lda + k0 + tx);

// A counter of the function: what was made of it before the loop stays.
__global__ void before(const float *__restrict__ A, float *__restrict__ C, int K, int start) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  int k0 = start;
  const int first = k0 * 2;
  for (; k0 < K; k0 += 32) {
    As[tx] = A[first + tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void before(
// CHECK: As_next = A[first + tx];

// Rows: the pointer would be one to an array.
__global__ void rows(const float (*__restrict__ A)[32], float *__restrict__ C, int K) {
  __shared__ float As[32];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; ++k0) {
    As[tx] = A[k0][tx];
    __syncthreads();
    acc += As[31 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// CHECK: void rows(
// CHECK: As_next = A[k0][tx];
