// No edit starts or ends inside a macro body.
// RUN: %refused %s %t macro
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

#define EACH_TILE(v) for (int v = 0; v < K; v += 16)

__global__ void bad_header(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[macro]
  EACH_TILE(k0) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

#define WHOLE_LOOP                                        \
  for (int k0 = 0; k0 < K; k0 += 16) {                    \
    As[tx] = A[k0 + tx];                                  \
    __syncthreads();                                      \
    for (int k = 0; k < 16; ++k)                          \
      acc += As[k];                                       \
    __syncthreads();                                      \
  }

__global__ void bad_whole_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[macro]
  WHOLE_LOOP;
  C[tx] = acc;
}

#define COPY_AND_WAIT                                      \
  As[tx] = A[k0 + tx];                                     \
  __syncthreads();

__global__ void bad_copy_and_barrier(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[macro]
    COPY_AND_WAIT
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Macros for an access, an index, a size or a barrier are kept as they are.
#define AS(i) As[i]
#define GLOBAL(i) A[i]

__global__ void good_access(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    AS(tx) = GLOBAL(k0 + tx);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += AS(k);
    __syncthreads();
  }
  C[tx] = acc;
}

#define WAIT __syncthreads()

__global__ void good_barrier(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    WAIT;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    WAIT;
  }
  C[tx] = acc;
}

#define LAST K
#define STEP 16

__global__ void good_sizes(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < LAST; k0 += STEP) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
