// Sample: y = A * x, with A stored column by column as BLAS does.
//
// A thread owns one row. All threads of a block need the same x[k] at the same
// time, so the block stages 256 values of x in shared memory and then adds 256
// columns. Neighbouring threads read neighbouring rows of a column straight
// from global memory: only the vector is staged.
//
// The last tile of x may be ragged; the inner loop stops where the columns do.
//
// Sizes: M K
#include "common.h"

constexpr int Threads = 256;

__global__ void gemv(const float *__restrict__ A, const float *__restrict__ x,
                     float *__restrict__ y, int M, int K) {
  __shared__ float xs[Threads];
  const int tid = threadIdx.x;
  const int row = blockIdx.x * Threads + tid;

  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += Threads) {
    xs[tid] = k0 + tid < K ? x[k0 + tid] : 0.0f;
    __syncthreads();

    if (row < M) {
      const int count = min(Threads, K - k0);
#pragma unroll 4
      for (int k = 0; k < count; ++k)
        acc += A[size_t(k0 + k) * M + row] * xs[k];
    }
    __syncthreads();
  }
  if (row < M)
    y[row] = acc;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {16384, 4096}, {100, 300});
  const int M = options.sizes[0];
  const int K = options.sizes[1];
  const std::vector<float> a = sample::uniform(size_t(M) * K, 1);
  const std::vector<float> x = sample::uniform(K, 2);
  const sample::DeviceArray<float> A(a);
  const sample::DeviceArray<float> X(x);
  const sample::DeviceArray<float> Y(M);

  auto launch = [&] {
    gemv<<<sample::ceilDiv(M, Threads), Threads>>>(A.data(), X.data(), Y.data(),
                                                   M, K);
  };
  return sample::runSample(options, launch, Y, 1e-3, [&](size_t row) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(a[size_t(k) * M + row]) * x[k];
    return sum;
  });
}
