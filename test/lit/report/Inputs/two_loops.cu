// One loop that is rewritten and one that is refused.
__global__ void __launch_bounds__(256)
    sum_tiles(const float *__restrict__ A, float *__restrict__ out, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  float sum = 0.0f;

  for (int k = 0; k < n; k += 256) {
    tile[t] = A[k + t];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void __launch_bounds__(256)
    sum_stored(const float *A, float *out, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  float sum = 0.0f;

  for (int k = 0; k < n; k += 256) {
    tile[t] = A[k + t];
    __syncthreads();
    for (int i = 0; i < 256; ++i)
      sum += tile[i];
    out[k + t] = sum;
    __syncthreads();
  }
}
