// One warp computes a 16x8 tile of C = A * B^T with ldmatrix and mma in inline
// PTX, copies by cp.async. B is stored by columns (N rows of K).
#include <cuda_fp16.h>

#include <cstdint>

__global__ void mma_ptx(const half *__restrict__ A, const half *__restrict__ B,
                        float *__restrict__ C, int K) {
  __shared__ __align__(16) half As[16][16];
  __shared__ __align__(16) half Bs[8][16];
  const int lane = threadIdx.x;
  float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k0 = 0; k0 < K; k0 += 16) {
    {
      const uint32_t to = static_cast<uint32_t>(
          __cvta_generic_to_shared(&As[lane / 2][lane % 2 * 8]));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to),
                   "l"(A + lane / 2 * K + k0 + lane % 2 * 8));
    }
    if (lane < 16) {
      uint32_t to;
      asm volatile("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; "
                   "cvt.u32.u64 %0, wide; }"
                   : "=r"(to)
                   : "l"(&Bs[lane / 2][lane % 2 * 8]));
      asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;\n" ::"r"(
                       to),
                   "l"(B + lane / 2 * K + k0 + lane % 2 * 8));
    }
    asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;\n" ::
                     : "memory");
    __syncthreads();
    uint32_t a[4], b[2];
    uint32_t row = static_cast<uint32_t>(
        __cvta_generic_to_shared(&As[lane % 16][lane / 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(row));
    row = static_cast<uint32_t>(
        __cvta_generic_to_shared(&Bs[lane % 8][lane / 8 % 2 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(b[0]), "=r"(b[1])
                 : "r"(row));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]),
                   "r"(b[1]));
    __syncthreads();
  }
  const int row = lane / 4, column = lane % 4 * 2;
  C[row * 8 + column] = c[0];
  C[row * 8 + column + 1] = c[1];
  C[(row + 8) * 8 + column] = c[2];
  C[(row + 8) * 8 + column + 1] = c[3];
}
