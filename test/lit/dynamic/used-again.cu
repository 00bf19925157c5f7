// What the kernel does next with the block may be where the last slot of a slower thread lies: then a barrier closes the loop, also
// where the original had none.
//
// REQUIRES: clang-host
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=ldg --form=peel --allow-cliff --verify=cpu %s -o %t.ldg.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --form=ring --stages=3 --allow-cliff --verify=cpu %s -o %t.ring.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --form=predicate --allow-cliff --verify=cpu %s -o %t.once.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// RUN: FileCheck --input-file=%t.ldg.cu %s
// RUN: FileCheck --input-file=%t.ring.cu %s
// PROOF-COUNT-2: remark: pipelined
// PROOF: proof (cpu): proved
#include <cuda_runtime.h>

// Output staged behind the tiles, in the bytes of slot 1.
// CHECK-LABEL: void staged
// CHECK: acc +=
// CHECK: __syncthreads();
// CHECK: Cs[ty * 32 + tx] = acc;
__global__ void staged(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N) {
  extern __shared__ float smem[];
  float *As = smem;
  float *Bs = smem + 512;
  float *Cs = smem + 1536;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 32 + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < N; k0 += 32) {
    __syncthreads();
    As[ty * 32 + tx] = A[row * N + k0 + tx];
    for (int r = ty; r < 32; r += 16)
      Bs[r * 32 + tx] = B[(k0 + r) * N + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      acc += As[ty * 32 + k] * Bs[k * 32 + tx];
  }
  Cs[ty * 32 + tx] = acc;
  __syncthreads();
  C[row * N + col] = Cs[ty * 32 + 31 - tx];
}

// A loop that the tool leaves alone comes behind and fills other bytes.
__global__ void another(const float *__restrict__ A, float *__restrict__ C, int N) {
  extern __shared__ float smem[];
  float *first = smem, *second = smem + 64;
  int t = threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < N; k0 += 64) {
    __syncthreads();
    first[t] = A[k0 + t];
    __syncthreads();
    acc += first[63 - t];
  }
  second[t] = acc;
  for (int i = 0; i < 4; ++i) {
    __syncthreads();
    acc += second[(t + i) % 64];
  }
  C[t] = acc;
}

int main() {
  const int n = 96;
  float *A, *B, *C;
  cudaMallocManaged(&A, n * n * sizeof(float));
  cudaMallocManaged(&B, n * n * sizeof(float));
  cudaMallocManaged(&C, n * n * sizeof(float));
  for (int i = 0; i < n * n; ++i)
    A[i] = i % 13, B[i] = i % 7;
  dim3 block(32, 16);
  for (int size = 32; size <= n; size += 32)
    staged<<<dim3(size / 32, size / 16), block, 2048 * sizeof(float)>>>(A, B, C, size);
  another<<<1, 64, 128 * sizeof(float)>>>(A, C, 192);
  return cudaDeviceSynchronize() != cudaSuccess;
}
