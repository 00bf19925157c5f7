// A 1-D convolution layer, channel after channel: 256 threads compute 256 places
// of one output channel; the tile of an input channel has a border of four at
// each side, which eight of the threads copy besides their own value.
//
// Sizes: output channels, input channels, length
#include "../../samples/common.h"

constexpr int Threads = 256;
constexpr int Radius = 4;
constexpr int Taps = 2 * Radius + 1;
constexpr int Width = Threads + 2 * Radius;

__global__ void conv1d_channels(const float *__restrict__ input,
                                const float *__restrict__ weights,
                                float *__restrict__ output, int channels,
                                int length) {
  __shared__ float line[Width];
  const int tid = threadIdx.x;
  const int x0 = blockIdx.x * Threads;
  const float *const filter = weights + blockIdx.y * channels * Taps;

  float acc = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int i = tid; i < Width; i += Threads) {
      const int x = x0 + i - Radius;
      line[i] = x >= 0 && x < length ? input[c * length + x] : 0.0f;
    }
    __syncthreads();
    for (int s = 0; s < Taps; ++s)
      acc += line[tid + s] * filter[c * Taps + s];
    __syncthreads();
  }
  if (x0 + tid < length)
    output[blockIdx.y * length + x0 + tid] = acc;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {64, 64, 65536}, {3, 5, 300});
  const int filters = options.sizes[0];
  const int channels = options.sizes[1];
  const int length = options.sizes[2];
  const std::vector<float> signal =
      sample::uniform(size_t(channels) * length, 1);
  const std::vector<float> weights =
      sample::uniform(size_t(filters) * channels * Taps, 2);
  const sample::DeviceArray<float> input(signal);
  const sample::DeviceArray<float> deviceWeights(weights);
  const sample::DeviceArray<float> output(size_t(filters) * length);

  const dim3 grid(sample::ceilDiv(length, Threads), filters);
  auto launch = [&] {
    conv1d_channels<<<grid, Threads>>>(input.data(), deviceWeights.data(),
                                       output.data(), channels, length);
  };
  return sample::runSample(options, launch, output, 1e-3, [&](size_t i) {
    const long long x = i % length;
    const size_t f = i / length;
    double sum = 0;
    for (int c = 0; c < channels; ++c)
      for (int s = 0; s < Taps; ++s)
        if (x + s - Radius >= 0 && x + s - Radius < length)
          sum += double(signal[size_t(c) * length + x + s - Radius]) *
                 weights[(f * channels + c) * Taps + s];
    return sum;
  });
}
