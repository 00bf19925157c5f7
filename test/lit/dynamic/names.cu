// The stride of slots in a dynamic block, and the bytes that launches give, in the author's names: one expression for all instantiations,
// in the kernel and in the function beside it.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=3 --allow-cliff --format-style=none %s 2>/dev/null | grep -v '// CHECK' | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=3 --allow-cliff --format-style=none --verify=cpu %s -o %t.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// PROOF-COUNT-9: remark: pipelined: cp-async, ring, 3 slots
// PROOF: names.cu: proof (cpu): proved
//
// A stride that forgets the second tile, and bytes for a slot too few.
// RUN: sed 's/^  constexpr int slot_stride = (BM \* LD + BK \* BN) \* sizeof(float);/  constexpr int slot_stride = BM * LD * sizeof(float);/' %t.cu > %t.stride.cu
// RUN: not diff -q %t.cu %t.stride.cu
// RUN: not pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.stride.cu 2>&1 | FileCheck --check-prefix=STRIDE %s
// STRIDE: error: {{.*}}[write-in-flight]
// RUN: sed -e 's/return 3 \* (BM/return 2 * (BM/' -e '/static_assert/d' %t.cu > %t.short.cu
// RUN: not diff -q %t.cu %t.short.cu
// RUN: not pipeline-rewrite --cuda-path=none --verify=cpu --compare=%s %t.short.cu 2>&1 | FileCheck --check-prefix=SHORT %s
// SHORT: error: {{.*}}[out-of-bounds-shared]

#include <cuda_runtime.h>
#include <cstdio>

constexpr int Rows = 16, Depth = 64;

// Square tiles in one instantiation, which alone would not tell BM from BN.
// CHECK: // Dynamic shared memory of gemm, in bytes.
// CHECK-NEXT: template <int BM, int BN, int BK>
// CHECK-NEXT: gemm_shared_bytes() {
// CHECK-NEXT: constexpr int LD = BK + 4;
// CHECK-NEXT: return 3 * (BM * LD + BK * BN) * sizeof(float);
// CHECK: constexpr int slot_stride = (BM * LD + BK * BN) * sizeof(float); // bytes from one slot to the next
// CHECK-NEXT: static_assert(3 * slot_stride <= gemm_shared_bytes<BM, BN, BK>(), "every launch gives all slots");
template <int BM, int BN, int BK>
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  constexpr int LD = BK + 4;
  extern __shared__ float s[];
  float *As = s;
  float *Bs = As + BM * LD;
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int k = tx; k < BK; k += BN)
      As[ty * LD + k] = A[ty * K + k0 + k];
    for (int k = ty; k < BK; k += BM)
      Bs[k * BN + tx] = B[(k0 + k) * BN + tx];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[ty * LD + k] * Bs[k * BN + tx];
    __syncthreads();
  }
  C[ty * BN + tx] = acc;
}

// What stands before the tile is spelled as well; bytes are counted as bytes.
// CHECK: behind_shared_bytes() {
// CHECK-NEXT: return Rows * Depth + 3 * Depth * sizeof(float);
// CHECK: constexpr int slot_stride = Depth * sizeof(float);
// CHECK-NEXT: static_assert(Rows * Depth + 3 * slot_stride <= behind_shared_bytes(),
__global__ void behind(const float *__restrict__ A, const unsigned char *__restrict__ W, float *__restrict__ C, int K) {
  extern __shared__ __align__(16) unsigned char block[];
  unsigned char *weights = block;
  float *tile = reinterpret_cast<float *>(weights + Rows * Depth);
  int t = threadIdx.x;
  for (int i = 0; i < Rows; ++i)
    weights[i * Depth + t] = W[i * Depth + t];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Depth) {
    tile[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < Depth; ++k)
      acc += tile[k] * weights[t % Rows * Depth + k];
    __syncthreads();
  }
  C[t] = acc;
}

// Rows of an array; elements whose type is not written.
// CHECK: rows_shared_bytes() {
// CHECK-NEXT: return 3 * Long * Rows * sizeof(float);
// CHECK: constexpr int slot_stride = Long * Rows * sizeof(float);
constexpr int Long = 68;
__global__ void rows(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float r[][Long];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Rows) {
    for (int i = 0; i < Rows; ++i)
      r[i][t] = A[k0 + i + t];
    __syncthreads();
    for (int i = 0; i < Rows; ++i)
      acc += r[i][63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK: untyped_shared_bytes() {
// CHECK-NEXT: return 768;
__global__ void untyped(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  auto *tile = s + 0;
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Depth) {
    tile[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < Depth; ++k)
      acc += tile[k];
    __syncthreads();
  }
  C[t] = acc;
}

// 'n' means two things in this kernel.
// CHECK: twice_shared_bytes() {
// CHECK-NEXT: return 768;
// CHECK: constexpr int slot_stride = 256;
__global__ void twice(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  constexpr int n = 64;
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += n) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < n; ++k)
      acc += s[k];
    __syncthreads();
  }
  for (int n = 0; n < 2; ++n)
    acc += n;
  C[t] = acc;
}

#define WIDTH 32
// A macro that changes on the way from the function to the loop.
// CHECK: changing_shared_bytes() {
// CHECK-NEXT: return 768;
// CHECK: constexpr int slot_stride = 256;
__global__ void changing(const float *__restrict__ A, float *__restrict__ C, int K) {
#undef WIDTH
#define WIDTH 64
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += WIDTH) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < WIDTH; ++k)
      acc += s[k];
    __syncthreads();
  }
  C[t] = acc;
}

// A constant of its own for the whole; a local constant goes along.
constexpr int Width = 64;
// CHECK: staged_shared_bytes() {
// CHECK-NEXT: return 3 * Width * sizeof(float);
// CHECK: constexpr int slot_stride = Width * sizeof(float);
__global__ void staged(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Width) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < Width; ++k)
      acc += s[k];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    s[i * 64 + t] = acc;
  __syncthreads();
  C[t] = s[448 + (t + 1) % 64];
}

// The same, given by a constant that is made of the kernel's: the function takes the larger of both.
constexpr int StagedBytes = 2 * Width * sizeof(float);
// CHECK: joined_shared_bytes() {
// CHECK-NEXT: return StagedBytes > 3 * Width * sizeof(float) ? StagedBytes : 3 * Width * sizeof(float);
__global__ void joined(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Width) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < Width; ++k)
      acc += s[k];
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    s[i * 64 + t] = acc;
  __syncthreads();
  C[t] = s[64 + (t + 1) % 64];
}

// One instantiation is given enough already, behind other bytes than those of the other one: it keeps what it is given.
// CHECK: enough_shared_bytes() {
// CHECK-NEXT: return {{.*}} + 3 * N * sizeof(float);
template <int Q, int N> __global__ void enough(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  float *tile = s + Q * 16;
  int t = threadIdx.x;
  for (int i = t; i < Q * 16; i += N)
    s[i] = A[i];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += N) {
    tile[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc += tile[k] * s[k % (Q * 16)];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: int main() {
// CHECK: gemm<8, 16, 16><<<1, dim3(16, 8), gemm_shared_bytes<8, 16, 16>()>>>
// CHECK: enough<1, 64><<<1, 64, (size_t(320) > enough_shared_bytes<1, 64>() ? size_t(320) : enough_shared_bytes<1, 64>())>>>
// CHECK: enough<40, 32><<<1, 32, (size_t(4096) > enough_shared_bytes<40, 32>() ? size_t(4096) : enough_shared_bytes<40, 32>())>>>
// CHECK: staged<<<1, 64, (size_t(given) > staged_shared_bytes() ? size_t(given) : staged_shared_bytes())>>>(A
// CHECK: joined<<<1, 64, joined_shared_bytes()>>>(A
int main() {
  float *A, *B, *C;
  unsigned char *W;
  cudaMallocManaged(&A, 8192 * sizeof(float));
  cudaMallocManaged(&B, 8192 * sizeof(float));
  cudaMallocManaged(&C, 1024 * sizeof(float));
  cudaMallocManaged(&W, Rows * Depth);
  for (int i = 0; i < 8192; ++i)
    A[i] = i % 13, B[i] = i % 7;
  for (int i = 0; i < 1024; ++i)
    W[i] = i % 5;
  for (int K = 0; K <= 256; K += 64) {
    gemm<16, 16, 8><<<1, dim3(16, 16), (16 * 12 + 8 * 16) * sizeof(float)>>>(A, B, C, K);
    gemm<8, 16, 16><<<1, dim3(16, 8), (8 * 20 + 16 * 16) * sizeof(float)>>>(A, B, C, K);
    behind<<<1, Depth, Rows * Depth + Depth * sizeof(float)>>>(A, W, C, K);
    rows<<<1, 64, Rows * Long * sizeof(float)>>>(A, C, K);
    untyped<<<1, 64, 256>>>(A, C, K);
    twice<<<1, 64, 256>>>(A, C, K);
    changing<<<1, 64, 256>>>(A, C, K);
    enough<1, 64><<<1, 64, 320>>>(A, C, K);
    enough<40, 32><<<1, 32, 4096>>>(A, C, K);
    int given = 2048;
    staged<<<1, 64, given>>>(A, C, K);
    joined<<<1, 64, StagedBytes>>>(A, C, K);
  }
  cudaDeviceSynchronize();
  std::printf("%g\n", C[0]);
}
