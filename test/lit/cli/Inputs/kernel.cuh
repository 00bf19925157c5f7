#pragma once

template <int Width>
__global__ void scale(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Width];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Width) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < Width; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
