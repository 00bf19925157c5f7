// Sums of rows, tile by tile.
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
