// One sweep of a 7-point stencil that marches through z: the plane of the moment
// lies in shared memory with a border of one, the values above and below come
// straight from global memory, and each iteration stores its plane. Places on the
// surface of the volume keep their value.
//
// Sizes: depth, height, width
#include "../../samples/common.h"

constexpr int TileX = 32;
constexpr int TileY = 8;

__global__ void stencil3d(const float *__restrict__ in,
                          float *__restrict__ out, int depth, int height,
                          int width) {
  __shared__ float plane[TileY + 2][TileX + 2];
  const int x = blockIdx.x * TileX + threadIdx.x;
  const int y = blockIdx.y * TileY + threadIdx.y;
  const int area = height * width;
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;

  for (int z = 1; z < depth - 1; ++z) {
    for (int dy = threadIdx.y; dy < TileY + 2; dy += TileY)
      for (int dx = threadIdx.x; dx < TileX + 2; dx += TileX) {
        const int gx = blockIdx.x * TileX + dx - 1;
        const int gy = blockIdx.y * TileY + dy - 1;
        plane[dy][dx] = gx >= 0 && gx < width && gy >= 0 && gy < height
                            ? in[z * area + gy * width + gx]
                            : 0.0f;
      }
    __syncthreads();

    if (inside) {
      const int at = z * area + y * width + x;
      const int tx = threadIdx.x + 1;
      const int ty = threadIdx.y + 1;
      out[at] = 0.4f * plane[ty][tx] +
                0.1f * (plane[ty][tx - 1] + plane[ty][tx + 1] +
                        plane[ty - 1][tx] + plane[ty + 1][tx] +
                        in[at - area] + in[at + area]);
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {64, 256, 256}, {5, 19, 37});
  const int depth = options.sizes[0];
  const int height = options.sizes[1];
  const int width = options.sizes[2];
  const size_t area = size_t(height) * width;
  const std::vector<float> volume = sample::uniform(depth * area, 1);
  const sample::DeviceArray<float> in(volume);
  const sample::DeviceArray<float> out(volume);

  const dim3 block(TileX, TileY);
  const dim3 grid(sample::ceilDiv(width, TileX),
                  sample::ceilDiv(height, TileY));
  auto launch = [&] {
    stencil3d<<<grid, block>>>(in.data(), out.data(), depth, height, width);
  };
  return sample::runSample(options, launch, out, 1e-5, [&](size_t i) {
    const int x = int(i % width);
    const int y = int(i / width % height);
    const int z = int(i / area);
    const double here = volume[i];
    if (x == 0 || y == 0 || z == 0 || x == width - 1 || y == height - 1 ||
        z == depth - 1)
      return here;
    return 0.4 * here +
           0.1 * (double(volume[i - 1]) + volume[i + 1] + volume[i - width] +
                  volume[i + width] + volume[i - area] + volume[i + area]);
  });
}
