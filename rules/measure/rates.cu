// Measures the figures of rules/arch/sm_XX.yaml that carry source R: rates and
// latencies of one multiprocessor. Build and run on the card in question:
//   nvcc -O3 -std=c++17 -arch=native rates.cu -o rates && ./rates
// Prints one "name value unit" line a figure.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_pipeline.h>
#include <vector>

#define CHECK(CALL)                                                            \
  do {                                                                         \
    cudaError_t Status = (CALL);                                               \
    if (Status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s: %s\n", #CALL, cudaGetErrorString(Status));     \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr int Rounds = 512;

// Runs Body Rounds times in every thread of one block and stores the clocks
// between the first start and the last end.
template <typename Work> __device__ void timed(long long *Clocks, Work Body) {
  __shared__ unsigned long long First, Last;
  if (threadIdx.x == 0) {
    First = ~0ull;
    Last = 0;
  }
  __syncthreads();
  long long Start = clock64();
  for (int I = 0; I < Rounds; ++I)
    Body(I);
  long long End = clock64();
  atomicMin(&First, (unsigned long long)Start);
  atomicMax(&Last, (unsigned long long)End);
  __syncthreads();
  if (threadIdx.x == 0)
    Clocks[blockIdx.x] = Last - First;
}

template <typename T> __global__ void fma(long long *Clocks, T *Out, T X, T Y) {
  T Acc[8] = {};
  timed(Clocks, [&](int) {
#pragma unroll
    for (int R = 0; R < 4; ++R)
#pragma unroll
      for (int J = 0; J < 8; ++J)
        Acc[J] = Acc[J] * X + Y;
  });
  T Sum = 0;
  for (T A : Acc)
    Sum += A;
  Out[threadIdx.x] = Sum;
}

__global__ void dot(long long *Clocks, int *Out, int X, int Y) {
  int Acc[8] = {};
  timed(Clocks, [&](int) {
#pragma unroll
    for (int R = 0; R < 4; ++R)
#pragma unroll
      for (int J = 0; J < 8; ++J)
        Acc[J] = __dp4a(X, Y, Acc[J]);
  });
  int Sum = 0;
  for (int A : Acc)
    Sum += A;
  Out[threadIdx.x] = Sum;
}

__global__ void tensorHalf(long long *Clocks, float *Out, unsigned X) {
  float Acc[8][4] = {};
  timed(Clocks, [&](int) {
#pragma unroll
    for (int J = 0; J < 8; ++J)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                   "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                   : "+f"(Acc[J][0]), "+f"(Acc[J][1]), "+f"(Acc[J][2]),
                     "+f"(Acc[J][3])
                   : "r"(X));
  });
  float Sum = 0;
  for (auto &A : Acc)
    Sum += A[0] + A[1] + A[2] + A[3];
  Out[threadIdx.x] = Sum;
}

__global__ void tensorByte(long long *Clocks, int *Out, unsigned X) {
  int Acc[8][4] = {};
  timed(Clocks, [&](int) {
#pragma unroll
    for (int J = 0; J < 8; ++J)
      asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                   "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                   : "+r"(Acc[J][0]), "+r"(Acc[J][1]), "+r"(Acc[J][2]),
                     "+r"(Acc[J][3])
                   : "r"(X));
  });
  int Sum = 0;
  for (auto &A : Acc)
    Sum += A[0] + A[1] + A[2] + A[3];
  Out[threadIdx.x] = Sum;
}

__global__ void barrier(long long *Clocks) {
  timed(Clocks, [](int) { __syncthreads(); });
}

// Every load waits for the one before it.
__global__ void chase(long long *Clocks, const uint32_t *Next, uint32_t *Out,
                      int Steps) {
  uint32_t At = 0;
  for (int I = 0; I < Steps; ++I)
    At = __ldcg(Next + At);
  long long Start = clock64();
  for (int I = 0; I < Steps; ++I)
    At = __ldcg(Next + At);
  Clocks[0] = clock64() - Start;
  *Out = At;
}

__global__ void stream(long long *Clocks, const float4 *In, float *Out,
                       int Mask) {
  float Sum = 0;
  unsigned At = blockIdx.x * 7919u * blockDim.x + threadIdx.x;
  timed(Clocks, [&](int I) {
#pragma unroll
    for (int J = 0; J < 4; ++J) {
      float4 V = __ldcg(In + ((At + (I * 4 + J) * blockDim.x) & Mask));
      Sum += V.x + V.y + V.z + V.w;
    }
  });
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

// A block's copies of 16 KB tiles, one after the other, each waited for.
template <typename T, bool Async>
__global__ void tile(long long *Clocks, const T *In, float *Out, int Mask) {
  constexpr int Count = 16384 / sizeof(T) / 256;
  __shared__ alignas(16) T Tile[16384 / sizeof(T)];
  unsigned At = blockIdx.x * 104729u * 256 + threadIdx.x;
  timed(Clocks, [&](int I) {
    if constexpr (Async) {
#pragma unroll
      for (int J = 0; J < Count; ++J)
        __pipeline_memcpy_async(&Tile[J * 256 + threadIdx.x],
                                &In[(At + (I * Count + J) * 256) & Mask],
                                sizeof(T));
      __pipeline_commit();
      __pipeline_wait_prior(0);
    } else {
      T Held[Count];
#pragma unroll
      for (int J = 0; J < Count; ++J)
        Held[J] = __ldcg(&In[(At + (I * Count + J) * 256) & Mask]);
#pragma unroll
      for (int J = 0; J < Count; ++J)
        Tile[J * 256 + threadIdx.x] = Held[J];
    }
    __syncthreads();
  });
  Out[blockIdx.x] = reinterpret_cast<float *>(Tile)[blockIdx.x & 1023];
}

long long worst(const long long *Device, int Count) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<long long> Host(Count);
  CHECK(cudaMemcpy(Host.data(), Device, Count * sizeof(long long),
                   cudaMemcpyDeviceToHost));
  long long Sum = 0;
  for (long long Clocks : Host)
    Sum += Clocks;
  return Sum / Count;
}

template <typename T, bool Async>
void reportTile(const char *Name, long long *Clocks, const float *In,
                float *Out, int Blocks) {
  int Mask = (16 << 20) / sizeof(T) - 1;
  for (int Repeat = 0; Repeat < 2; ++Repeat)
    tile<T, Async>
        <<<Blocks, 256>>>(Clocks, reinterpret_cast<const T *>(In), Out, Mask);
  std::printf("tile_16KB_%s_%zu_bytes %.0f clocks\n", Name, sizeof(T),
              double(worst(Clocks, Blocks)) / Rounds);
}

void reportLatency(const char *Name, long long *Clocks, size_t Bytes) {
  constexpr int Steps = 20000;
  size_t Count = Bytes / sizeof(uint32_t), Stride = 4099 * 32;
  std::vector<uint32_t> Host(Count);
  for (size_t I = 0; I < Count; ++I)
    Host[I] = uint32_t((I + Stride) % Count);
  uint32_t *Next, *Out;
  CHECK(cudaMalloc(&Next, Bytes));
  CHECK(cudaMalloc(&Out, sizeof(uint32_t)));
  CHECK(cudaMemcpy(Next, Host.data(), Bytes, cudaMemcpyHostToDevice));
  chase<<<1, 1>>>(Clocks, Next, Out, Steps);
  std::printf("%s %.1f clocks\n", Name, double(worst(Clocks, 1)) / Steps);
  CHECK(cudaFree(Next));
  CHECK(cudaFree(Out));
}

int main() {
  cudaDeviceProp Device;
  CHECK(cudaGetDeviceProperties(&Device, 0));
  std::printf("# %s, sm_%d%d, %d multiprocessors\n", Device.name, Device.major,
              Device.minor, Device.multiProcessorCount);
  int Blocks = Device.multiProcessorCount;
  long long *Clocks;
  float *In, *Out;
  CHECK(cudaMalloc(&Clocks, 4 * Blocks * sizeof(long long)));
  CHECK(cudaMalloc(&In, 16 << 20));
  CHECK(cudaMalloc(&Out, Blocks * 1024 * sizeof(double)));
  CHECK(cudaMemset(In, 0, 16 << 20));
  auto Rate = [&](const char *Name, double PerRound) {
    std::printf("%s %.1f fma/clock/SM\n", Name,
                PerRound * Rounds / worst(Clocks, Blocks));
  };
  for (int Repeat = 0; Repeat < 2; ++Repeat)
    fma<float><<<Blocks, 1024>>>(Clocks, Out, 1.5f, 0.5f);
  Rate("fp32_fma", 1024.0 * 32);
  fma<double>
      <<<Blocks, 1024>>>(Clocks, reinterpret_cast<double *>(Out), 1.5, 0.5);
  Rate("fp64_fma", 1024.0 * 32);
  dot<<<Blocks, 1024>>>(Clocks, reinterpret_cast<int *>(Out), 3, 5);
  Rate("int8_dot", 1024.0 * 32 * 4);
  tensorHalf<<<Blocks, 512>>>(Clocks, Out, 0x3c003c00u);
  Rate("fp16_tensor", 16.0 * 8 * 16 * 8 * 16);
  tensorByte<<<Blocks, 512>>>(Clocks, reinterpret_cast<int *>(Out),
                              0x01010101u);
  Rate("int8_tensor", 16.0 * 8 * 16 * 8 * 32);
  barrier<<<Blocks, 256>>>(Clocks);
  std::printf("barrier_256_threads %.1f clocks\n",
              double(worst(Clocks, Blocks)) / Rounds);
  reportLatency("global_latency_L2", Clocks, 1 << 20);
  reportLatency("global_latency_DRAM", Clocks, size_t(1) << 30);
  for (int Repeat = 0; Repeat < 2; ++Repeat)
    stream<<<Blocks, 1024>>>(Clocks, reinterpret_cast<const float4 *>(In), Out,
                             (16 << 20) / 16 - 1);
  std::printf("global_bytes_L2 %.1f bytes/clock/SM\n",
              1024.0 * 64 * Rounds / worst(Clocks, Blocks));
  reportTile<float, false>("ldg", Clocks, In, Out, Blocks);
  reportTile<float2, false>("ldg", Clocks, In, Out, Blocks);
  reportTile<float4, false>("ldg", Clocks, In, Out, Blocks);
  reportTile<float, true>("cp_async", Clocks, In, Out, Blocks);
  reportTile<float2, true>("cp_async", Clocks, In, Out, Blocks);
  reportTile<float4, true>("cp_async", Clocks, In, Out, Blocks);
}
