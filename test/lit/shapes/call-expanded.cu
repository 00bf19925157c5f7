// A call that fills a tile: its body takes its place, where loads and stores can be told apart.
// RUN: %shape %s %t ASYNC --kernel=gemm --variant=cp-async
// RUN: %shape %s %t LDG --kernel=gemm --variant=ldg --form=predicate
// RUN: %shape %s %t NUMBERS --kernel=numbers --variant=cp-async
// RUN: %shape %s %t TYPES --kernel=types --variant=cp-async
// RUN: %shape %s %t SPACES --kernel=spaced --variant=cp-async
// RUN: %shape %s %t STRUCT --kernel=byValue --variant=cp-async
// RUN: %shape %s %t DEDUCED --kernel=deduced --variant=cp-async
#include <cuda_runtime.h>

constexpr int BK = 16;

template <int Rows, int Cols>
__device__ void loadTile(float (&tile)[Rows][Cols], const float *__restrict__ from, int pitch) {
  // One element a thread.
#pragma unroll
  for (int r = threadIdx.y; r < Rows; r += 16)
    tile[r][threadIdx.x] = from[r * pitch + threadIdx.x];
}

__device__ void loadFlat(float *to, const float *from, int pitch, unsigned row) {
  to[row * BK + threadIdx.x] = from[row * pitch + threadIdx.x];
}

__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K) {
  __shared__ float As[BK][BK];
  __shared__ float Bs[BK * BK];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    loadTile<BK, BK>(As, A + blockIdx.y * BK * K + k0, K);
    loadFlat(Bs, &B[k0 * N + blockIdx.x * BK], N, ty); // the other
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += As[ty][k] * Bs[k * BK + tx];
    __syncthreads();
  }
  C[(blockIdx.y * BK + ty) * N + blockIdx.x * BK + tx] = acc;
}
// What is a place or a number stands for the parameter; what would be read again, or is converted, has a variable.
// ASYNC: { // Prologue: the first tile.
// ASYNC-NOT: loadTile<
// ASYNC: {
// ASYNC-NEXT: // One element a thread.
// ASYNC-NEXT: #pragma unroll
// ASYNC-NEXT: for (int r = threadIdx.y; r < BK; r += 16)
// ASYNC-NEXT: __pipeline_memcpy_async(&As[r][threadIdx.x], &(A + blockIdx.y * BK * K + k0_next)[r * K + threadIdx.x], sizeof(float));
// ASYNC-NEXT: }
// ASYNC-NEXT: {
// ASYNC-NEXT: const float *from_in = &B[k0_next * N + blockIdx.x * BK];
// ASYNC-NEXT: unsigned row_in = ty;
// ASYNC-NEXT: __pipeline_memcpy_async(&Bs[row_in * BK + threadIdx.x], &from_in[row_in * N + threadIdx.x], sizeof(float));
// ASYNC-NEXT: } // the other
// ASYNC-NOT: loadFlat(

// LDG: As_next[(r - (threadIdx.y)) / 16] = (A + blockIdx.y * BK * K + k0_next)[r * K + threadIdx.x];
// LDG: Bs_next = from_in[row_in * N + threadIdx.x];
// LDG: As[r][threadIdx.x] = As_next[(r - (threadIdx.y)) / 16];
// LDG: Bs[row_in * BK + threadIdx.x] = Bs_next;

// A template argument of another type than the parameter's is converted.
template <unsigned Step> __device__ void loadBySteps(float *to, const float *from) {
  for (unsigned i = threadIdx.x; i < 64; i += Step)
    to[i] = from[i];
}
__global__ void numbers(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    loadBySteps<32>(As, A + k0);
    __syncthreads();
    acc += As[63 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// NUMBERS: for (unsigned i = threadIdx.x; i < 64; i += static_cast<unsigned int>(32))

// Types that the call spells; a parameter that the body moves on; a name that the body declares as well.
template <typename T> __device__ void loadAs(T *to, const float *from, int i) {
  from += i;
  for (int row = 0; row < 2; ++row)
    to[row * 32 + i] = reinterpret_cast<const T *>(from)[row * 32];
}
__global__ void types(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  float acc = 0;
  const int row = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 64) {
    loadAs<float>(As, A + k0, row);
    __syncthreads();
    acc += As[63 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// TYPES: const float *from_in = A + k0_next;
// TYPES-NEXT: int i_in = row;
// TYPES-NEXT: from_in += i_in;
// TYPES-NEXT: for (int row = 0; row < 2; ++row)
// TYPES-NEXT: __pipeline_memcpy_async(&As[row * 32 + i_in], &reinterpret_cast<const float *>(from_in)[row * 32], sizeof(float));

// Names of a namespace around both.
namespace outer {
constexpr int Width = 32;
namespace inner {
__device__ void loadRow(float *to, const float *from) { to[threadIdx.x % Width] = from[threadIdx.x % Width]; }
__global__ void spaced(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadRow(As, A + k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
} // namespace inner
} // namespace outer
// SPACES: __pipeline_memcpy_async(&As[threadIdx.x % Width], &(A + k0_next)[threadIdx.x % Width], sizeof(float));

struct Window {
  const float *from;
  int pitch;
};
__device__ void loadWindow(float *to, Window w, int row) { to[threadIdx.x] = w.from[row * w.pitch + threadIdx.x]; }
__global__ void byValue(Window w, float *__restrict__ C, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadWindow(As, w, k0);
    __syncthreads();
    acc += As[31 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// STRUCT: Window w_in = w;
// STRUCT-NEXT: __pipeline_memcpy_async(&As[threadIdx.x], &w_in.from[k0_next * w_in.pitch + threadIdx.x], sizeof(float));

// Template parameters that the compiler finds out.
template <typename T, unsigned N> __device__ void loadDeduced(T (&to)[N], const T *from) {
  for (unsigned i = threadIdx.x; i < N; i += 32)
    to[i] = from[i];
}
__global__ void deduced(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    loadDeduced(As, A + k0);
    __syncthreads();
    acc += As[63 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
// DEDUCED: for (unsigned i = threadIdx.x; i < static_cast<unsigned int>(64); i += 32)
