// Which bytes of the dynamic block each loop uses, through which pointers: found
// by following every thread of the launched block.
//
// RUN: pipeline-rewrite --dry-run --cuda-path=none --dump=facts --arch=sm_90 %s 2>/dev/null | FileCheck %s

#include <cuda_runtime.h>

constexpr int BM = 32, BK = 16;

// The array itself, rows padded by one.
// CHECK-LABEL: loop in direct at line
// CHECK: shared s: 4220 bytes {{.*}}dynamic bytes [0, 4220) through s
// CHECK: dynamic block: 4220 bytes used, kept clear: nothing
__global__ void direct(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int i = 0; i < 32; ++i)
      s[i * 33 + t] = A[(i * K) + k0 + t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += s[t * 33 + k];
    __syncthreads();
  }
  C[t] = acc;
}

// Pointers carved one behind the other; what is staged after the loop lies in
// the same bytes and is no part of it.
// CHECK-LABEL: loop in carved at line
// CHECK: shared As: 2048 bytes {{.*}}dynamic bytes [0, 2048) through As
// CHECK: shared Bs: 2048 bytes {{.*}}dynamic bytes [2048, 4096) through Bs
// CHECK: dynamic block: 4096 bytes used, kept clear: nothing
__global__ void carved(const float *A, const float *B, float *C, int K) {
  extern __shared__ float pool[];
  float *As = pool;
  float *Bs = As + BM * BK;
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (tx < BK)
      As[ty * BK + tx] = A[ty * K + k0 + tx];
    if (ty < BK)
      Bs[ty * BM + tx] = B[(k0 + ty) * BM + tx];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[ty * BK + k] * Bs[k * BM + tx];
    __syncthreads();
  }
  pool[ty * BM + tx] = acc;
  __syncthreads();
  C[ty * BM + tx] = pool[tx * BM + ty];
}

// Q is loaded once and read by every iteration: slots have to stay clear of it.
// CHECK-LABEL: loop in persistent at line
// CHECK: shared T: 256 bytes {{.*}}dynamic bytes [256, 512) through T
// CHECK: shared Q: 256 bytes {{.*}}dynamic bytes [0, 256) through Q
// CHECK: dynamic block: 512 bytes used, kept clear: [0, 256)
__global__ void persistent(const float *A, const float *B, float *C, int K) {
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

// Rows of a known length, addressed as an array of arrays.
// CHECK-LABEL: loop in rows at line
// CHECK: shared r: 1520 bytes {{.*}}dynamic bytes [64, 1584) through r
// CHECK: dynamic block: 1584 bytes used, kept clear: [0, 4)
__global__ void rows(const float *A, float *C, int K) {
  extern __shared__ float r[][12];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = 0; i < 8; ++i)
      r[t + 1][i + 4] = A[t * K + k0 + i];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += r[t + 1][k + 4] * r[32 - t][k + 4];
    __syncthreads();
  }
  C[t] = acc + r[0][0];
}

// The same bytes by two names are one part.
// CHECK-LABEL: loop in twice at line
// CHECK: shared s: 256 bytes {{.*}}dynamic bytes [0, 256) through s v
__global__ void twice(const float *A, float *C, int K) {
  extern __shared__ float s[];
  const float4 *v = reinterpret_cast<const float4 *>(s);
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += v[k].x + v[k].w;
    __syncthreads();
  }
  C[t] = acc;
}

// A bound that only the caller knows.
// CHECK-LABEL: loop in unknown at line
// CHECK: dynamic block: [[#@LINE+6]]:5: the index of this access is not bounded by constants and the block size
__global__ void unknown(const float *A, float *C, int K, int width) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += width) {
    s[t * width] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += s[k * width];
    __syncthreads();
  }
  C[t] = acc;
}

void launch(const float *A, const float *B, float *C, int K) {
  direct<<<1, 32, 4224>>>(A, C, K);
  carved<<<1, dim3(BM, BM), 4096>>>(A, B, C, K);
  persistent<<<1, 64, 512>>>(A, B, C, K);
  rows<<<1, 32, 1584>>>(A, C, K);
  twice<<<1, 64, 256>>>(A, C, K);
  unknown<<<1, 64, 4096>>>(A, C, K, 8);
}
