// A program of its own: two launches, the second on what the first made.
#include <cuda_runtime.h>

#include <cstdio>

#define TILE 8

__global__ void rows(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[TILE];
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[threadIdx.x] = k0 + threadIdx.x < K ? A[blockIdx.x * K + k0 + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[k] * (threadIdx.x + 1);
    __syncthreads();
  }
  C[blockIdx.x * TILE + threadIdx.x] = sum;
}

int main() {
  float host[40], sums[16];
  for (int i = 0; i < 40; ++i)
    host[i] = (float)i / 3;
  float *A, *B, *C;
  cudaMalloc((void **)&A, sizeof host);
  cudaMalloc((void **)&B, sizeof sums);
  cudaMalloc((void **)&C, sizeof sums);
  cudaMemcpy(A, host, sizeof host, cudaMemcpyHostToDevice);
  rows<<<2, TILE>>>(A, B, 20);
  rows<<<2, TILE>>>(B, C, 8);
  cudaMemcpy(sums, C, sizeof sums, cudaMemcpyDeviceToHost);
  std::printf("%g\n", sums[3]);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return 0;
}
