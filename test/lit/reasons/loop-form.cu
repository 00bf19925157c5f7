// The next tile can only set off early if the loop's control is known one iteration ahead.
// RUN: %refused %s %t loop-form
// RUN: %rewritten %s %t
#include <cuda_runtime.h>

__global__ void bad_break(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (acc > 9)
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[loop-form]
      break;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_continue(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    if (K == 7)
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[loop-form]
      continue;
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_return(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (K == 7)
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[loop-form]
      return;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_goto(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (K == 7)
// CHECK: [[#@LINE+1]]:7: warning: {{.*}}[loop-form]
      goto out;
    __syncthreads();
  }
  out:
  C[tx] = acc;
}

__global__ void bad_side_effect(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int n = K;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[loop-form]
  while (n--) {
    As[tx] = A[n * 16 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_no_condition(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  int k0 = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}[loop-form]
  for (;;) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    k0 += 16;
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_condition_of_shared(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  __shared__ int done;
  int tx = threadIdx.x;
  float acc = 0;
  done = 0;
  __syncthreads();
// CHECK: [[#@LINE+1]]:31: warning: {{.*}}[loop-form]
  for (int k0 = 0; k0 < K && !done; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    if (tx == 0 && k0 > 99)
      done = 1;
    __syncthreads();
  }
  C[tx] = acc;
}

// What leaves an inner loop, or a switch, leaves no iteration of the K loop.
__global__ void good_inner_break(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      if (As[k] < 0)
        break;
      if (As[k] > 9)
        continue;
      acc += As[k];
    }
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_switch(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    switch (K) {
    case 7:
      acc = 1;
      break;
    default:
      acc += As[tx ^ 1];
    }
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void good_compound_condition(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K && k0 < 64; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
