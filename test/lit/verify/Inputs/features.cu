// What kernels use besides loads and barriers, each against its expected value.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/std/type_traits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

struct Pair {
  int first;
  double second;
};

__constant__ int table[4] = {3, 1, 4, 1};

// A tile of any parent is a tile.
__device__ int rankOf(cg::thread_block_tile<8> tile) { return tile.thread_rank(); }

template <typename F> __device__ int twice(F f) { return f() + f(); }

__global__ void features(int *out, Pair pair, bool flag, char small) {
  __shared__ int counter;
  __shared__ volatile int relay[32];
  __shared__ unsigned char bytes[64];
  const int lane = threadIdx.x + threadIdx.y * blockDim.x;
  if (lane == 0)
    counter = 0;
  bytes[lane] = lane;
  __syncthreads();
  atomicAdd(&counter, 1);
  __syncthreads();
  int *o = out + 32 * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  if (lane >= 32)
    return;
  const int sum = __shfl_xor_sync(~0u, lane, 1) + __shfl_up_sync(~0u, lane, 1) +
                  __shfl_down_sync(~0u, lane, 2) + __shfl_sync(~0u, lane, 5);
  const unsigned even = __ballot_sync(~0u, lane % 2 == 0);
  relay[lane] = lane;
  __syncwarp();
  const int neighbour = relay[(lane + 1) % 32];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int total = cg::reduce(tile, lane, cg::plus<int>());
  const half h = __float2half(1.5f) * __float2half(2.0f) + half(0.25f);
  const __nv_bfloat16 b = __float2bfloat16(1.0f) + __float2bfloat16(0.5f);
  const half2 v = __hfma2(__floats2half2_rn(1.0f, 2.0f), __float2half2_rn(3.0f),
                          __float2half2_rn(0.5f));
  switch (lane) {
  case 0: o[0] = counter; break;
  case 1: o[1] = sum; break;
  case 2: o[2] = even; break;
  case 3: o[3] = neighbour; break;
  case 4: o[4] = total; break;
  case 5: o[5] = __half2float(h) * 100; break;
  case 6: o[6] = __bfloat162float(b) * 100; break;
  case 7: o[7] = __high2float(v) * 100; break;
  case 8: o[8] = pair.first + (int)pair.second; break;
  case 9: o[9] = flag ? small : -1; break;
  case 10: o[10] = table[2] * 10 + table[3]; break;
  case 11: o[11] = twice([=] { return lane + 10; }); break;
  case 12: o[12] = __dp4a(0x01020304, 0x01010101, 5); break;
  case 13: o[13] = __reduce_add_sync(1u << 13, 7); break;
  case 14: o[14] = bytes[63] + blockDim.x * 1000 + gridDim.z * 100000; break;
  case 15: o[15] = __popc(even) + __clz(1) + __ffs(8) + min(3, 2) + max(2u, 9u); break;
  case 16: o[16] = (int)(rsqrtf(0.25f) + fmaxf(1.0f, 2.0f) + __fmaf_rn(2.0f, 3.0f, 4.0f)); break;
  case 17: o[17] = __float_as_int(1.0f) >> 23; break;
  case 18: o[18] = atomicMax(&o[18], 2) == 0; break;
  case 19: o[19] = __all_sync(1u << 19, 1) + __any_sync(1u << 19, 0); break;
  case 20: printf("%s %d %.2f %c %%\n", "printed", 42, 2.5f, 'x'); o[20] = 1; break;
  case 21: o[21] = __vadd4(0x01ff0280u, 0x01010180u) == 0x02000300u; break;
  case 22: o[22] = norm3df(2.0f, 3.0f, 6.0f) + 10 * norm3d(1.0, 2.0, 2.0); break;
  case 23: o[23] = rankOf(tile) + cuda::std::is_same<int, decltype(total + 0)>::value; break;
  default: o[lane] = lane;
  }
}

__global__ void integers(const signed char *a, const signed char *b, int *c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(fc, 1);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}

static int wrong = 0;
static void expect(int index, int got, int wanted) {
  if (got != wanted) {
    std::printf("out[%d] is %d, not %d\n", index, got, wanted);
    ++wrong;
  }
}

int main() {
  int *out;
  cudaMallocManaged(&out, 8 * 32 * sizeof(int));
  memset(out, 0, 8 * 32 * sizeof(int));
  features<<<dim3(2, 2, 2), dim3(8, 8)>>>(out, Pair{30, 12.5}, true, 'A');
  const int wanted[] = {64, 0 + 0 + 3 + 5, 0x55555555, 4, 28, 325, 150, 650, 42, 65,
                        41, 42, 15, 7, 208063, 16 + 31 + 4 + 2 + 9, 2 + 2 + 10, 127,
                        1, 1, 1, 1, 37, 8};
  for (int block = 0; block < 8; ++block)
    for (int i = 0; i < 24; ++i)
      expect(i, out[32 * block + i], wanted[i]);
  signed char *a, *b;
  int *c;
  cudaMallocManaged(&a, 256);
  cudaMallocManaged(&b, 256);
  cudaMallocManaged(&c, 1024);
  for (int i = 0; i < 256; ++i) {
    a[i] = i % 7 - 3;
    b[i] = i % 5 - 2;
  }
  integers<<<1, 32>>>(a, b, c);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      int sum = 1;
      for (int k = 0; k < 16; ++k)
        sum += a[row * 16 + k] * b[column * 16 + k];
      expect(1000 + row * 16 + column, c[column * 16 + row], sum);
    }
  return wrong != 0;
}
