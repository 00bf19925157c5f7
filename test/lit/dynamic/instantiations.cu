// One text for two element types: the stride is the larger one's, and the steps
// are counted in each type's own size.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=ldg --allow-cliff --format-style=none %s 2>/dev/null | grep -v '// CHECK' | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=ldg --allow-cliff --verify=cpu %s -o %t.cu 2>&1 | FileCheck --check-prefix=PROOF %s
// PROOF: instantiations.cu: proof (cpu): proved

#include <cuda_runtime.h>
#include <cstdio>

// CHECK: return 1024;
// CHECK: constexpr int slot_stride = 512;
// CHECK: auto *tile = tile_slots + (slot ^ 1) * (slot_stride / int(sizeof(*tile_slots)));
template <typename T> __global__ void sums(const T *__restrict__ A, T *__restrict__ C, int K) {
  extern __shared__ __align__(16) unsigned char block[];
  T *tile = reinterpret_cast<T *>(block);
  int t = threadIdx.x;
  T acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    tile[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += tile[k] * (k + 1);
    __syncthreads();
  }
  C[t] = acc;
}

template <typename T> T run(int K) {
  T *A, *C;
  cudaMallocManaged(&A, 256 * sizeof(T));
  cudaMallocManaged(&C, 64 * sizeof(T));
  for (int i = 0; i < 256; ++i)
    A[i] = T(i % 11);
  sums<T><<<1, 64, 64 * sizeof(T)>>>(A, C, K);
  cudaDeviceSynchronize();
  return C[5];
}

int main() {
  for (int K = 0; K <= 256; K += 64)
    std::printf("%g %g\n", double(run<float>(K)), run<double>(K));
}
