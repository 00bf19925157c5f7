#include <cuda_runtime.h>
#include <vector>

// Macros that are sums, in what copies are counted and stepped by.
#define STEP 16 + 16
#define LIMIT 32 + 32
#define FIRST 0 + tx
#define DOWN 64 - 32
#define ROWS 1 + 1

__global__ void counted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += STEP) {
    for (int i = FIRST; i < LIMIT; i += STEP)
      As[i] = A[k0 + i];
    __syncthreads();
    acc = acc * 0.5f + As[63 - tx] + As[tx];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void stepped(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[STEP];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += STEP) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc = acc * 0.5f + As[31 - tx];
    __syncthreads();
  }
  C[tx] += acc;
}

__global__ void sizes(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[ROWS][DOWN];
  __shared__ float rest[11000];
  const int tx = threadIdx.x;
  float acc = 0;
  rest[tx] = tx;
  for (int k0 = 0; k0 < K; k0 += DOWN) {
    for (int i = tx; i < 64; i += DOWN)
      As[i / 32][i % 32] = A[k0 + i];
    __syncthreads();
    acc = acc * 0.5f + As[1][31 - tx] + As[0][tx] + rest[tx];
    __syncthreads();
  }
  C[32 + tx] = acc;
}

int main() {
  std::vector<float> host(1024);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = (i * 37 % 101) * 0.25f;
  float *A, *C;
  cudaMalloc(&A, host.size() * sizeof(float));
  cudaMalloc(&C, 64 * sizeof(float));
  cudaMemcpy(A, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int K = 0; K <= 160; K += 32) {
    counted<<<1, 32>>>(A, C, K);
    stepped<<<1, 32>>>(A, C, K);
    sizes<<<1, 32>>>(A, C, K);
  }
  return cudaDeviceSynchronize() != cudaSuccess;
}
