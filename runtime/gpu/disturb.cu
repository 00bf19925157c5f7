// What makes two runs of a correct kernel equal and those of a wrong one different.
#include <cuda_runtime.h>

namespace {

__global__ void fillAllShared(unsigned pattern, unsigned words, unsigned *sink) {
  extern __shared__ unsigned memory[];
  volatile unsigned *cells = memory;
  for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
    cells[i] = pattern;
  __syncthreads();
  // Never true; keeps the stores.
  if (cells[words - 1 - threadIdx.x] != pattern)
    *sink = 1;
}

__global__ void spin(long long clocks, unsigned *sink) {
  long long begin = clock64();
  unsigned sum = 0;
  while (clock64() - begin < clocks)
    sum = sum * 3 + 1;
  if (sum == 7)
    *sink = sum;
}

struct Noise {
  cudaStream_t stream = nullptr;
  unsigned *sink = nullptr;
};

Noise &noise() {
  static Noise only;
  return only;
}

int prepare() {
  Noise &n = noise();
  if (n.stream)
    return 0;
  cudaError_t code = cudaMalloc(&n.sink, sizeof(unsigned));
  if (code == cudaSuccess)
    code = cudaStreamCreateWithFlags(&n.stream, cudaStreamNonBlocking);
  return (int)code;
}

} // namespace

namespace pr {

int fillShared(unsigned pattern) {
  if (int code = prepare())
    return code;
  int device = 0, most = 0, multiprocessors = 0;
  cudaError_t code = cudaGetDevice(&device);
  if (code == cudaSuccess)
    code = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (code == cudaSuccess)
    code = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (code == cudaSuccess)
    code = cudaFuncSetAttribute(fillAllShared, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  if (code != cudaSuccess)
    return (int)code;
  fillAllShared<<<2 * multiprocessors, 256, most>>>(pattern, (unsigned)most / 4, noise().sink);
  code = cudaGetLastError();
  return (int)(code == cudaSuccess ? cudaDeviceSynchronize() : code);
}

int startNoise(unsigned blocks) {
  if (int code = prepare())
    return code;
  spin<<<blocks, 128, 0, noise().stream>>>(300000, noise().sink);
  return (int)cudaGetLastError();
}

int endNoise() { return noise().stream ? (int)cudaStreamSynchronize(noise().stream) : 0; }

} // namespace pr
