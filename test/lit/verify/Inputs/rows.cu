// The smallest K loop: one tile of eight, one block of eight threads.
constexpr int T = 8;

__global__ void rows(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[threadIdx.x] = k0 + threadIdx.x < K ? A[k0 + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[k] * (threadIdx.x + 1);
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}
