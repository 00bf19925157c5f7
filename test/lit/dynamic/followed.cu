// What a thread does on its way to an address: calls, guards, counters that
// other statements move, returns. And what is not followed loses the block, with
// the place that lost it.
//
// RUN: pipeline-rewrite --dry-run --cuda-path=none --dump=facts --arch=sm_90 %s 2>/dev/null | FileCheck %s

#include <cuda_runtime.h>

template <typename T> struct SharedMemory {
  __device__ operator T *() {
    extern __shared__ int raw[];
    return reinterpret_cast<T *>(raw);
  }
};

__device__ int swizzle(int row, int column) { return row * 8 + (column ^ row); }

__device__ void put(float *tile, int at, float value) { tile[at] = value; }

// CHECK-LABEL: loop in idiom at line
// CHECK: shared s: 128 bytes {{.*}}dynamic bytes [0, 128) through s
__global__ void idiom(const float *A, float *C, int K) {
  float *s = SharedMemory<float>();
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    s[t] = A[k0 + t];
    __syncthreads();
    acc += s[31 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in called at line
// CHECK: shared s: 256 bytes {{.*}}dynamic bytes [0, 256) through s
__global__ void called(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x, row = t / 8, column = t % 8;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[swizzle(row, column)] = A[k0 + t];
    __syncthreads();
    acc += s[swizzle(column, row)];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in handed at line
// CHECK: dynamic bytes [0, 64) through s
__global__ void handed(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (t < 16)
      put(s, t, A[k0 + t]);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += s[k];
    __syncthreads();
  }
  C[t] = acc;
}

// The counter moves in the copy loop, the bound is the block size.
// CHECK-LABEL: loop in stepped at line
// CHECK: dynamic bytes [0, 512) through s
__global__ void stepped(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 128) {
    int at = t;
    for (int i = 0; i < 4; ++i) {
      s[at] = A[k0 + at];
      at += blockDim.x;
    }
    __syncthreads();
    for (int k = t; k < 128; k += blockDim.x)
      acc += s[k];
    __syncthreads();
  }
  C[t] = acc;
}

// A guard that only the data knows: both ways are taken.
// CHECK-LABEL: loop in guarded at line
// CHECK: dynamic bytes [0, 256) through s
__global__ void guarded(const float *A, float *C, int K, int M) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = k0 + t < M ? A[k0 + t] : 0.0f;
    __syncthreads();
    acc += M > 8 ? s[t] : s[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in chosen at line
// CHECK: dynamic block: [[#@LINE+8]]:{{[0-9]+}}: the index of this access is not bounded
__global__ void chosen(const float *A, float *C, int K, int M) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float *p = M > 8 ? s : s + 64;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    __syncthreads();
    p[t] = A[k0 + t];
    __syncthreads();
    acc += p[63 - t];
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in moving at line
// CHECK: dynamic block: [[#@LINE+7]]:{{[0-9]+}}: the index of this access is not bounded
__global__ void moving(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x, at = 0;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    __syncthreads();
    s[at + t] = A[k0 + t];
    __syncthreads();
    acc += s[at + 63 - t];
    at = 64 - at;
  }
  C[t] = acc;
}

__device__ float *kept;

// CHECK-LABEL: loop in escaping at line
// CHECK: dynamic block: [[#@LINE+4]]:{{[0-9]+}}: an address of the block is stored in memory
__global__ void escaping(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  kept = s;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    acc += s[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in unlaunched at line
// CHECK: dynamic block: {{.*}}: no launch is visible, so the block size is not known
__global__ void unlaunched(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    acc += s[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

// CHECK-LABEL: loop in sizes at line
// CHECK: dynamic block: {{.*}}: its launches ask for blocks of different sizes
__global__ void sizes(const float *A, float *C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
  C[t] = acc;
}

void launch(const float *A, float *C, int K, int M) {
  idiom<<<1, 32, 128>>>(A, C, K);
  called<<<1, 64, 256>>>(A, C, K);
  handed<<<1, 32, 64>>>(A, C, K);
  stepped<<<1, 32, 512>>>(A, C, K);
  guarded<<<1, 64, 256>>>(A, C, K, M);
  chosen<<<1, 64, 512>>>(A, C, K, M);
  moving<<<1, 64, 512>>>(A, C, K);
  escaping<<<1, 64, 256>>>(A, C, K);
  sizes<<<1, 64, 256>>>(A, C, K);
  sizes<<<1, 128, 512>>>(A, C, K);
}
