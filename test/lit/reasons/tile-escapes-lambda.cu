// A lambda that names the tile, or holds a pointer into it, is bound to the one slot that it was made with.
// RUN: %refused %s %t tile-escapes --variant=ldg
#include <cuda_runtime.h>

__global__ void bad_outside(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:8: warning: {{.*}}kept in 'of'{{.*}}[tile-escapes]
  auto of = [&](int k) { return As[k]; };
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  float *p = As;
// CHECK: [[#@LINE+1]]:8: warning: {{.*}}kept in 'of'{{.*}}[tile-escapes]
  auto of = [=](int k) { return p[k]; };
  As[tx] = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] + of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_declared(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:8: warning: {{.*}}kept in 'of'{{.*}}[tile-escapes]
  auto of = [p = &As[0]](int k) { return p[k]; };
  As[tx] = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] + of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

struct View {
  float *p;
  __device__ float at(int k) const { return p[k]; }
};

__global__ void bad_copied_view(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  View first{As};
// CHECK: [[#@LINE+1]]:8: warning: {{.*}}kept in 'view'{{.*}}[tile-escapes]
  View view = first;
  As[tx] = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] + view.at(k);
    __syncthreads();
  }
  C[tx] = acc;
}

// A slot is a local reference, which these would copy or not see.
__global__ void bad_by_value(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
// CHECK: [[#@LINE+1]]:35: warning: {{.*}}[tile-escapes]
    auto of = [=](int k) { return As[k]; };
    for (int k = 0; k < 16; ++k)
      acc += of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void bad_no_capture(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
// CHECK: [[#@LINE+1]]:38: warning: {{.*}}[tile-escapes]
    auto of = [&acc](int k) { return As[k] + acc; };
    for (int k = 0; k < 16; ++k)
      acc += of(k);
    __syncthreads();
  }
  C[tx] = acc;
}

template <float *Tile> __device__ float of(int k) { return Tile[k]; }

__global__ void bad_argument(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[tx + k0];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
// CHECK: [[#@LINE+1]]:17: warning: {{.*}}argument of a template{{.*}}[tile-escapes]
      acc += of<As>(k) + As[k];
    __syncthreads();
  }
  C[tx] = acc;
}
