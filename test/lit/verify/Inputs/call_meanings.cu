#include <cuda_runtime.h>
#include <vector>

// Calls whose bodies would mean something else in their place if they were taken word by word.

#define PITCH N + 4
__device__ void loadRow(float *to, const float *from, int pitch) {
  for (int r = 0; r < 2; ++r)
    to[r * 32 + threadIdx.x] = from[r * pitch + threadIdx.x];
}
// A macro that is a sum.
__global__ void macroSum(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadRow(As, A + k0, PITCH);
    __syncthreads();
    acc += As[64 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

#define ROWX row
__device__ void loadOffset(float *to, const float *from, int offset) {
  for (int row = 0; row < 2; ++row)
    to[row * 32 + threadIdx.x] = from[row * 32 + offset + threadIdx.x];
}
// A macro for a name that the body declares.
__global__ void macroCapture(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[64];
  float acc = 0;
  const int row = threadIdx.x % 4;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadOffset(As, A + k0, ROWX);
    __syncthreads();
    acc += As[64 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

#define NEXT i + 1
__device__ void loadAdvance(float *to, const float *from, int &i, int j) {
  i += 2;
  to[threadIdx.x] = from[j + threadIdx.x];
}
// A macro for what the body changes.
__global__ void macroMutable(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    int i = threadIdx.x % 4;
    loadAdvance(As, A + k0, i, (NEXT));
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

#define ROWS 1 + 1
template <int Rows> __device__ void loadTimes(float *to, const float *from) {
  for (int r = 0; r < 2; ++r)
    to[r * 32 + threadIdx.x] = from[r * Rows * 16 + threadIdx.x];
}
__global__ void macroTemplate(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadTimes<ROWS>(As, A + k0);
    __syncthreads();
    acc += As[64 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__device__ int shiftOf(const float *) { return 0; }
__device__ int shiftOf(float *) { return 9; }
__device__ void loadShifted(float *to, const float *from) { to[threadIdx.x] = from[threadIdx.x + shiftOf(from)]; }
// The parameter's type chooses a function.
__global__ void constOverload(float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadShifted(As, A + k0);
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__device__ void loadByReference(float *to, const float *from, int offset) {
  int &own = offset;
  own += 1;
  to[threadIdx.x] = from[offset + threadIdx.x];
}
// Parameters that the body changes in roundabout ways.
__global__ void changedByReference(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    int shift = threadIdx.x % 4;
    loadByReference(As, A + k0, shift);
    __syncthreads();
    acc += shift + As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__device__ void loadByChoice(float *to, const float *from, int offset, int other) {
  (threadIdx.x & 1 ? offset : other) += 3;
  to[threadIdx.x] = from[offset + other + threadIdx.x];
}
__global__ void changedByChoice(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  int a = threadIdx.x % 4, b = threadIdx.x % 3;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadByChoice(As, A + k0, a, b);
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

struct Pair {
  int row, col;
};
__device__ void loadPair(float *to, const float *from, int offset) {
  auto [row, col] = Pair{int(threadIdx.x) / 4, int(threadIdx.x) % 4};
  to[row * 4 + col] = from[row * 4 + col + offset];
}
// A structured binding declares the argument's name.
__global__ void binding(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  const int row = threadIdx.x % 2;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadPair(As, A + k0, row);
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

struct Bits {
  unsigned low : 4, high : 4;
};
__device__ void loadBits(float *to, const float *from, unsigned limit) {
  for (int r = 0; r < 2; ++r)
    to[r * 32 + threadIdx.x] = from[r * 32 + threadIdx.x + (limit - 9) / 268435456];
}
// A field of bits becomes an int in a sum, and the parameter does not.
__global__ void bitField(const float *__restrict__ A, float *__restrict__ C, Bits bits, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadBits(As, A + k0, bits.low);
    __syncthreads();
    acc += As[64 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

struct Map {
  int more;
  __device__ int operator()(int i) const { return i; }
  __device__ int operator()(int i) { return i + more; }
};
__device__ void loadMapped(float *to, const float *from, const Map map) { to[threadIdx.x] = from[map(threadIdx.x)]; }
// A parameter that is const calls another method.
__global__ void constObject(const float *__restrict__ A, float *__restrict__ C, Map map, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadMapped(As, A + k0, map);
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

constexpr int Step = 32;
__device__ void loadBySteps(float *to, const float *from) {
  for (int i = threadIdx.x; i < 64; i += Step)
    to[i] = from[i];
}
namespace around {
namespace {
constexpr int Step = 64;
}
// An anonymous namespace hides what the body means.
__global__ void anonymous(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadBySteps(As, A + k0);
    if (threadIdx.x == 0)
      acc += Step;
    __syncthreads();
    acc += As[64 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

} // namespace around

namespace values {
struct Value {
  float x;
};
} // namespace values
template <class T> __device__ int pick(T, int i) { return i; }
__device__ void loadPicked(float *to, const float *from, values::Value v) { to[threadIdx.x] = from[pick(v, threadIdx.x)]; }
namespace values {
__device__ int pick(Value, int i) { return i + 5; }
} // namespace values
// A function that is declared behind the body.
__global__ void laterFunction(const float *__restrict__ A, float *__restrict__ C, values::Value v, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadPicked(As, A + k0, v);
    __syncthreads();
    acc += As[32 - 1 - threadIdx.x] * 0.5f + As[threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

int main() {
  std::vector<float> host(2048);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = (i * 37 % 101) * 0.25f;
  float *A, *C;
  cudaMalloc(&A, host.size() * sizeof(float));
  cudaMalloc(&C, 64 * sizeof(float));
  cudaMemcpy(A, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int K = 0; K <= 160; K += 32) {
    macroSum<<<1, 32>>>(A, C, 40, K);
    macroCapture<<<1, 32>>>(A, C, 40, K);
    macroMutable<<<1, 32>>>(A, C, 40, K);
    macroTemplate<<<1, 32>>>(A, C, 40, K);
    constOverload<<<1, 32>>>(A, C, 40, K);
    changedByReference<<<1, 32>>>(A, C, 40, K);
    changedByChoice<<<1, 32>>>(A, C, 40, K);
    binding<<<1, 32>>>(A, C, 40, K);
    bitField<<<1, 32>>>(A, C, Bits{3, 1}, K);
    constObject<<<1, 32>>>(A, C, Map{9}, K);
    around::anonymous<<<1, 32>>>(A, C, 40, K);
    laterFunction<<<1, 32>>>(A, C, values::Value{1}, K);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
