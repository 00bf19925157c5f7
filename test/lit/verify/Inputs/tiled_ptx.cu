// tiled_cp_async.cu with the copies as inline PTX.
#include <cstdint>

constexpr int T = 16;

__device__ __forceinline__ void copy(float *to, const float *from, bool guard) {
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  const int bytes = guard ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;\n" ::"r"(address),
               "l"(from), "n"(4), "r"(bytes));
}

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
    bool a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
    copy(&As[0][ty][tx], a ? &A[row * K + k0 + tx] : A, a);
    copy(&Bs[0][ty][tx], b ? &B[(k0 + ty) * N + col] : B, b);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group 0;\n" ::: "memory");
    __syncthreads();
    for (k0 += T; k0 < K; k0 += T) {
      a = row < M && k0 + tx < K, b = k0 + ty < K && col < N;
      copy(&As[slot ^ 1][ty][tx], a ? &A[row * K + k0 + tx] : A, a);
      copy(&Bs[slot ^ 1][ty][tx], b ? &B[(k0 + ty) * N + col] : B, b);
      asm volatile("cp.async.commit_group;\n" ::);
      for (int k = 0; k < T; ++k)
        acc += As[slot][ty][k] * Bs[slot][k][tx];
      asm volatile("cp.async.wait_all;\n" ::: "memory");
      __syncthreads();
      slot ^= 1;
    }
    for (int k = 0; k < T; ++k)
      acc += As[slot][ty][k] * Bs[slot][k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
