// sgemm_register_tile by hand: two slots; the tile of A, which is stored transposed,
// passes through registers, the tile of B travels asynchronously; the last tile is
// peeled, and two tiles a turn make the slots constants.
#include <cuda_pipeline_primitives.h>

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
  auto storeA = [&](int slot, float4 a) {
    As[slot][aCol + 0][aRow] = a.x;
    As[slot][aCol + 1][aRow] = a.y;
    As[slot][aCol + 2][aRow] = a.z;
    As[slot][aCol + 3][aRow] = a.w;
  };
  auto issueB = [&](int slot) {
    __pipeline_memcpy_async(&Bs[slot][bRow][bCol], &B[bRow * N + bCol], 16);
    __pipeline_commit();
  };

  if (K > 0) {
    int slot = 0;
    issueB(0);
    storeA(0, *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]));
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll 2
    for (int k0 = BK; k0 < K; k0 += BK) {
      A += BK;
      B += BK * N;
      issueB(slot ^ 1);
      const float4 a = *reinterpret_cast<const float4 *>(&A[aRow * K + aCol]);
      compute(slot);
      storeA(slot ^ 1, a);
      __pipeline_wait_prior(0);
      __syncthreads();
      slot ^= 1;
    }
    compute(slot);
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; j += 4)
      *reinterpret_cast<float4 *>(&C[(cRow + i) * N + cCol + j]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
}
