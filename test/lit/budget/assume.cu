// --assume fills in what the source leaves open: sizes of a template that nothing instantiates, the trip count, the ratio. The
// rewrite itself stays the same: it has to be right for every size.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --dry-run --json %s 2>/dev/null | FileCheck %s --check-prefix=OPEN
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --block=32,8 --assume=BM=8 --assume=BK=32 --assume=K=4096 --dry-run --json %s 2>/dev/null | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --variant=ldg %s > %t.open 2>/dev/null
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --variant=ldg --assume=BM=8 --assume=BK=32 --assume=K=4096 --assume=blockDim.x=32 %s > %t.assumed 2>/dev/null
// RUN: cmp %t.open %t.assumed
// OPEN: "occupancy": {
// OPEN-NEXT: "after": null,
// OPEN: "ratio": null,
// OPEN: "trip_count": null
// CHECK: "blocks_per_sm": 6
// CHECK: "ratio": 64,
// CHECK: "ratio_derivation": "2 * 32*4 multiply-adds * 256 threads / 1,024 B"
// CHECK: "shared_bytes": {
// CHECK-NEXT: "after": 2048,
// CHECK-NEXT: "before": 1024,
// CHECK: "trip_count": 128
template <int BM, int BK>
__global__ void open(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BM][BK];
  float acc[4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[threadIdx.y][threadIdx.x] = A[threadIdx.y * K + k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] += As[j][k] * 2.0f;
    __syncthreads();
  }
  C[threadIdx.x] = acc[0] + acc[1] + acc[2] + acc[3];
}
