#include <cuda_runtime.h>
#include <vector>

// Using directives between a callee and its caller.
__device__ int placeOf(long long i) { return int(i); }
__device__ void loadPlaces(float *to, const float *from) {
  const int i = placeOf(threadIdx.x);
  to[threadIdx.x] = from[i];
}
namespace others {
__device__ int placeOf(unsigned i) { return i + 7; }
} // namespace others
using namespace others;
__global__ void betterOverload(const float *__restrict__ A, float *__restrict__ C, int N, int K) {
  __shared__ float As[32];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    loadPlaces(As, A + k0);
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
    betterOverload<<<1, 32>>>(A, C, 40, K);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
