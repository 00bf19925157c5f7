// Copies of one thread that may fill an element twice, though their rounds look apart.
// RUN: %refused %s %t no-async-copy --variant=cp-async --arch=sm_80
// RUN: %rewritten %s %t --variant=cp-async --arch=sm_80
#include <cuda_runtime.h>

// Where the inner loop starts moves with the outer one, and the index with it.
__global__ void __launch_bounds__(64) bad_skewed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64][8];
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}one of its elements may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int j = 0; j < 4; ++j)
      for (int i = j; i < 8 + j; i += 4)
        s[threadIdx.x][i - j] = A[threadIdx.x * 512 + k0 + i + j];
    __syncthreads();
    for (int i = 0; i < 8; i += 4)
      acc += s[63 - threadIdx.x][i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// Rounds that are apart in 64 bits and the same in 32.
__global__ void __launch_bounds__(64) bad_cut(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64][8];
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}one of its elements may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (long long i = 0; i < 4; ++i) {
      const int e = (int)(i * 0x100000000ll);
      s[threadIdx.x][e] = A[threadIdx.x * 512 + k0 + i];
    }
    __syncthreads();
    acc += s[63 - threadIdx.x][0];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

// The inner loop starts where the thread says, in each round.
__global__ void __launch_bounds__(64) good_thread(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[8][64];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int j = 0; j < 8; ++j)
      for (int i = threadIdx.x; i < 64; i += 64)
        s[j][i] = A[i * 512 + k0 + j];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      acc += s[i][63 - threadIdx.x] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
