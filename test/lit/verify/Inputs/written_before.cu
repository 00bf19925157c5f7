// Every thread writes what others load in later iterations.
__global__ void smooth(float *g, float *out, int n) {
  __shared__ float s[64];
  g[threadIdx.x] = out[threadIdx.x] * 2;
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i * 9) % 64];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j] * (j + 1);
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
