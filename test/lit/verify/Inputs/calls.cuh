#pragma once

template <int Width>
__device__ void loadRows(float (*to)[Width], const float *from, int pitch, unsigned row) {
  for (unsigned r = row; r < Width; r += 16) {
    const float value = from[r * pitch + threadIdx.x];
    to[r][threadIdx.x] = value;
  }
}

template <int Width>
__global__ void transposed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Width][Width];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Width) {
    ::loadRows<Width>(As, A + k0, K, threadIdx.y); // not one that another file may find by its arguments
    __syncthreads();
    for (int k = 0; k < Width; ++k)
      acc = acc * 0.5f + As[threadIdx.y][k] - As[k][threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.y * Width + threadIdx.x] = acc;
}
