// Squared distances between the rows of two tables, as nearest neighbours and
// k-means need them. The loop has the leading barrier: wait, copy, wait, compute.
// 16x16 threads, one distance each; all edges may be ragged.
//
// Sizes: points, centres, dimensions
#include "../../samples/common.h"

constexpr int Tile = 16;

__global__ void pairwise_distance(const float *__restrict__ points,
                                  const float *__restrict__ centres,
                                  float *__restrict__ distance, int numPoints,
                                  int numCentres, int dimensions) {
  __shared__ float ps[Tile][Tile + 1];
  __shared__ float cs[Tile][Tile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int point = blockIdx.y * Tile + ty;
  const int centre = blockIdx.x * Tile + tx;
  const int centreRow = blockIdx.x * Tile + ty;

  float sum = 0.0f;
  for (int d = 0; d < dimensions; d += Tile) {
    __syncthreads();
    ps[ty][tx] = point < numPoints && d + tx < dimensions
                     ? points[point * dimensions + d + tx]
                     : 0.0f;
    cs[ty][tx] = centreRow < numCentres && d + tx < dimensions
                     ? centres[centreRow * dimensions + d + tx]
                     : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k) {
      const float difference = ps[ty][k] - cs[tx][k];
      sum += difference * difference;
    }
  }
  if (point < numPoints && centre < numCentres)
    distance[point * numCentres + centre] = sum;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {2048, 1024, 128}, {33, 40, 50});
  const int numPoints = options.sizes[0];
  const int numCentres = options.sizes[1];
  const int dimensions = options.sizes[2];
  const std::vector<float> p =
      sample::uniform(size_t(numPoints) * dimensions, 1);
  const std::vector<float> c =
      sample::uniform(size_t(numCentres) * dimensions, 2);
  const sample::DeviceArray<float> points(p);
  const sample::DeviceArray<float> centres(c);
  const sample::DeviceArray<float> distance(size_t(numPoints) * numCentres);

  const dim3 block(Tile, Tile);
  const dim3 grid(sample::ceilDiv(numCentres, Tile),
                  sample::ceilDiv(numPoints, Tile));
  auto launch = [&] {
    pairwise_distance<<<grid, block>>>(points.data(), centres.data(),
                                       distance.data(), numPoints, numCentres,
                                       dimensions);
  };
  return sample::runSample(options, launch, distance, 1e-3, [&](size_t i) {
    const size_t row = i / numCentres;
    const size_t column = i % numCentres;
    double sum = 0;
    for (int d = 0; d < dimensions; ++d) {
      const double difference = double(p[row * dimensions + d]) -
                                c[column * dimensions + d];
      sum += difference * difference;
    }
    return sum;
  });
}
