// Warp functions, cooperative groups and atomics; the program checks each
// value.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void warps(int *o) {
  int t = threadIdx.x, lane = t & 31, i = 0;
  int *p = o + t * 64;
  p[i++] = __shfl_sync(0xffffffff, lane, 3);
  p[i++] = __shfl_up_sync(0xffffffff, lane, 2);
  p[i++] = __shfl_down_sync(0xffffffff, lane, 2);
  p[i++] = __shfl_xor_sync(0xffffffff, lane, 4);
  p[i++] = __shfl_sync(0xffffffff, lane, 1, 8);
  p[i++] = (int)__shfl_down_sync(0xffffffff, (double)lane, 1, 16);
  p[i++] = (int)__ballot_sync(0xffffffff, lane < 4);
  p[i++] = __any_sync(0xffffffff, lane == 31);
  p[i++] = __all_sync(0xffffffff, lane >= 0);
  p[i++] = __match_any_sync(0xffffffff, lane / 8);
  int pred;
  p[i++] = __match_all_sync(0xffffffff, 5, &pred);
  p[i++] = pred;
  p[i++] = __reduce_add_sync(0xffffffff, lane);
  p[i++] = __reduce_max_sync(0xffffffffu, lane);
  p[i++] = __activemask();
  cg::thread_block b = cg::this_thread_block();
  p[i++] = b.thread_rank();
  p[i++] = b.size();
  p[i++] = b.group_index().x;
  p[i++] = b.thread_index().x;
  p[i++] = b.num_threads();
  auto w = cg::tiled_partition<32>(b);
  p[i++] = w.thread_rank();
  p[i++] = w.meta_group_rank();
  p[i++] = w.shfl_down(lane, 1);
  p[i++] = w.any(lane == 3);
  p[i++] = w.ballot(lane == 3);
  w.sync();
  p[i++] = w.meta_group_size();
  cg::thread_block_tile<4> q = cg::tiled_partition<4>(w);
  p[i++] = q.shfl(lane, 0);
  p[i++] = q.shfl_xor(lane, 1);
  p[i++] = cg::reduce(q, lane, cg::plus<int>());
  p[i++] = cg::reduce(w, lane, cg::greater<int>());
  p[i++] = q.num_threads();
  auto g = cg::this_grid();
  p[i++] = g.thread_rank();
  cg::sync(b);
  cg::coalesced_group cgp = cg::coalesced_threads();
  p[i++] = cgp.size();
  auto dyn = cg::tiled_partition(b, 16);
  p[i++] = dyn.thread_rank();
  p[i++] = __syncthreads_count(t < 5);
  p[i++] = __syncthreads_or(t == 7);
  p[i++] = __syncthreads_and(t < 60);
  unsigned m = __ballot_sync(0xffffffff, lane & 1);
  if (lane & 1)
    p[i] = __popc(__ballot_sync(m, 1));
  ++i;
  p[i] = cg::inclusive_scan(q, lane, cg::plus<int>());
}
__global__ void atomics(int *o, float *f, double *d, unsigned long long *u) {
  int t = threadIdx.x;
  __shared__ int s;
  __shared__ unsigned hist[16];
  if (t == 0)
    s = 0;
  if (t < 16)
    hist[t] = 0;
  __syncthreads();
  atomicAdd(&s, 1);
  atomicInc(&hist[t % 16], 100u);
  atomicAdd(f, 1.f);
  atomicAdd(d, 2.0);
  atomicAdd(u, 3ull);
  atomicMax(&o[1], t);
  atomicMin(&o[2], t);
  if (t == 3)
    atomicCAS(&o[3], 0, t), atomicExch(&o[4], t);
  atomicOr(&o[5], 1 << (t % 31));
  atomicAnd(&o[6], ~1);
  atomicXor(&o[7], 1);
  atomicSub(&o[8], 1);
  __syncthreads();
  o[10 + t % 16] = hist[t % 16];
  if (t == 0)
    o[0] = s;
  __threadfence();
  __threadfence_block();
}
__global__ void cgcopy(const int *in, int *out) {
  __shared__ int s[64];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, in, sizeof(int) * 64);
  cg::wait(b);
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *o;
  cudaMallocManaged(&o, 64 * 64 * 4);
  warps<<<2, 64>>>(o);
  cudaError_t e = cudaDeviceSynchronize();
  int bad = e != cudaSuccess;
  int *p = o + 37 * 64;
  int w[] = {
      3,  3,  7,  1,  1, 6,  15,   1, 1, 0xff, -1, 1, 496,           31, -1, 37,
      64, -9, 37, 64, 5, 1,  6,    1, 8, 2,    4,  4, 4 + 5 + 6 + 7, 31, 4,  -9,
      32, 5,  5,  1,  0, 16, 4 + 5};
  for (unsigned i = 0; i < sizeof w / 4; ++i)
    if (w[i] != -9 && p[i] != w[i])
      printf("warp %u: %d not %d\n", i, p[i], w[i]), ++bad;
  float *f;
  double *d;
  unsigned long long *u;
  cudaMallocManaged(&f, 4);
  cudaMallocManaged(&d, 8);
  cudaMallocManaged(&u, 8);
  *f = 0;
  *d = 0;
  *u = 0;
  for (int i = 0; i < 32; ++i)
    o[i] = i == 2 ? 1000 : i == 6 ? 7 : 0;
  atomics<<<1, 64>>>(o, f, d, u);
  cudaDeviceSynchronize();
  if (o[0] != 64 || *f != 64 || *d != 128 || *u != 192 || o[1] != 63 ||
      o[2] != 0 || o[6] != 6 || o[7] != 0 || o[8] != -64 || o[10] != 4)
    printf("atomics\n"), ++bad;
  for (int i = 0; i < 64; ++i)
    o[i] = i;
  cgcopy<<<1, 64>>>(o, o + 64);
  cudaDeviceSynchronize();
  if (o[64] != 63)
    printf("cgcopy\n"), ++bad;
  return bad;
}
