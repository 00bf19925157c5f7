// What mma_ptx computes, the plain way.
static void mma_reference(const half *A, const half *B, float *C, int K) {
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[column * K + k]);
      C[row * 8 + column] = sum;
    }
}
