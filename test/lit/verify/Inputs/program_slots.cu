// program.cu with two slots in dynamic shared memory, a device constant, a device
// variable, managed memory, two launches that depend on each other.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float scale;
__device__ int calls;

__global__ void sum(const float *in, float *out, int n) {
  extern __shared__ float tile[];
  float s = 0.0f;
  int slot = 0;
  tile[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0.0f;
  __syncthreads();
  for (int base = 0; base < n; base += blockDim.x, slot ^= 1) {
    const int next = base + blockDim.x + threadIdx.x;
    tile[(slot ^ 1) * blockDim.x + threadIdx.x] = next < n ? in[next] : 0.0f;
    for (int i = 0; i < blockDim.x; ++i)
      s += tile[slot * blockDim.x + i] * scale;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0)
    atomicAdd(&calls, 1);
}

int main() {
  const int n = 100, threads = 32;
  float *in, *out, factor = 2.0f;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, 2 * threads * sizeof(float));
  for (int i = 0; i < n; ++i)
    in[i] = i;
  cudaMemcpyToSymbol(scale, &factor, sizeof factor);
  sum<<<2, threads, 2 * threads * sizeof(float)>>>(in, out, n);
  sum<<<1, threads, 2 * threads * sizeof(float)>>>(out, in, 2 * threads);
  int launched = 0;
  cudaMemcpyFromSymbol(&launched, calls, sizeof launched);
  cudaError_t error = cudaDeviceSynchronize();
  bool good = error == cudaSuccess && out[0] == 9900.0f && launched == 3;
  std::printf("%s\n", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
