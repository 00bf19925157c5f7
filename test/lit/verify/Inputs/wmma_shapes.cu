// Every type, shape and storage order of wmma against a product in a loop.
#include <cmath>
#include <cstdio>
#include <mma.h>
using namespace nvcuda;
template <typename TA, typename TC, int M, int N, int K, typename LA,
          typename LB>
__global__ void mm(const TA *a, const TA *b, TC *c, int lda, int ldb) {
  wmma::fragment<wmma::matrix_a, M, N, K, TA, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, TA, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, TC> fc;
  wmma::fill_fragment(fc, TC(1));
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] = fc.x[i] * TC(2);
  wmma::store_matrix_sync(c, fc, N, wmma::mem_row_major);
}
template <typename LA, typename LB>
__global__ void tf(const float *a, const float *b, float *c, int lda, int ldb) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, LA> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, LB> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::load_matrix_sync(fc, c, 16, wmma::mem_row_major);
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
#pragma unroll
  for (int i = 0; i < fa.num_elements; i++)
    fa.x[i] = wmma::__float_to_tf32(fa.x[i]);
  for (int i = 0; i < fb.num_elements; i++)
    fb.x[i] = wmma::__float_to_tf32(fb.x[i]);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
int bad = 0;
template <typename T> double val(T v) { return (double)(float)v; }
template <typename TA, typename TC, int M, int N, int K, typename LA,
          typename LB>
void test(const char *n, bool ra, bool rb) {
  TA *a, *b;
  TC *c;
  cudaMallocManaged(&a, M * K * sizeof(TA));
  cudaMallocManaged(&b, N * K * sizeof(TA));
  cudaMallocManaged(&c, M * N * sizeof(TC));
  for (int i = 0; i < M * K; ++i)
    a[i] = TA((float)(i % 7));
  for (int i = 0; i < N * K; ++i)
    b[i] = TA((float)(i % 5));
  mm<TA, TC, M, N, K, LA, LB><<<1, 32>>>(a, b, c, ra ? K : M, rb ? N : K);
  cudaDeviceSynchronize();
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      double s = 1;
      for (int k = 0; k < K; ++k)
        s += val(a[ra ? i * K + k : k * M + i]) *
             val(b[rb ? k * N + j : j * K + k]);
      if (val(c[i * N + j]) != 2 * s) {
        printf("%s %d %d: %g not %g\n", n, i, j, val(c[i * N + j]), 2 * s);
        ++bad;
        return;
      }
    }
}
template <typename LA, typename LB> void testtf(bool ra, bool rb) {
  float *a, *b, *c;
  cudaMallocManaged(&a, 512);
  cudaMallocManaged(&b, 512);
  cudaMallocManaged(&c, 1024);
  for (int i = 0; i < 128; ++i)
    a[i] = i % 7, b[i] = i % 5;
  for (int i = 0; i < 256; ++i)
    c[i] = 3;
  tf<LA, LB><<<1, 32>>>(a, b, c, ra ? 8 : 16, rb ? 16 : 8);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float s = 3;
      for (int k = 0; k < 8; ++k)
        s += a[ra ? i * 8 + k : k * 16 + i] * b[rb ? k * 16 + j : j * 8 + k];
      if (c[i * 16 + j] != s) {
        printf("tf %d %d\n", i, j);
        ++bad;
        return;
      }
    }
}
int main() {
#define L4(TA, TC, M, N, K)                                                    \
  test<TA, TC, M, N, K, wmma::row_major, wmma::row_major>(#TA #TC #M " rr", 1, \
                                                          1);                  \
  test<TA, TC, M, N, K, wmma::row_major, wmma::col_major>(#TA #TC #M " rc", 1, \
                                                          0);                  \
  test<TA, TC, M, N, K, wmma::col_major, wmma::row_major>(#TA #TC #M " cr", 0, \
                                                          1);                  \
  test<TA, TC, M, N, K, wmma::col_major, wmma::col_major>(#TA #TC #M " cc", 0, \
                                                          0);
  L4(__half, float, 16, 16, 16)
  L4(__half, float, 32, 8, 16) L4(__half, float, 8, 32, 16)
      L4(__half, __half, 16, 16, 16) L4(__nv_bfloat16, float, 16, 16, 16)
          L4(__nv_bfloat16, float, 32, 8, 16) L4(signed char, int, 16, 16, 16)
              L4(unsigned char, int, 16, 16, 16)
                  testtf<wmma::row_major, wmma::row_major>(1, 1);
  testtf<wmma::row_major, wmma::col_major>(1, 0);
  testtf<wmma::col_major, wmma::row_major>(0, 1);
  test<double, double, 8, 8, 4, wmma::row_major, wmma::col_major>("double", 1,
                                                                  0);
  return bad;
}
