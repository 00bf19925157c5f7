// Private state that the copy phase and the compute phase share keeps the author's order, or the loop is
// refused: a register queue that is shifted before its head is set, an address chain that has moved on.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=TEXT --input-file=%t.cu
#include <cuda_runtime.h>

__global__ void shifted_first(const float *__restrict__ in, float *__restrict__ out, int n, int stride) {
  __shared__ float tile[32];
  int tx = threadIdx.x, at = tx;
  float behind = 0, current = 0, infront = in[at];
  for (int z = 0; z < n; ++z) {
    // CHECK: :[[@LINE+1]]:5: warning: {{.*}}'current' is used here before the copy phase sets it{{.*}}[address-depends-on-compute]
    behind = current;
    current = infront;
    at += stride;
    infront = in[at];
    tile[tx] = current;
    __syncthreads();
    out[z * 32 + tx] = behind + tile[31 - tx] + infront;
    __syncthreads();
  }
}

__global__ void chained(const float *__restrict__ in, const int *__restrict__ next, float *__restrict__ out, int n) {
  __shared__ float tile[32];
  int tx = threadIdx.x;
  int idx = 0, following = next[0];
  float acc = 0;
  for (int z = 0; z < n; ++z) {
    // CHECK: :[[@LINE+1]]:5: warning: {{.*}}'following' is needed where the tile is stored{{.*}}[address-depends-on-compute]
    idx = following;
    following = next[idx];
    tile[tx] = in[idx + tx] * idx;
    __syncthreads();
    acc += tile[31 - tx];
    __syncthreads();
  }
  out[tx] = acc;
}

// The near miss: the queue without the shift runs in the author's order.
__global__ void queue(const float *__restrict__ in, float *__restrict__ out, int n, int stride) {
  __shared__ float tile[32];
  int tx = threadIdx.x, at = tx;
  float current = 0, infront = in[at];
  // CHECK: :[[@LINE+1]]:3: remark: pipelined: ldg
  for (int z = 0; z < n; ++z) {
    current = infront;
    at += stride;
    infront = in[at];
    tile[tx] = current;
    __syncthreads();
    out[z * 32 + tx] = current + tile[31 - tx] + infront;
    __syncthreads();
  }
}
// TEXT: infront_next = in[at];
// TEXT: current + tile[31 - tx] + infront;
// TEXT: current = infront;
// TEXT-NEXT: infront = infront_next;
// TEXT-NEXT: tile[tx] = current;
