// A loop whose counter decides where it reads the block is followed in each of its iterations, where they are known.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --allow-cliff --verify=cpu %s -o %t.cu 2>&1 | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=register-prefetch --kernel=^carved --verify=cpu %s -o %t.one.cu 2>&1 | FileCheck %s --check-prefix=PROOF
// CHECK-DAG: counter.cu: proof (cpu): proved
// PROOF: counter.cu: proof (cpu): proved
#include <cuda_runtime.h>

// Inputs of all iterations, the tile, the accumulators and a bias, carved out with constants.
// CHECK-DAG: counter.cu:{{[0-9]+}}:3: remark: pipelined: {{ldg|cp-async}}, {{.*}} 2 slots
__global__ void carved(const float *__restrict__ A, const float *__restrict__ B,
                       const float *__restrict__ D, float *__restrict__ C) {
  int x = threadIdx.x, line = threadIdx.y;
  int ind = line * 32 + x;
  extern __shared__ float block[];
  float *__restrict__ weights = block + 4 * 128,
        *__restrict__ output = weights + 32 * 16,
        *__restrict__ input = block;
  float *__restrict__ bias = output + 4 * 32;
  for (int i = 0; i < 4; i++)
    input[ind + i * 128] = A[blockIdx.x * 512 + i * 128 + ind];
  if (line == 0)
    bias[x] = D[x];
  output[ind] = 0.0f;
  __syncthreads();

  for (int k = 0; k < 128; k += 16) {
    const float *from = B + k * 32;
    for (int i = 0; i < 4; i++)
      weights[ind + i * 128] = from[i * 128 + ind];
    __syncthreads();

    const float *left = input + k;
    for (int p = 0; p < 16; p++)
      output[ind] += left[line * 128 + p] * weights[x + p * 32];
    __syncthreads();
  }
  C[blockIdx.x * 128 + ind] = output[ind] + bias[x];
}

// How often the loop runs is not known, and so is not where it reads.
// CHECK-DAG: counter.cu:{{.*}}'unknown' is not pipelined: {{.*}}[tile-written-in-compute]
__global__ void unknown(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int K) {
  int x = threadIdx.x;
  extern __shared__ float block[];
  float *weights = block + 512, *output = weights + 256, *input = block;
  for (int i = 0; i < 4; i++)
    input[x + i * 128] = A[i * 128 + x];
  output[x] = 0.0f;
  __syncthreads();
  for (int k = 0; k < K; k += 2) {
    for (int i = 0; i < 2; i++)
      weights[x + i * 128] = B[k * 128 + i * 128 + x];
    __syncthreads();
    const float *left = input + k;
    for (int p = 0; p < 2; p++)
      output[x] += left[p] * weights[x + p * 128];
    __syncthreads();
  }
  C[x] = output[x];
}

// In its first iteration the loop reaches into the tile's own bytes: one object, which the compute phase writes.
// CHECK-DAG: counter.cu:{{.*}}'reaches' is not pipelined: {{.*}}[tile-written-in-compute]
__global__ void reaches(const float *__restrict__ B, float *__restrict__ C) {
  int x = threadIdx.x;
  extern __shared__ float block[];
  float *weights = block, *output = block + 256;
  for (int i = -1; i < 15; ++i)
    output[i * 128 + x] = 0.0f;
  __syncthreads();
  for (int k = 0; k < 8; k += 1) {
    for (int i = 0; i < 2; i++)
      weights[x + i * 128] = B[k * 256 + i * 128 + x];
    __syncthreads();
    float *out = output + (k - 1) * 128;
    float sum = weights[127 - x] + weights[255 - x];
    __syncthreads();
    out[x] += sum;
    __syncthreads();
  }
  C[x] = output[x];
}

// What another iteration stored is read: the tile is not all new in each.
// CHECK-DAG: counter.cu:{{.*}}'grows' is not pipelined: {{.*}}[partial-tile]
__global__ void grows(const float *__restrict__ B, float *__restrict__ C) {
  int x = threadIdx.x;
  extern __shared__ float block[];
  float acc = 0;
  for (int k = 0; k < 4; k += 1) {
    float *to = block + k * 128;
    block[k * 128 + x] = B[k * 128 + x];
    __syncthreads();
    for (int j = 0; j <= k; ++j)
      acc += block[j * 128 + 127 - x];
    __syncthreads();
  }
  C[x] = acc;
}

int main() {
  float *A, *B, *C, *D;
  cudaMallocManaged(&A, 1024 * sizeof(float));
  cudaMallocManaged(&B, 4096 * sizeof(float));
  cudaMallocManaged(&C, 1024 * sizeof(float));
  cudaMallocManaged(&D, 32 * sizeof(float));
  for (int i = 0; i < 4096; ++i)
    B[i] = i % 13;
  for (int i = 0; i < 1024; ++i)
    A[i] = i % 7;
  for (int i = 0; i < 32; ++i)
    D[i] = i;
  carved<<<2, dim3(32, 4), (4 * 128 + 16 * 32 + 4 * 32 + 32) * 4>>>(A, B, D, C);
  unknown<<<1, 128, (512 + 256 + 128) * 4>>>(A, B, C, 4);
  reaches<<<1, 128, (256 + 2048) * 4>>>(B, C);
  grows<<<1, 128, 4 * 128 * 4>>>(B, C);
  return cudaDeviceSynchronize() != cudaSuccess;
}
