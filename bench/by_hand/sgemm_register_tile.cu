// sgemm_register_tile by hand: two slots, the next tile in registers while this one
// is computed, loads under a condition, two tiles a turn.
template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__(BM *BN / (TM * TN))
    sgemm_register_tile(const float *__restrict__ A,
                        const float *__restrict__ B, float *__restrict__ C,
                        int N, int K) {
  __shared__ __align__(16) float As[2][BK][BM];
  __shared__ __align__(16) float Bs[2][BK][BN];
  const int aRow = threadIdx.x / (BK / 4);
  const int aCol = threadIdx.x % (BK / 4) * 4;
  const int bRow = threadIdx.x / (BN / 4);
  const int bCol = threadIdx.x % (BN / 4) * 4;
  const int cRow = threadIdx.x / (BN / TN) * TM;
  const int cCol = threadIdx.x % (BN / TN) * TN;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM][TN] = {};
  auto compute = [&](int slot) {
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float aReg[TM];
      float bReg[TN];
      for (int i = 0; i < TM; ++i)
        aReg[i] = As[slot][k][cRow + i];
      for (int j = 0; j < TN; ++j)
        bReg[j] = Bs[slot][k][cCol + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += aReg[i] * bReg[j];
    }
  };
  auto store = [&](int slot, float4 a, float4 b) {
    As[slot][aCol + 0][aRow] = a.x;
    As[slot][aCol + 1][aRow] = a.y;
    As[slot][aCol + 2][aRow] = a.z;
    As[slot][aCol + 3][aRow] = a.w;
    *reinterpret_cast<float4 *>(&Bs[slot][bRow][bCol]) = b;
  };

  float4 a = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float4 b = a;
  if (K > 0) {
    a = *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]);
    b = *reinterpret_cast<const float4 *>(&B[bRow * N + bCol]);
  }
  int slot = 0;
  store(0, a, b);
  __syncthreads();
#pragma unroll 2
  for (int k0 = 0; k0 < K; k0 += BK) {
    A += BK;
    B += BK * N;
    if (k0 + BK < K) {
      a = *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]);
      b = *reinterpret_cast<const float4 *>(&B[bRow * N + bCol]);
    }
    compute(slot);
    // Behind the last tile this stores what nobody reads: a condition would put
    // all stores behind a branch, after the last multiply-add.
    store(slot ^ 1, a, b);
    __syncthreads();
    slot ^= 1;
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4)
      *reinterpret_cast<float4 *>(&C[(cRow + i) * N + cCol + j]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
