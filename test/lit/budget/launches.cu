// One row for each instantiation and each launch that differs; the launch that allows the fewest slots decides.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --dry-run %s 2>/dev/null | FileCheck %s
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --dry-run --json %s 2>/dev/null | FileCheck %s --check-prefix=JSON
// CHECK: By instantiation and launch:
// CHECK: | k<64> {{ *}}| line [[@LINE+37]] | {{ *}}64 | {{ *}}0 | {{ *}}256 -> 512 | {{ *}}16 -> 16 | {{ *}}66.7 -> 66.7 |
// CHECK: | k<128> {{ *}}| line [[@LINE+37]] | {{ *}}128 | {{ *}}0 | {{ *}}512 -> 1,024 | {{ *}}12 -> 12 | {{ *}}100.0 -> 100.0 |
// CHECK: | k<128> {{ *}}| line [[@LINE+38]] | {{ *}}256 | {{ *}}0 | {{ *}}512 -> 1,024 | {{ *}}6 -> 6 |
// CHECK-NOT: | k<
// CHECK: | few
// JSON: "launches": [
// JSON: "dynamic_bytes": 0,
// JSON-NEXT: "instantiation": "k<64>",
// JSON-NEXT: "line": [[@LINE+29]],
template <int Width>
__global__ void k(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Width];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += Width) {
    if (threadIdx.x < Width)
      As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < Width; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
__global__ void few(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 2048) {
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 2048; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
void launch(const float *A, float *C, int K) {
  k<64><<<1, 64>>>(A, C, K);
  k<128><<<1, 128>>>(A, C, K);
  k<128><<<2, 128>>>(A, C, K);
  k<128><<<1, dim3(128, 2)>>>(A, C, K);
  few<<<1, 512>>>(A, C, K);
  few<<<1, 32>>>(A, C, K);
}
