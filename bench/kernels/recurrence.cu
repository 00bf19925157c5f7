// A linear recurrence with one state matrix for each head, as in attention-free
// language models: y[t] = S r[t] before S decays by w[t] and gains v[t] k[t]^T.
// A block is a head, a thread one row of S, held in registers. The three vectors
// that every row needs pass through shared memory; each step stores its output.
//
// Sizes: heads, steps
#include "../../samples/common.h"

constexpr int Size = 64; // rows and columns of the state

__global__ void __launch_bounds__(Size)
    recurrence(const float *__restrict__ r, const float *__restrict__ w,
               const float *__restrict__ k, const float *__restrict__ v,
               float *__restrict__ y, int steps) {
  __shared__ float rs[Size];
  __shared__ float ws[Size];
  __shared__ float ks[Size];
  const int i = threadIdx.x;
  const int base = blockIdx.x * steps * Size + i;

  float state[Size] = {};
  for (int t = 0; t < steps; ++t) {
    __syncthreads();
    rs[i] = r[base + t * Size];
    ws[i] = w[base + t * Size];
    ks[i] = k[base + t * Size];
    __syncthreads();

    const float value = v[base + t * Size];
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < Size; ++j) {
      sum += state[j] * rs[j];
      state[j] = state[j] * ws[j] + ks[j] * value;
    }
    y[base + t * Size] = sum;
  }
}

int main(int argc, char **argv) {
  const sample::Options options =
      sample::parseOptions(argc, argv, {256, 512}, {2, 7});
  const int heads = options.sizes[0];
  const int steps = options.sizes[1];
  const size_t count = size_t(heads) * steps * Size;
  const std::vector<float> hr = sample::uniform(count, 1);
  const std::vector<float> hw = sample::uniform(count, 2, 0.5f, 0.9f);
  const std::vector<float> hk = sample::uniform(count, 3);
  const std::vector<float> hv = sample::uniform(count, 4);
  const sample::DeviceArray<float> r(hr), w(hw), k(hk), v(hv);
  const sample::DeviceArray<float> y(count);

  auto launch = [&] {
    recurrence<<<heads, Size>>>(r.data(), w.data(), k.data(), v.data(),
                                y.data(), steps);
  };
  // A state fades by 0.9 a step at least: what lies 300 steps back is gone.
  return sample::runSample(options, launch, y, 1e-3, [&](size_t at) {
    const size_t head = at / (size_t(steps) * Size);
    const int t = int(at / Size % steps);
    const size_t row = at % Size;
    double sum = 0;
    for (int j = 0; j < Size; ++j) {
      double state = 0;
      for (int s = std::max(0, t - 300); s < t; ++s) {
        const size_t from = (head * steps + s) * Size;
        state = state * hw[from + j] + double(hk[from + j]) * hv[from + row];
      }
      sum += state * hr[(head * steps + t) * Size + j];
    }
    return sum;
  });
}
