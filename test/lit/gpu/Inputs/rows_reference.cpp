inline void rows_reference(const float *A, float *C, int K) {
  for (int row = 0; row < 2; ++row)
    for (int lane = 0; lane < 8; ++lane) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[row * K + k] * (lane + 1);
      C[row * 8 + lane] = (float)sum;
    }
}
