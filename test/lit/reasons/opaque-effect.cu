// Some statements no memory access may pass, in either direction.
// RUN: %refused %s %t opaque-effect
// RUN: %rewritten %s %t
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void bad_assembly(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    asm volatile("membar.gl;");
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_memory_clobber(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    asm volatile("" ::: "memory");
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K, float (*f)(float)) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
// CHECK: [[#@LINE+1]]:14: warning: {{.*}}a call through 'f', which may be any function{{.*}}[opaque-effect]
      acc += f(As[k]);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_named_barrier(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    asm volatile("bar.sync 1, 64;");
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_fence(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    __threadfence();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_printf(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    printf("%f\n", acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_assert(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    assert(acc > 0);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_trap(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (acc < 0)
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[opaque-effect]
      __trap();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_clock(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:12: warning: {{.*}}[opaque-effect]
    acc += clock64();
    __syncthreads();
  }
  C[tx] = acc;
}

extern __device__ void elsewhere(float value);

__global__ void bad_unknown_call(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    elsewhere(acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_function_pointer(
    const float *__restrict__ A, float *__restrict__ C, int K, float (*f)(float)) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:11: warning: {{.*}}[opaque-effect]
    acc = f(acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_static_local(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[opaque-effect]
    static int calls;
    calls++;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_barrier_with_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:9: warning: {{.*}}[opaque-effect]
    if (__syncthreads_or(acc > 9))
      acc = 0;
  }
  C[tx] = acc;
}

__global__ void bad_volatile_source(const volatile float *A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:14: warning: {{.*}}[opaque-effect]
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_volatile_flag(
    const float *__restrict__ A, float *__restrict__ C, int K, volatile int *flag) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
// CHECK: [[#@LINE+1]]:12: warning: {{.*}}[opaque-effect]
    acc += *flag;
    __syncthreads();
  }
  C[tx] = acc;
}

// Warp-level exchange, arithmetic in assembly, and calls whose body is here do not touch the copy.
__global__ void good_shuffle(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    acc += __shfl_xor_sync(0xffffffff, acc, 1);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_syncwarp(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncwarp();
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_arithmetic_assembly(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    asm("sqrt.rn.f32 %0, %1;" : "=f"(acc) : "f"(acc));
    __syncthreads();
  }
  C[tx] = acc;
}

__device__ float half(float value) { return value / 2; }

__global__ void good_known_call(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    acc = half(acc);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_fence_before_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  __threadfence();
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
