// The author's last barrier also orders the last compute phase against what follows the loop. It is kept exactly where something
// that follows may touch what the loop touches.
// RUN: %shape %s %t PEEL --variant=ldg --form=peel
// RUN: %shape %s %t CHECK --variant=cp-async --form=ring

// What other threads still read in their last compute phase.
// PEEL-LABEL: void readThenWritten(
// PEEL: // Epilogue
// PEEL: __syncthreads();
// PEEL: C[tx] = acc
// CHECK-LABEL: void readThenWritten(
// CHECK: acc += As[k] * C[(tx + k) % 16];
// CHECK: __syncthreads();
// CHECK-NEXT: C[tx] = acc;
__global__ void readThenWritten(const float *__restrict__ A, float *C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * C[(tx + k) % 16];
    __syncthreads();
  }
  C[tx] = acc;
}

// The same through another pointer, which may be the same memory.
// PEEL-LABEL: void mayBeTheSame(
// PEEL: // Epilogue
// PEEL: __syncthreads();
// PEEL: C[tx] = acc
// CHECK-LABEL: void mayBeTheSame(
// CHECK: acc += As[k] * D[(tx + k) % 16];
// CHECK: __syncthreads();
// CHECK-NEXT: C[tx] = acc;
__global__ void mayBeTheSame(const float *__restrict__ A, float *C, const float *D, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k] * D[(tx + k) % 16];
    __syncthreads();
  }
  C[tx] = acc;
}

// Nobody else touches what is written.
// PEEL-LABEL: void onlyWritten(
// PEEL: // Epilogue
// PEEL-NOT: __syncthreads();
// PEEL: C[tx] = acc
// CHECK-LABEL: void onlyWritten(
// CHECK: acc[k % 2] += As[k];
// CHECK-NOT: __syncthreads();
// CHECK: C[tx] = acc[0] + acc[1] * B[tx];
__global__ void onlyWritten(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc[2] = {0, 0};
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc[k % 2] += As[k];
    __syncthreads();
  }
  C[tx] = acc[0] + acc[1] * B[tx];
}

// An atomic may tell others that the work is done.
// PEEL-LABEL: void tellsOthers(
// PEEL: // Epilogue
// PEEL: __syncthreads();
// PEEL: C[tx] = acc
// CHECK-LABEL: void tellsOthers(
// CHECK: acc += As[k];
// CHECK: __syncthreads();
// CHECK-NEXT: if (tx == 0)
__global__ void tellsOthers(const float *__restrict__ A, float *__restrict__ C, int *__restrict__ done, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  if (tx == 0)
    atomicAdd(done, 1);
  C[tx] = acc;
}
