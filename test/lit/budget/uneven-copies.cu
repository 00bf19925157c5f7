// Two copy loops that begin at the thread's own index: what they load would lie in an array that no compiler keeps in registers.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --dry-run %s 2>&1 | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_75 --dry-run %s 2>&1 | FileCheck --check-prefix=OLD %s
#include <cuda_runtime.h>

// CHECK: uneven-copies.cu:[[#@LINE+6]]: cp-async ({{.*}}): several copy loops depend on the thread, so that ldg would hold the tile in local memory
// OLD: uneven-copies.cu:[[#@LINE+5]]: ldg ({{.*}}): sm_75 has no asynchronous copy
__global__ __launch_bounds__(256) void halo(const float *__restrict__ in, float *__restrict__ out, int n, int planes) {
  __shared__ float tile[18][18];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int p = 0; p < planes; ++p) {
    for (int y = ty; y < 18; y += 16)
      for (int x = tx; x < 18; x += 16)
        tile[y][x] = in[(p * n + y) * n + x];
    __syncthreads();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        sum += tile[ty + i][tx + j] * tile[ty + j][tx + i];
    __syncthreads();
  }
  out[ty * n + tx] = sum;
}

// One such loop: by registers.
// CHECK: uneven-copies.cu:[[#@LINE+5]]: ldg ({{.*}}): {{.*}}the smallest asynchronous copy
__global__ __launch_bounds__(256) void line(const float *__restrict__ in, float *__restrict__ out, int n, int planes) {
  __shared__ float tile[272];
  int tx = threadIdx.x;
  float sum = 0;
  for (int p = 0; p < planes; ++p) {
    for (int x = tx; x < 272; x += 256)
      tile[x] = in[p * n + x];
    __syncthreads();
    for (int j = 0; j < 17; ++j)
      sum += tile[tx + j] * tile[tx + 16 - j];
    __syncthreads();
  }
  out[tx] = sum;
}
