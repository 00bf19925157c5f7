// The covariance matrix of `features` columns over `count` rows of data, with the
// means known: a value meets its mean on its way to shared memory, so no copy
// can be asynchronous. 16x16 threads, one element of the matrix each.
//
// Sizes: features, rows
#include "../../samples/common.h"

constexpr int Tile = 16;

__global__ void covariance(const float *__restrict__ data,
                           const float *__restrict__ mean,
                           float *__restrict__ result, int features,
                           int count) {
  __shared__ float left[Tile][Tile];
  __shared__ float right[Tile][Tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int i = blockIdx.y * Tile + ty;
  const int j = blockIdx.x * Tile + tx;
  const int leftColumn = blockIdx.y * Tile + tx;

  float acc = 0.0f;
  for (int s = 0; s < count; s += Tile) {
    left[ty][tx] = s + ty < count && leftColumn < features
                       ? data[(s + ty) * features + leftColumn] -
                             mean[leftColumn]
                       : 0.0f;
    right[ty][tx] = s + ty < count && j < features
                        ? data[(s + ty) * features + j] - mean[j]
                        : 0.0f;
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += left[k][ty] * right[k][tx];
    __syncthreads();
  }
  if (i < features && j < features)
    result[i * features + j] = acc / (count - 1);
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {512, 4096}, {20, 70});
  const int features = options.sizes[0];
  const int count = options.sizes[1];
  const std::vector<float> values =
      sample::uniform(size_t(features) * count, 1, 0.0f, 1.0f);
  std::vector<float> means(features);
  for (int f = 0; f < features; ++f) {
    double sum = 0;
    for (int s = 0; s < count; ++s)
      sum += values[size_t(s) * features + f];
    means[f] = count > 0 ? float(sum / count) : 0.0f;
  }
  const sample::DeviceArray<float> data(values);
  const sample::DeviceArray<float> mean(means);
  const sample::DeviceArray<float> result(size_t(features) * features);

  const dim3 block(Tile, Tile);
  const int blocks = sample::ceilDiv(features, Tile);
  auto launch = [&] {
    covariance<<<dim3(blocks, blocks), block>>>(
        data.data(), mean.data(), result.data(), features, count);
  };
  return sample::runSample(options, launch, result, 1e-3, [&](size_t at) {
    const size_t i = at / features;
    const size_t j = at % features;
    double sum = 0;
    for (int s = 0; s < count; ++s)
      sum += (double(values[size_t(s) * features + i]) - means[i]) *
             (double(values[size_t(s) * features + j]) - means[j]);
    return sum / (count - 1);
  });
}
