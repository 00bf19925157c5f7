// Sample: the pull of many bodies on each target, all pairs.
//
// A thread owns one target. The block walks over the sources in tiles of 256:
// each thread copies one body, a float4 of position and mass, to shared memory,
// and then every thread reads all 256 of them. A slot past the last source is
// filled with a body of mass zero at the origin, which pulls nobody; so the
// inner loop needs no test.
//
// Sizes: targets sources
#include "common.h"

constexpr int Threads = 256;
constexpr float Softening =
    1e-3f; // keeps a body from dividing by zero on itself

__global__ void nbody(const float4 *__restrict__ targets, int numTargets,
                      const float4 *__restrict__ sources, int numSources,
                      float4 *__restrict__ pull) {
  __shared__ float4 tile[Threads];
  const int i = blockIdx.x * Threads + threadIdx.x;
  const float4 me = i < numTargets ? targets[i] : make_float4(0, 0, 0, 0);

  float3 sum = make_float3(0, 0, 0);
  const int numTiles = (numSources + Threads - 1) / Threads;
  for (int t = 0; t < numTiles; ++t) {
    const int j = t * Threads + threadIdx.x;
    tile[threadIdx.x] = j < numSources ? sources[j] : make_float4(0, 0, 0, 0);
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < Threads; ++k) {
      const float dx = tile[k].x - me.x;
      const float dy = tile[k].y - me.y;
      const float dz = tile[k].z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz + Softening;
      const float inverse = rsqrtf(r2);
      const float strength = tile[k].w * inverse * inverse * inverse;
      sum.x += strength * dx;
      sum.y += strength * dy;
      sum.z += strength * dz;
    }
    __syncthreads();
  }
  if (i < numTargets)
    pull[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

// Positions in [-1, 1), masses in [0, 1).
std::vector<float4> randomBodies(int count, unsigned seed) {
  const std::vector<float> values = sample::uniform(size_t(count) * 4, seed);
  std::vector<float4> bodies;
  for (int i = 0; i < count; ++i)
    bodies.push_back(make_float4(values[4 * i], values[4 * i + 1],
                                 values[4 * i + 2],
                                 0.5f + 0.5f * values[4 * i + 3]));
  return bodies;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {16384, 16384}, {100, 700});
  const int numTargets = options.sizes[0];
  const int numSources = options.sizes[1];
  const std::vector<float4> targets = randomBodies(numTargets, 1);
  const std::vector<float4> sources = randomBodies(numSources, 2);
  const sample::DeviceArray<float4> deviceTargets(targets);
  const sample::DeviceArray<float4> deviceSources(sources);
  const sample::DeviceArray<float> pull(size_t(numTargets) * 4);

  const int blocks = sample::ceilDiv(numTargets, Threads);
  auto launch = [&] {
    nbody<<<blocks, Threads>>>(deviceTargets.data(), numTargets,
                               deviceSources.data(), numSources,
                               reinterpret_cast<float4 *>(pull.data()));
  };
  return sample::runSample(options, launch, pull, 1e-3, [&](size_t i) {
    const float4 me = targets[i / 4];
    double sum[4] = {};
    for (const float4 &body : sources) {
      const double dx = double(body.x) - me.x;
      const double dy = double(body.y) - me.y;
      const double dz = double(body.z) - me.z;
      const double r2 = dx * dx + dy * dy + dz * dz + Softening;
      const double strength = body.w / (r2 * std::sqrt(r2));
      sum[0] += strength * dx;
      sum[1] += strength * dy;
      sum[2] += strength * dz;
    }
    return sum[i % 4];
  });
}
