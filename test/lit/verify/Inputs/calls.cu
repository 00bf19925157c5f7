#include "calls.cuh"
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

constexpr int BK = 16;

// Every thread brings one element; the rest of the pad stays as it is.
__device__ void loadOne(float (*to)[BK], const float *from, int pitch) {
  // Row by row.
  to[threadIdx.y][threadIdx.x] = from[threadIdx.y * pitch + threadIdx.x];
}

template <bool Padded>
__device__ void loadOther(float *to, const float *__restrict__ from, int pitch, unsigned short row) {
  const int width = Padded ? BK + 1 : BK;
  to[row * width + threadIdx.x] = from[row * pitch + threadIdx.x];
}

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[BK][BK];
  __shared__ float Bs[BK * (BK + 1)];
  const int tx = threadIdx.x, row = threadIdx.y;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    loadOne(As, A + blockIdx.y * BK * K + k0, K); loadOther<true>(Bs,
                                                                 &B[k0 * N + blockIdx.x * BK], N,
                                                                 row); // the other
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc = acc * 0.75f + As[row][k] * Bs[k * (BK + 1) + tx];
    __syncthreads();
  }
  C[(blockIdx.y * BK + row) * N + blockIdx.x * BK + tx] = acc;
}








__global__ void later(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    acc += As[15 - threadIdx.x];

    printf("");
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

int main() {
  const int M = 32, N = 48, most = 80;
  std::vector<float> host(most * (M + N));
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = (i * 37 % 1009) * 0.125f;
  float *A, *B, *C;
  cudaMalloc(&A, most * M * sizeof(float));
  cudaMalloc(&B, most * N * sizeof(float));
  cudaMalloc(&C, M * N * sizeof(float));
  cudaMemcpy(A, host.data(), most * M * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host.data() + most * M, most * N * sizeof(float), cudaMemcpyHostToDevice);
  for (int K = 0; K <= most; K += BK) {
    gemm<<<dim3(N / BK, M / BK), dim3(BK, BK)>>>(A, B, C, N, K);
    transposed<BK><<<1, dim3(BK, BK)>>>(A, C, K);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
