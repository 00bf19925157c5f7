// What counts as a multiply-add: vectors by element, dp4a, tensor-core instructions in PTX, functions that are called, and
// loops that only --assume gives a length.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --block=32 --dry-run %s 2>/dev/null | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --block=32 --assume=WIDTH=16 --dry-run %s 2>/dev/null | FileCheck %s --check-prefix=ASSUMED
// CHECK-DAG: ratio: 2 * 4*8 multiply-adds * 32 threads / 512 B
// CHECK-DAG: ratio: 2 * 8*4 multiply-adds * 32 threads / 128 B
// CHECK-DAG: ratio: 2 * 3*16*8*16/32 multiply-adds * 32 threads / 128 B
// CHECK-DAG: ratio: 2 * (5 + 2*7) multiply-adds * 32 threads / 128 B
// CHECK-NOT: 16 multiply-adds
// ASSUMED: ratio: 2 * 16 multiply-adds * 32 threads / 128 B

__device__ inline float step(float a, float b, float c) { return a * b + c; }

__global__ void vectors(const float4 *__restrict__ A, float4 *__restrict__ C, int K) {
  __shared__ float4 As[32];
  float4 acc = {0, 0, 0, 0};
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      acc.x += As[k].x * 2.0f;
      acc.y += As[k].y * 2.0f;
      acc.z += As[k].z * 2.0f;
      acc.w += As[k].w * 2.0f;
    }
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void bytes(const int *__restrict__ A, int *__restrict__ C, int K) {
  __shared__ int As[32];
  int acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc = __dp4a(As[k], 3, acc);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void tensor(const unsigned *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ unsigned As[32];
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 3; ++k)
      asm("{ mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3}; }"
          : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(As[k]));
    __syncthreads();
  }
  C[threadIdx.x] = d0 + d1 + d2 + d3;
}

__global__ void called(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  float acc = 0, sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 5; ++k)
      acc = step(As[k], 2.0f, acc);
    for (int k = 7; k > 0; --k) {
      sum += As[k] * As[k + 1];
      acc -= As[k] * 3.0f;
    }
    __syncthreads();
  }
  C[threadIdx.x] = acc + sum;
}

__global__ void assumed(const float *__restrict__ A, float *__restrict__ C, int K, int WIDTH) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < WIDTH; ++k)
      acc += As[k] * 2.0f;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
