// Sample: the scores of attention, S = scale * Q * K^T, for heads of 64 values.
//
// A block owns 32 queries, which it loads once and keeps. It then walks over
// all keys, 32 at a time: copy the keys to shared memory, wait, write 32x32
// scores, wait. The queries are shared memory too, but they do not change
// within the loop: only the keys are streamed.
//
// Everything is kept as float4. A row of keys is padded by one of them, so that
// the eight threads of one memory request hit different banks. Keys and queries
// past the end are read as zero, and their scores are not written.
//
// Each iteration stores scores to global memory. Reading the next keys earlier
// is only right because __restrict__ says that scores and keys do not overlap.
//
// Sizes: queries keys
#include "common.h"

constexpr int Head = 64;          // values of one query or key
constexpr int Vectors = Head / 4; // the same in float4
constexpr int Rows = 32;          // queries of a block, and keys of a tile
constexpr int Lanes = 8;          // threads in y; a thread scores 4 queries
constexpr int Step = Rows * Lanes / Vectors; // rows that one copy covers

__device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void attention_scores(const float4 *__restrict__ queries,
                                 const float4 *__restrict__ keys,
                                 float *__restrict__ scores, int numQueries,
                                 int numKeys, float scale) {
  __shared__ float4 q[Rows][Vectors];
  __shared__ float4 k[Rows][Vectors + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int q0 = blockIdx.x * Rows;
  const int column = tx % Vectors;                       // of the copies
  const int line = ty * (Rows / Vectors) + tx / Vectors; // of the copies

  for (int r = line; r < Rows; r += Step)
    q[r][column] = q0 + r < numQueries ? queries[(q0 + r) * Vectors + column]
                                       : make_float4(0, 0, 0, 0);

  for (int k0 = 0; k0 < numKeys; k0 += Rows) {
#pragma unroll
    for (int i = 0; i < Rows / Step; ++i) {
      const int r = line + i * Step;
      k[r][column] = k0 + r < numKeys ? keys[(k0 + r) * Vectors + column]
                                      : make_float4(0, 0, 0, 0);
    }
    __syncthreads();

    float score[Rows / Lanes] = {};
    for (int v = 0; v < Vectors; ++v) {
      const float4 key = k[tx][v];
      for (int i = 0; i < Rows / Lanes; ++i)
        score[i] += dot(q[ty + i * Lanes][v], key);
    }
    for (int i = 0; i < Rows / Lanes; ++i) {
      const int query = q0 + ty + i * Lanes;
      if (query < numQueries && k0 + tx < numKeys)
        scores[query * numKeys + k0 + tx] = scale * score[i];
    }
    __syncthreads();
  }
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {4096, 4096}, {40, 70});
  const int numQueries = options.sizes[0];
  const int numKeys = options.sizes[1];
  const float scale = 1.0f / std::sqrt(float(Head));
  const std::vector<float> q = sample::uniform(size_t(numQueries) * Head, 1);
  const std::vector<float> k = sample::uniform(size_t(numKeys) * Head, 2);
  const sample::DeviceArray<float> queries(q);
  const sample::DeviceArray<float> keys(k);
  const sample::DeviceArray<float> scores(size_t(numQueries) * numKeys);

  const dim3 block(Rows, Lanes);
  const int grid = sample::ceilDiv(numQueries, Rows);
  auto launch = [&] {
    attention_scores<<<grid, block>>>(
        reinterpret_cast<const float4 *>(queries.data()),
        reinterpret_cast<const float4 *>(keys.data()), scores.data(),
        numQueries, numKeys, scale);
  };
  return sample::runSample(options, launch, scores, 1e-3, [&](size_t i) {
    const size_t query = i / numKeys;
    const size_t key = i % numKeys;
    double sum = 0;
    for (int d = 0; d < Head; ++d)
      sum += double(q[query * Head + d]) * k[key * Head + d];
    return scale * sum;
  });
}
