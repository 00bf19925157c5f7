// Asks the driver how many blocks of a few thousand configurations are
// resident, for test/unit/Budget/Inputs/occupancy-sm_XX.csv. Build and run on
// the card:
//   nvcc -O3 -std=c++17 -arch=native occupancy.cu -o occupancy && ./occupancy
// Each line: threads,registers,static bytes,dynamic bytes,blocks.
#include <cstdio>
#include <random>

// Live values that have to stay in registers; Static bytes of shared memory.
template <int Live, int Static> __global__ void kernel(float *Data) {
  __shared__ char Shared[Static ? Static : 1];
  if (Static)
    Shared[threadIdx.x % (Static ? Static : 1)] = char(threadIdx.x);
  float Held[Live];
#pragma unroll
  for (int I = 0; I < Live; ++I)
    Held[I] = Data[I * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int I = 0; I < Live; ++I)
    Data[I * 1024 + threadIdx.x] = Held[I] * Held[Live - 1 - I];
  if (Static)
    Data[threadIdx.x] += Shared[(threadIdx.x + 1) % (Static ? Static : 1)];
}

template <int Live, int Static>
void report(std::mt19937 &Random, size_t Optin) {
  auto *Kernel = kernel<Live, Static>;
  cudaFuncAttributes Attributes;
  if (cudaFuncGetAttributes(&Attributes, Kernel) != cudaSuccess)
    return;
  for (int I = 0; I < 128; ++I) {
    int Threads = 1 + Random() % 1024;
    if (I % 2)
      Threads = (Threads + 31) / 32 * 32;
    int Dynamic = Random() % 4 ? int(Random() % (Optin / 4))
                               : int(Random() % (Optin + 2048));
    if (I % 3 == 0)
      Dynamic = Dynamic / 1024 * 1024;
    int Blocks = 0;
    if (cudaFuncSetAttribute(Kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             Dynamic) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, Kernel, Threads,
                                                      Dynamic) != cudaSuccess)
      Blocks = 0;
    (void)cudaGetLastError();
    std::printf("%d,%d,%zu,%d,%d\n", Threads, Attributes.numRegs,
                Attributes.sharedSizeBytes, Dynamic, Blocks);
  }
}

template <int Live> void reportSizes(std::mt19937 &Random, size_t Optin) {
  report<Live, 0>(Random, Optin);
  report<Live, 3000>(Random, Optin);
  report<Live, 16384>(Random, Optin);
  report<Live, 49152>(Random, Optin);
}

int main() {
  cudaDeviceProp Device;
  if (cudaGetDeviceProperties(&Device, 0) != cudaSuccess)
    return 1;
  std::printf("# sm_%d%d: threads,registers,static,dynamic,blocks\n",
              Device.major, Device.minor);
  std::mt19937 Random(1);
  size_t Optin = Device.sharedMemPerBlockOptin;
  reportSizes<2>(Random, Optin);
  reportSizes<16>(Random, Optin);
  reportSizes<30>(Random, Optin);
  reportSizes<50>(Random, Optin);
  reportSizes<80>(Random, Optin);
  reportSizes<110>(Random, Optin);
  reportSizes<150>(Random, Optin);
  reportSizes<200>(Random, Optin);
}
