// Parts of a dynamic block: following each thread also tells whether it stores an element twice, whatever moves the index.
// Asynchronous copies have no order, so such a tile stays with ldg.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --allow-cliff --verify=cpu %s -o %t.cu 2>&1 | FileCheck %s
// CHECK-DAG: proof (cpu): proved
#include <cuda_runtime.h>

// CHECK-DAG: stored-twice.cu:[[#@LINE+5]]:3: remark: pipelined: cp-async
__global__ void bumped(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float tile[];
  int x = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 128) {
    int to = x;
    for (int i = 0; i < 4; ++i) {
      tile[to] = A[k0 + to];
      to += 32;
    }
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      acc += tile[k] * (x + 1);
    __syncthreads();
  }
  C[x] = acc;
}

// CHECK-DAG: stored-twice.cu:[[#@LINE+5]]:3: warning: {{.*}}'again' is not pipelined: no tile qualifies; 'tile': one of its elements may be copied twice
__global__ void again(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float tile[];
  int x = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 128) {
    int to = x;
    for (int i = 0; i < 5; ++i) {
      tile[to] = A[k0 + to + i];
      to += i == 3 ? 0 : 32;
    }
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      acc += tile[k] * (x + 1);
    __syncthreads();
  }
  C[x] = acc;
}

// One of two arms is taken, not both.
// CHECK-DAG: stored-twice.cu:[[#@LINE+5]]:3: remark: pipelined: cp-async
__global__ void arms(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float tile[];
  int x = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 128) {
    int to = x;
    for (int i = 0; i < 4; ++i) {
      if (k0 + to < K)
        tile[to] = A[k0 + to];
      else
        tile[to] = 0.0f;
      to += 32;
    }
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      acc += tile[k] * (x + 1);
    __syncthreads();
  }
  C[x] = acc;
}

int main() {
  float *A, *C;
  cudaMallocManaged(&A, 1024 * sizeof(float));
  cudaMallocManaged(&C, 32 * sizeof(float));
  for (int i = 0; i < 1024; ++i)
    A[i] = i % 7;
  bumped<<<1, 32, 128 * 4>>>(A, C, 512);
  again<<<1, 32, 128 * 4>>>(A, C, 512);
  arms<<<1, 32, 128 * 4>>>(A, C, 500);
  return cudaDeviceSynchronize() != cudaSuccess;
}
