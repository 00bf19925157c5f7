// Braces and brackets may be spelled the old way.
// RUN: %shape %s %t CHECK --variant=ldg --form=predicate
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) <%
    As<:tx:> = A<:k0 + tx:>;
    __syncthreads();
    for (int k = 0; k < 16; ++k) <%
      acc += As[k];
    %>
    __syncthreads();
  %>
  C[tx] = acc;
}

// CHECK: As<:tx:> = A<:k0_next + tx:>;
// CHECK: for (int k = 0; k < 16; ++k) <%
// CHECK-NEXT: acc += As[k];
// CHECK-NEXT: %>
