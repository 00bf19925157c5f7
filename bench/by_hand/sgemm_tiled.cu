// sgemm_tiled by hand: two slots, the next tile in registers while this one is
// computed, the last tile peeled, and two tiles a turn so that slots are constants.
constexpr int Tile = 32;

__global__ void sgemm_tiled(const float *__restrict__ A,
                            const float *__restrict__ B, float *__restrict__ C,
                            int M, int N, int K) {
  __shared__ float As[2][Tile][Tile];
  __shared__ float Bs[2][Tile][Tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty;
  const int col = blockIdx.x * Tile + tx;

  float acc = 0.0f;
  if (K > 0) {
    int slot = 0;
    As[0][ty][tx] = row < M && tx < K ? A[row * K + tx] : 0.0f;
    Bs[0][ty][tx] = ty < K && col < N ? B[ty * N + col] : 0.0f;
    __syncthreads();
#pragma unroll 2
    for (int k0 = Tile; k0 < K; k0 += Tile) {
      const float a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
      const float b = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
      for (int k = 0; k < Tile; ++k)
        acc += As[slot][ty][k] * Bs[slot][k][tx];
      slot ^= 1;
      As[slot][ty][tx] = a;
      Bs[slot][ty][tx] = b;
      __syncthreads();
    }
    for (int k = 0; k < Tile; ++k)
      acc += As[slot][ty][k] * Bs[slot][k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
