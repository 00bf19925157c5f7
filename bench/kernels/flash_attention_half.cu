// Attention in fp16 on the tensor cores with an online softmax. A block of four
// warps owns 64 queries of one head, a warp 16 of them; 64 keys and values at a
// time pass through shared memory. Scores, weights and the running output stay
// in rows of shared memory that only their own warp touches.
//
// The numbers of queries and keys must be multiples of 64, the keys zero included
// (then every output is zero).
//
// Sizes: heads, queries, keys
#include "../../samples/common.h"

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int Dim = 64;    // of a head
constexpr int Queries = 64; // of a block
constexpr int Keys = 64;   // of a tile
constexpr int Threads = 128;
constexpr int Vector = 8;
constexpr int LdH = 64 + 8; // a row in halves
constexpr int LdF = 64 + 4; // a row in floats

constexpr size_t SharedBytes =
    (Queries + 2 * Keys + Queries) * LdH * sizeof(half) +
    2 * Queries * LdF * sizeof(float);

__global__ void __launch_bounds__(Threads)
    flash_attention_half(const half *__restrict__ Q,
                         const half *__restrict__ K,
                         const half *__restrict__ V, float *__restrict__ O,
                         int queries, int keys, float scale) {
  extern __shared__ __align__(32) unsigned char shared[];
  half *const Ks = reinterpret_cast<half *>(shared);
  half *const Vs = Ks + Keys * LdH;
  half *const Qs = Vs + Keys * LdH;
  half *const Ps = Qs + Queries * LdH;
  float *const Ss = reinterpret_cast<float *>(Ps + Queries * LdH);
  float *const Os = Ss + Queries * LdF;
  const int tid = threadIdx.x;
  const int row0 = tid / 32 * 16; // of the warp
  // Two lanes share a row of the softmax, 32 columns each.
  const int row = row0 + tid % 32 / 2;
  const int col0 = tid % 2 * 32;
  const half *const q =
      Q + (size_t(blockIdx.y) * queries + blockIdx.x * Queries) * Dim;
  const half *const k = K + size_t(blockIdx.y) * keys * Dim;
  const half *const v = V + size_t(blockIdx.y) * keys * Dim;
  float *const o =
      O + (size_t(blockIdx.y) * queries + blockIdx.x * Queries) * Dim;

  for (int i = tid; i < Queries * Dim / Vector; i += Threads) {
    const int r = i / (Dim / Vector);
    const int c = i % (Dim / Vector) * Vector;
    *reinterpret_cast<int4 *>(&Qs[r * LdH + c]) =
        *reinterpret_cast<const int4 *>(&q[r * Dim + c]);
  }
  for (int c = col0; c < col0 + 32; ++c)
    Os[row * LdF + c] = 0.0f;
  float largest = -1e30f;
  float total = 0.0f;

  for (int k0 = 0; k0 < keys; k0 += Keys) {
#pragma unroll
    for (int i = 0; i < Keys * Dim / (Vector * Threads); ++i) {
      const int chunk = i * Threads + tid;
      const int r = chunk / (Dim / Vector);
      const int c = chunk % (Dim / Vector) * Vector;
      *reinterpret_cast<int4 *>(&Ks[r * LdH + c]) =
          *reinterpret_cast<const int4 *>(&k[(k0 + r) * Dim + c]);
      *reinterpret_cast<int4 *>(&Vs[r * LdH + c]) =
          *reinterpret_cast<const int4 *>(&v[(k0 + r) * Dim + c]);
    }
    __syncthreads();

    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    for (int j = 0; j < Keys / 16; ++j) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> score;
      wmma::fill_fragment(score, 0.0f);
      for (int d = 0; d < Dim; d += 16) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::load_matrix_sync(a, &Qs[row0 * LdH + d], LdH);
        wmma::load_matrix_sync(b, &Ks[j * 16 * LdH + d], LdH);
        wmma::mma_sync(score, a, b, score);
      }
      wmma::store_matrix_sync(&Ss[row0 * LdF + j * 16], score, LdF,
                              wmma::mem_row_major);
    }
    __syncwarp();

    float best = largest;
    for (int c = col0; c < col0 + 32; ++c)
      best = fmaxf(best, Ss[row * LdF + c] * scale);
    best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, 1));
    const float fade = __expf(largest - best);
    float sum = 0.0f;
    for (int c = col0; c < col0 + 32; ++c) {
      const float weight = __expf(Ss[row * LdF + c] * scale - best);
      sum += weight;
      Ps[row * LdH + c] = __float2half(weight);
      Os[row * LdF + c] *= fade;
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    total = total * fade + sum;
    largest = best;
    __syncwarp();

    for (int j = 0; j < Dim / 16; ++j) {
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> out;
      wmma::load_matrix_sync(out, &Os[row0 * LdF + j * 16], LdF,
                             wmma::mem_row_major);
      for (int i = 0; i < Keys; i += 16) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
        wmma::load_matrix_sync(a, &Ps[row0 * LdH + i], LdH);
        wmma::load_matrix_sync(b, &Vs[i * LdH + j * 16], LdH);
        wmma::mma_sync(out, a, b, out);
      }
      wmma::store_matrix_sync(&Os[row0 * LdF + j * 16], out, LdF,
                              wmma::mem_row_major);
    }
    __syncthreads();
  }

  for (int c = col0; c < col0 + 32; ++c)
    o[row * Dim + c] = total > 0.0f ? Os[row * LdF + c] / total : 0.0f;
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {8, 1024, 1024}, {2, 64, 192});
  const int heads = options.sizes[0];
  const int queries = options.sizes[1];
  const int keys = options.sizes[2];
  sample::require(queries % Queries == 0 && keys % Keys == 0,
                  "queries and keys in multiples of 64");
  auto toHalf = [](float value) { return __float2half(value); };
  const std::vector<half> hq = sample::converted(
      sample::uniform(size_t(heads) * queries * Dim, 1), toHalf);
  const std::vector<half> hk = sample::converted(
      sample::uniform(size_t(heads) * keys * Dim, 2), toHalf);
  const std::vector<half> hv = sample::converted(
      sample::uniform(size_t(heads) * keys * Dim, 3), toHalf);
  const sample::DeviceArray<half> Q(hq), K(hk), V(hv);
  const sample::DeviceArray<float> O(size_t(heads) * queries * Dim);

  sample::check(cudaFuncSetAttribute(flash_attention_half,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     int(SharedBytes)),
                "cudaFuncSetAttribute");
  const dim3 grid(queries / Queries, heads);
  auto launch = [&] {
    flash_attention_half<<<grid, Threads, SharedBytes>>>(
        Q.data(), K.data(), V.data(), O.data(), queries, keys, 0.125f);
  };
  return sample::runSample(options, launch, O, 2e-2, [&](size_t at) {
    const size_t query = at / Dim;
    const size_t head = query / queries;
    double top = 0, bottom = 0;
    for (int key = 0; key < keys; ++key) {
      const size_t from = (head * keys + key) * Dim;
      double score = 0;
      for (int d = 0; d < Dim; ++d)
        score += double(__half2float(hq[query * Dim + d])) *
                 __half2float(hk[from + d]);
      const double weight = std::exp(0.125 * score);
      bottom += weight;
      top += weight * __half2float(hv[from + at % Dim]);
    }
    return bottom > 0 ? top / bottom : 0.0;
  });
}
