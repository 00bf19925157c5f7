// cp.async moves 4, 8 or 16 unchanged bytes from global memory, and fills with zero only.
// RUN: %refused %s %t no-async-copy --variant=cp-async --arch=sm_80
// RUN: %rewritten %s %t --variant=cp-async --arch=sm_80
#include <cuda_runtime.h>

__global__ void bad_two_bytes(const short *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ short As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_twelve_bytes(const float3 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float3 As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[tx ^ 1].x;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_conversion(const int *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_scaled(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx] * 2;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_fill_with_one(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : 1.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_fill_with_minus_zero(
    const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : -0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_transposed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    float4 v = reinterpret_cast<const float4 *>(A + k0 * 4)[tx];
    As[tx] = v.x;
    As[tx + 16] = v.y;
    As[tx + 32] = v.z;
    As[tx + 48] = v.w;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

struct Loose {
  float x, y;
};
__global__ void bad_loosely_aligned(const Loose *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Loose As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}it moves 8 bytes whose type is aligned to 4{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k].x * As[k].y;
    __syncthreads();
  }
  C[tx] = acc;
}

// One, two or four floats, guarded by zero or not.
__global__ void good_scalar(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_pair(const float2 *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float2 As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[tx ^ 1].x;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_quad(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx < 4)
      reinterpret_cast<float4 *>(As)[tx] = reinterpret_cast<const float4 *>(A + k0)[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_zero_fill(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = k0 + tx < K ? A[k0 + tx] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_else_zero(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (k0 + tx < K)
      As[tx] = A[k0 + tx];
    else
      As[tx] = 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_padded_slot(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[17];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (tx < 4)
      reinterpret_cast<float4 *>(As)[tx] = reinterpret_cast<const float4 *>(A + k0)[tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
