// Sample: one 3x3 convolution layer, channel after channel.
//
// blockIdx.z picks the output channel. For each input channel the block copies
// a 16x16 tile with a border of one pixel, 18x18 in all, and adds nine products
// a thread. 256 threads fill 324 places, so some threads copy twice, which the
// two strided loops express. Pixels outside the image count as zero.
//
// The weights are read straight from global memory: all threads of a block want
// the same nine values at a time.
//
// Sizes: output channels, input channels, height, width
#include "common.h"

constexpr int Tile = 16;
constexpr int Radius = 1;
constexpr int Taps = 2 * Radius + 1;
constexpr int Side = Tile + 2 * Radius;

__global__ void conv2d_channels(const float *__restrict__ input,
                                const float *__restrict__ weights,
                                float *__restrict__ output, int channels,
                                int height, int width) {
  __shared__ float tile[Side][Side];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x0 = blockIdx.x * Tile;
  const int y0 = blockIdx.y * Tile;
  const float *const filter = weights + blockIdx.z * channels * Taps * Taps;

  float acc = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int dy = ty; dy < Side; dy += Tile) {
      for (int dx = tx; dx < Side; dx += Tile) {
        const int y = y0 + dy - Radius;
        const int x = x0 + dx - Radius;
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        tile[dy][dx] = inside ? input[(c * height + y) * width + x] : 0.0f;
      }
    }
    __syncthreads();

    for (int r = 0; r < Taps; ++r)
      for (int s = 0; s < Taps; ++s)
        acc += tile[ty + r][tx + s] * filter[(c * Taps + r) * Taps + s];
    __syncthreads();
  }
  if (y0 + ty < height && x0 + tx < width)
    output[(blockIdx.z * height + y0 + ty) * width + x0 + tx] = acc;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {64, 64, 256, 256}, {2, 3, 20, 37});
  const int filters = options.sizes[0];
  const int channels = options.sizes[1];
  const int height = options.sizes[2];
  const int width = options.sizes[3];
  const std::vector<float> image =
      sample::uniform(size_t(channels) * height * width, 1);
  const std::vector<float> weights =
      sample::uniform(size_t(filters) * channels * Taps * Taps, 2);
  const sample::DeviceArray<float> deviceImage(image);
  const sample::DeviceArray<float> deviceWeights(weights);
  const sample::DeviceArray<float> output(size_t(filters) * height * width);

  const dim3 block(Tile, Tile);
  const dim3 grid(sample::ceilDiv(width, Tile), sample::ceilDiv(height, Tile),
                  filters);
  auto launch = [&] {
    conv2d_channels<<<grid, block>>>(deviceImage.data(), deviceWeights.data(),
                                     output.data(), channels, height, width);
  };
  return sample::runSample(options, launch, output, 1e-3, [&](size_t i) {
    const int x = int(i % width);
    const int y = int(i / width % height);
    const size_t f = i / width / height;
    double sum = 0;
    for (int c = 0; c < channels; ++c)
      for (int r = 0; r < Taps; ++r)
        for (int s = 0; s < Taps; ++s) {
          const int iy = y + r - Radius;
          const int ix = x + s - Radius;
          if (iy >= 0 && iy < height && ix >= 0 && ix < width)
            sum += double(image[(size_t(c) * height + iy) * width + ix]) *
                   weights[((f * channels + c) * Taps + r) * Taps + s];
        }
    return sum;
  });
}
