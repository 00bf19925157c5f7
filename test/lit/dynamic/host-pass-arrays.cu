// Arrays do not become dynamic where the host may see other sizes; inside of functions it does not matter.
//
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --stages=4 --allow-cliff %s -o - 2>&1 | FileCheck %s
// RUN: sed '/^#ifdef/,/^#endif/d; s/^ #/#/' %s > %t.cu
// RUN: pipeline-rewrite --cuda-path=none --format-style=none --arch=sm_80 --variant=cp-async --stages=4 --allow-cliff %t.cu -o - 2>&1 | FileCheck --check-prefix=INSIDE %s
#include <cuda_runtime.h>
constexpr int Wide = 72;
#ifdef __CUDA_ARCH__
constexpr int LD = 72;
#else
constexpr int LD = 64;
#endif

// CHECK: the arrays cannot become dynamic: __CUDA_ARCH__ is asked for outside of functions{{.*}}[stage-count-reduced]
// CHECK: __shared__ {{.*}}As_slots[2][64][Wide];
// INSIDE: kernel<<<1, 64, kernel_shared_bytes()>>>(A, C, K);
__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64][Wide];
  const int tx = threadIdx.x;
  float acc = 0;
 #ifdef __CUDA_ARCH__
  acc = 1;
 #endif
  for (int k = 0; k < K; k += 64) {
    for (int r = 0; r < 64; ++r)
      As[r][tx] = A[(k + r) * 64 + tx];
    __syncthreads();
    for (int r = 0; r < 64; ++r)
      acc += As[r][63 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// Numbers are the same for both.
// CHECK: numbers<<<1, 64, numbers_shared_bytes()>>>(A, C, K);
__global__ void numbers(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[64][72];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += 64) {
    for (int r = 0; r < 64; ++r)
      As[r][tx] = A[(k + r) * 64 + tx];
    __syncthreads();
    for (int r = 0; r < 64; ++r)
      acc += As[r][63 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
void go(const float *A, float *C, int K) {
  kernel<<<1, 64>>>(A, C, K);
  numbers<<<1, 64>>>(A, C, K);
}
