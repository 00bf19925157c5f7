// Our own headers stand for the toolkit's: a file that uses what kernels use is
// valid for the GPU and for the host, with no toolkit on the machine.
// REQUIRES: clang-host
// RUN: %clangxx -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-gpu-arch=sm_80 -isystem %source_root/runtime/include -include pr_device_prelude.h -std=c++17 -fsyntax-only -Werror %s
// RUN: %clangxx -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-gpu-arch=sm_80 -isystem %source_root/runtime/include -include pr_device_prelude.h -std=c++17 -fsyntax-only -Werror %s

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cublas_v2.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <device_launch_parameters.h>
#include <mma.h>
#include <vector_types.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
using namespace nvcuda;

__constant__ float weights[16];
__device__ int counter;

template <int BK>
__global__ void __launch_bounds__(256)
    scalars(const float *__restrict__ a, float *c, int n) {
  __shared__ __align__(16) float tile[BK][BK + 1];
  extern __shared__ float dynamic[];
  tile[threadIdx.y][threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  float s = tile[0][0] + weights[n];
  s += sqrtf(s) + std::sqrt(s) + sqrt(s) + fmaxf(s, 3.f) + std::max(s, 1.f) +
       max(n, 3) + min(s, 2.f) + __expf(s) + std::abs(s) + abs(n) +
       powf(s, 2.f) + pow(s, 2) + std::isnan(s) + isinf(s) + rsqrtf(s) +
       __fmaf_rn(s, s, s) + __fdividef(s, 2.f) + fabs(s) + exp(s);
  float4 v = *reinterpret_cast<const float4 *>(&a[n]);
  s += v.x + __ldg(&a[n]) + __int_as_float(__float_as_int(s));
  s += __dp4a(n, n, 0) + __popc(n) + __umulhi(n, n);
  s += __shfl_down_sync(0xffffffffu, s, 16) + __shfl_xor_sync(~0u, s, 1);
  if (__any_sync(~0u, n > 0) && __ballot_sync(~0u, n))
    atomicAdd(c, s);
  atomicMax(&counter, atomicCAS(&counter, 1, 2));
  assert(n > 0);
  printf("%d %f\n", n, s);
  dynamic[n] = INFINITY;
  __syncwarp();
  __threadfence();
}

__global__ void matrices(const half *a, const half *b, float *c) {
  __shared__ half as[16][16], bs[16][16];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  __pipeline_memcpy_async(&as[0][0], a, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  wmma::load_matrix_sync(fa, &as[0][0], 16);
  wmma::load_matrix_sync(fb, &bs[0][0], 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  half x = a[0] * b[0] + __float2half(1.0f);
  half2 y = __hfma2(__half2half2(x), __half2half2(x), __half2half2(x));
  __nv_bfloat16 z = __float2bfloat16(3.0f);
  c[1] = __half2float(x) + __low2float(y) + float(z * z);
  unsigned address = (unsigned)__cvta_generic_to_shared(&as[0][0]), r0, r1;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r0), "=r"(r1)
               : "r"(address));
  c[2] = r0 + r1;
}

__global__ void groups(const float *a, float *c) {
  constexpr auto scope = cuda::thread_scope_block;
  __shared__ cuda::pipeline_shared_state<scope, 2> state;
  __shared__ cuda::barrier<scope> arrived;
  extern __shared__ float staged[];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  if (block.thread_rank() == 0)
    init(&arrived, block.size());
  block.sync();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, staged, a, 1024, pipe);
  cuda::memcpy_async(staged, a, cuda::aligned_size_t<16>(16), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  cg::memcpy_async(block, staged, a, 1024);
  cg::wait(block);
  arrived.arrive_and_wait();
  cg::sync(block);
  c[0] = cg::reduce(warp, staged[0], cg::plus<float>()) + warp.shfl(c[1], 0);
  curandState random;
  curand_init(1, 2, 3, &random);
  c[1] = curand_uniform(&random);
}

int main() {
  float *a = nullptr, *c = nullptr;
  if (cudaMalloc(&a, 1024) != cudaSuccess)
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMallocManaged(&c, 1024);
  cudaMemcpyToSymbol(weights, a, sizeof weights);
  cudaFuncSetAttribute(scalars<16>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       65536);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event);
  scalars<16><<<dim3(2, 2), dim3(16, 16), 65536>>>(a, c, 1);
  matrices<<<1, 32>>>(nullptr, nullptr, c);
  groups<<<1, 256, 1024>>>(a, c);
  std::vector<float> host(4);
  std::sort(host.begin(), host.end());
  return (int)__half2float(__float2half(host[0]));
}
