// A block size counts only where nothing changes it on the way to the launch.
// REQUIRES: cuda-headers
// RUN: pipeline-rewrite --dry-run --dump=facts --arch=sm_90 %s 2>/dev/null | grep 'launch at' | FileCheck %s
#include <cuda_runtime.h>

__global__ void use(const float *A, float *C, int K) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
    acc += tile[63 - t];
    __syncthreads();
  }
  C[t] = acc;
}

dim3 anybody(64);
const dim3 nobody(64);
void shape(dim3 &block);
void look(dim3 block);

void plain(float *A, float *C) {
  dim3 block(8, 8);
  look(block);
  int threads = block.x * block.y;
  // CHECK: [[#@LINE+1]]: use, bytes none = 0, block 8 x 8 x 1
  use<<<1, block>>>(A, C, threads);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0, block 64 x 1 x 1
  use<<<1, nobody>>>(A, C, 64);
}

void changed(float *A, float *C, dim3 given = dim3(64)) {
  dim3 member(8, 4);
  member.y = 8;
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, member>>>(A, C, 64);
  dim3 whole(8, 4);
  if (A)
    whole = dim3(8, 8);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, whole>>>(A, C, 64);
  dim3 referred(64);
  shape(referred);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, referred>>>(A, C, 64);
  dim3 captured(64);
  auto change = [&] { captured.x = 32; };
  change();
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, captured>>>(A, C, 64);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, given>>>(A, C, 64);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  use<<<1, anybody>>>(A, C, 64);
}

void configured(float *A, float *C, bool tall) {
  cudaLaunchConfig_t once = {0};
  once.blockDim = dim3(64);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0, block 64 x 1 x 1
  cudaLaunchKernelEx(&once, use, (const float *)A, C, 64);
  cudaLaunchConfig_t member = {0};
  member.blockDim = dim3(64);
  member.blockDim.y = 2;
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  cudaLaunchKernelEx(&member, use, (const float *)A, C, 64);
  cudaLaunchConfig_t sometimes = {0};
  if (tall)
    sometimes.blockDim = dim3(64);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  cudaLaunchKernelEx(&sometimes, use, (const float *)A, C, 64);
  cudaLaunchConfig_t twice = {0};
  twice.blockDim = dim3(64);
  twice.blockDim = dim3(32);
  // CHECK: [[#@LINE+1]]: use, bytes none = 0{{$}}
  cudaLaunchKernelEx(&twice, use, (const float *)A, C, 64);
  cudaLaunchConfig_t bytes = {0};
  bytes.blockDim = dim3(64);
  if (tall)
    bytes.dynamicSmemBytes = 512;
  // CHECK: [[#@LINE+1]]: use, bytes none, block 64 x 1 x 1, gets its bytes by a configuration that is set on some ways only
  cudaLaunchKernelEx(&bytes, use, (const float *)A, C, 64);
}
