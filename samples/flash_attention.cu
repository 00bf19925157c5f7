// Sample: attention in one pass, O = softmax(scale * Q * K^T) * V, for heads of
// 64 values, in fp32, causal or not.
//
// A block owns 32 queries of one head and walks over the keys, 32 at a time. An
// iteration has three parts with a barrier after each:
//   1. copy 32 keys and 32 values to shared memory;
//   2. score them, update each query's running maximum and sum, and leave the
//      weights in shared memory;
//   3. scale the sums so far to the new maximum and add the weighted values.
// Only k and v are streamed. The queries stay, and the weights live within one
// iteration: they need no second slot.
//
// A warp has one threadIdx.y, so the 32 scores of a query are in one warp and
// its maximum and sum need no shared memory.
//
// Keys past the end, or after the query when causal, get a score of minus
// infinity. A causal block stops at its own last query.
//
// Sizes: heads queries keys causal(0 or 1)
#include "common.h"

constexpr int Head = 64;           // values of one query, key or value
constexpr int Vectors = Head / 4;  // the same in float4
constexpr int Rows = 32;           // queries of a block, and keys of a tile
constexpr int Lanes = 8;           // threads in y; a thread has 4 queries
constexpr int Mine = Rows / Lanes; // these 4
constexpr int Step = Rows * Lanes / Vectors; // rows that one copy covers

__device__ float warpMax(float value) {
  for (int mask = 16; mask > 0; mask /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

__device__ float warpSum(float value) {
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

__device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void __launch_bounds__(Rows *Lanes)
    flash_attention(const float4 *__restrict__ queries,
                    const float4 *__restrict__ keys,
                    const float4 *__restrict__ values,
                    float *__restrict__ output, int numQueries, int numKeys,
                    bool causal, float scale) {
  __shared__ float4 q[Rows][Vectors];
  __shared__ float4 k[Rows][Vectors + 1];
  __shared__ __align__(16) float v[Rows][Head];
  __shared__ float weights[Rows][Rows];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int q0 = blockIdx.x * Rows;
  const int column = tx % Vectors;                       // of the copies
  const int line = ty * (Rows / Vectors) + tx / Vectors; // of the copies
  queries += blockIdx.y * numQueries * Vectors;
  keys += blockIdx.y * numKeys * Vectors;
  values += blockIdx.y * numKeys * Vectors;
  output += blockIdx.y * numQueries * Head;

  for (int r = line; r < Rows; r += Step)
    q[r][column] = q0 + r < numQueries ? queries[(q0 + r) * Vectors + column]
                                       : make_float4(0, 0, 0, 0);

  float largest[Mine];
  float sum[Mine];
  float out[Mine][2]; // columns tx and tx + 32
  for (int i = 0; i < Mine; ++i) {
    largest[i] = -INFINITY;
    sum[i] = out[i][0] = out[i][1] = 0.0f;
  }

  const int end = causal ? min(numKeys, q0 + Rows) : numKeys;
  for (int k0 = 0; k0 < end; k0 += Rows) {
#pragma unroll
    for (int i = 0; i < Rows / Step; ++i) {
      const int r = line + i * Step;
      const int from = (k0 + r) * Vectors + column;
      k[r][column] = k0 + r < numKeys ? keys[from] : make_float4(0, 0, 0, 0);
      *reinterpret_cast<float4 *>(&v[r][4 * column]) =
          k0 + r < numKeys ? values[from] : make_float4(0, 0, 0, 0);
    }
    __syncthreads();

    for (int i = 0; i < Mine; ++i) {
      const int row = ty + i * Lanes;
      float score = 0.0f;
      for (int d = 0; d < Vectors; ++d)
        score += dot(q[row][d], k[tx][d]);
      const bool hidden = k0 + tx >= numKeys || (causal && k0 + tx > q0 + row);
      score = hidden ? -INFINITY : scale * score;

      const float newLargest = fmaxf(largest[i], warpMax(score));
      const float shrink = expf(largest[i] - newLargest);
      const float weight = expf(score - newLargest);
      largest[i] = newLargest;
      sum[i] = sum[i] * shrink + warpSum(weight);
      out[i][0] *= shrink;
      out[i][1] *= shrink;
      weights[row][tx] = weight;
    }
    __syncthreads();

    for (int j = 0; j < Rows; ++j) {
      for (int i = 0; i < Mine; ++i) {
        out[i][0] += weights[ty + i * Lanes][j] * v[j][tx];
        out[i][1] += weights[ty + i * Lanes][j] * v[j][tx + 32];
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < Mine; ++i) {
    const int row = q0 + ty + i * Lanes;
    const float inverse = sum[i] > 0.0f ? 1.0f / sum[i] : 0.0f;
    if (row < numQueries) {
      output[row * Head + tx] = out[i][0] * inverse;
      output[row * Head + tx + 32] = out[i][1] * inverse;
    }
  }
}

// One value of the output by the textbook: all scores first, then the mean.
double attend(const float *query, const float *keys, const float *values,
              int numKeys, int column, double scale) {
  std::vector<double> scores(numKeys);
  double largest = -INFINITY;
  for (int j = 0; j < numKeys; ++j) {
    double score = 0;
    for (int d = 0; d < Head; ++d)
      score += double(query[d]) * keys[size_t(j) * Head + d];
    scores[j] = scale * score;
    largest = std::max(largest, scores[j]);
  }
  double sum = 0;
  double mean = 0;
  for (int j = 0; j < numKeys; ++j) {
    const double weight = std::exp(scores[j] - largest);
    sum += weight;
    mean += weight * values[size_t(j) * Head + column];
  }
  return sum > 0 ? mean / sum : 0;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {16, 1024, 1024, 1}, {2, 40, 70, 1});
  const int heads = options.sizes[0];
  const int numQueries = options.sizes[1];
  const int numKeys = options.sizes[2];
  const bool causal = options.sizes[3] != 0;
  const float scale = 1.0f / std::sqrt(float(Head));
  const size_t queryValues = size_t(numQueries) * Head;
  const size_t keyValues = size_t(numKeys) * Head;
  const std::vector<float> q = sample::uniform(heads * queryValues, 1);
  const std::vector<float> k = sample::uniform(heads * keyValues, 2);
  const std::vector<float> v = sample::uniform(heads * keyValues, 3);
  const sample::DeviceArray<float> queries(q);
  const sample::DeviceArray<float> keys(k);
  const sample::DeviceArray<float> values(v);
  const sample::DeviceArray<float> output(heads * queryValues);

  const dim3 block(Rows, Lanes);
  const dim3 grid(sample::ceilDiv(numQueries, Rows), heads);
  auto launch = [&] {
    flash_attention<<<grid, block>>>(
        reinterpret_cast<const float4 *>(queries.data()),
        reinterpret_cast<const float4 *>(keys.data()),
        reinterpret_cast<const float4 *>(values.data()), output.data(),
        numQueries, numKeys, causal, scale);
  };
  return sample::runSample(options, launch, output, 1e-3, [&](size_t i) {
    const size_t head = i / queryValues;
    const int row = int(i % queryValues / Head);
    const int visible = causal ? std::min(numKeys, row + 1) : numKeys;
    return attend(&q[i / Head * Head], k.data() + head * keyValues,
                  v.data() + head * keyValues, visible, int(i % Head), scale);
  });
}
