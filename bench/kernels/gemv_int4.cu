// y = W * x for weights of four bits, two in a byte, with one scale for each
// group of 128 columns of a row, as in quantised language models. A warp owns a
// row; the block of eight warps stages 1,024 values of x at a time.
//
// K must be a multiple of 1,024 (zero included).
//
// Sizes: rows K
#include "../../samples/common.h"

#include <cuda_fp16.h>

constexpr int Warps = 8;
constexpr int Threads = 32 * Warps;
constexpr int Chunk = 1024; // values of x
constexpr int Group = 128;  // weights under one scale

__global__ void __launch_bounds__(Threads)
    gemv_int4(const unsigned int *__restrict__ W,
              const float *__restrict__ scale, const float *__restrict__ x,
              float *__restrict__ y, int rows, int K) {
  __shared__ __align__(16) float xs[Chunk];
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * Warps + threadIdx.x / 32;

  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += Chunk) {
    *reinterpret_cast<float4 *>(&xs[threadIdx.x * 4]) =
        *reinterpret_cast<const float4 *>(&x[k0 + threadIdx.x * 4]);
    __syncthreads();

    if (row < rows) {
#pragma unroll
      for (int step = 0; step < Chunk; step += 32 * 8) {
        const int k = step + lane * 8;
        const unsigned int packed = W[(size_t(row) * K + k0 + k) / 8];
        float sum = 0.0f;
        for (int i = 0; i < 8; ++i)
          sum += (int(packed >> (4 * i) & 15) - 8) * xs[k + i];
        acc += sum * scale[(size_t(row) * K + k0 + k) / Group];
      }
    }
    __syncthreads();
  }
  for (int offset = 16; offset > 0; offset /= 2)
    acc += __shfl_xor_sync(0xffffffffu, acc, offset);
  if (row < rows && lane == 0)
    y[row] = acc;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {4096, 4096}, {19, 2048});
  const int rows = options.sizes[0];
  const int K = options.sizes[1];
  sample::require(K % Chunk == 0, "K in multiples of 1024");
  const std::vector<unsigned int> w = sample::converted(
      sample::uniform(size_t(rows) * K / 8, 1, 0.0f, 1.0f),
      [](float v) { return (unsigned int)(v * 4294967040.0); });
  const std::vector<float> scales =
      sample::uniform(size_t(rows) * K / Group, 2, 0.01f, 0.02f);
  const std::vector<float> values = sample::uniform(K, 3);
  const sample::DeviceArray<unsigned int> W(w);
  const sample::DeviceArray<float> scale(scales);
  const sample::DeviceArray<float> x(values);
  const sample::DeviceArray<float> y(rows);

  auto launch = [&] {
    gemv_int4<<<sample::ceilDiv(rows, Warps), Threads>>>(
        W.data(), scale.data(), x.data(), y.data(), rows, K);
  };
  return sample::runSample(options, launch, y, 1e-3, [&](size_t row) {
    double sum = 0;
    for (int k = 0; k < K; ++k) {
      const size_t at = row * K + k;
      sum += (int(w[at / 8] >> (4 * (at % 8)) & 15) - 8) *
             double(values[k]) * scales[at / Group];
    }
    return sum;
  });
}
