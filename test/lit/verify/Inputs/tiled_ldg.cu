// tiled.cu with two slots and loads through registers, by hand.
constexpr int T = 16;

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[2][T][T];
  __shared__ float Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  int slot = 0;
  int k0 = 0;
  if (k0 < K) {
    As[0][ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[0][ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (k0 += T; k0 < K; k0 += T) {
      const float a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
      const float b = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
      for (int k = 0; k < T; ++k)
        acc += As[slot][ty][k] * Bs[slot][k][tx];
      As[slot ^ 1][ty][tx] = a;
      Bs[slot ^ 1][ty][tx] = b;
      __syncthreads();
      slot ^= 1;
    }
    for (int k = 0; k < T; ++k)
      acc += As[slot][ty][k] * Bs[slot][k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
