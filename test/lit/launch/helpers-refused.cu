// Near misses: what is done with the kernel, or with its bytes, besides launching it would change with them.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=2 --allow-cliff --diff %s 2>&1 | FileCheck %s --implicit-check-not='{{^[+-]}}' --implicit-check-not=remark

#include <cuda_runtime.h>
#include <cstdio>

#define PRINTS(k, s) (std::printf("%d bytes\n", int(s)), k<<<1, 64, s>>>(A, C, K))
#define SPLITS(k, s) LIMITED(k, s, s)
#define LIMITED(k, s, most) do { if ((most) < 1024) k<<<1, 64, s>>>(A, C, K); } while (0)

using Kernel = void (*)(const float *, float *, int);
Kernel last;

inline void prints(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  std::printf("%d bytes\n", int(bytes));
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void adds(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  kernel<<<1, 64, bytes + 16>>>(A, C, K);
}
inline void grows(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  bytes *= 2;
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void keeps(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  last = kernel;
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void leaves(Kernel kernel, const float *A, float *C, int K, size_t bytes = 256) {
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void chosen(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void chosen(Kernel kernel, int bytes, const float *A, float *C, int K) { kernel<<<1, 64, 256>>>(A, C, K); }
void absent(Kernel kernel, size_t bytes, const float *A, float *C, int K);
inline void fixes(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 256);
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void narrow(Kernel kernel, short bytes, const float *A, float *C, int K) {
  kernel<<<1, 64, bytes>>>(A, C, K);
}
inline void cuts(Kernel kernel, int bytes, const float *A, float *C, int K) {
  kernel<<<1, 64, (unsigned short)bytes>>>(A, C, K);
}
inline void passes(Kernel kernel, size_t bytes, const float *A, float *C, int K) { chosen(kernel, bytes, A, C, K); }
inline void waits(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  auto later = [=] { kernel<<<1, 64, bytes>>>(A, C, K); };
  later();
}

// CHECK: in 'of_prints' is not pipelined: {{.*}} it is handed to 'prints', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_prints(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_adds' is not pipelined: {{.*}} it is handed to 'adds', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_adds(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_grows' is not pipelined: {{.*}} it is handed to 'grows', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_grows(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_keeps' is not pipelined: {{.*}} it is handed to 'keeps', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_keeps(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_leaves' is not pipelined: {{.*}} it is handed to 'leaves', which gives the bytes by default [launch-not-visible]
__global__ void of_leaves(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_chosen' is not pipelined: {{.*}} it is handed to 'chosen', of which there are several [launch-not-visible]
__global__ void of_chosen(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_absent' is not pipelined: {{.*}} it is handed to 'absent', whose body is not here [launch-not-visible]
__global__ void of_absent(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_fixes' is not pipelined: {{.*}} it is handed to 'fixes', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_fixes(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_narrow' is not pipelined: {{.*}} it is handed to 'narrow', which takes bytes of a type that does not hold every number of them [launch-not-visible]
__global__ void of_narrow(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_passes' is not pipelined: {{.*}} it is handed to 'passes', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_passes(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_waits' is not pipelined: {{.*}} it is handed to 'waits', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments [launch-not-visible]
__global__ void of_waits(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'printing' is not pipelined: {{.*}} cannot be changed: that launch gives its shared bytes to a macro that uses them elsewhere, too [launch-not-visible]
__global__ void printing(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'limiting' is not pipelined: {{.*}} cannot be changed: that launch gives its shared bytes to a macro that uses them elsewhere, too [launch-not-visible]
__global__ void limiting(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'switching' is not pipelined: {{.*}} cannot be changed: that launch shares its statement with a call that changes or resets the device [launch-not-visible]
__global__ void switching(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_cuts' is not pipelined: {{.*}} [launch-not-visible]
__global__ void of_cuts(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
inline void elsewhere(Kernel kernel, size_t bytes, const float *A, float *C, int K) {
  cudaSetDevice(1);
  kernel<<<1, 64, bytes>>>(A, C, K);
}

int main() {
  float *A = nullptr, *C = nullptr;
  int K = 128;
  prints(of_prints, 256, A, C, K);
  adds(of_adds, 256, A, C, K);
  grows(of_grows, 256, A, C, K);
  keeps(of_keeps, 256, A, C, K);
  leaves(of_leaves, A, C, K);
  chosen(of_chosen, size_t(256), A, C, K);
  absent(of_absent, 256, A, C, K);
  fixes(of_fixes, 256, A, C, K);
  narrow(of_narrow, 256, A, C, K);
  cuts(of_cuts, 256, A, C, K);
  passes(of_passes, 256, A, C, K);
  waits(of_waits, 256, A, C, K);
  elsewhere(switching, 256, A, C, K);
  PRINTS(printing, 256);
  SPLITS(limiting, 256);
}
