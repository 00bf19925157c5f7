// The lines inside a literal are no code: they keep their indentation.
// RUN: %shape %s %t CHECK --variant=ldg --form=peel
// RUN: pipeline-rewrite --quiet --cuda-path=none --variant=ldg --form=peel --format-style=none %s \
// RUN:   | FileCheck %s --strict-whitespace --check-prefix=EXACT
#include <cuda_runtime.h>

__global__ void kernel(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[16];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += sizeof(R"(
  for (int k0 = 0; ) { __syncthreads();
      x)") + sizeof("one \
   two");
    for (int k = 0; k < 16; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// CHECK: ... while this one is computed.
// EXACT: {{^        acc \+= sizeof\(R"\($}}
// EXACT-NEXT: {{^  for \(int k0 = 0; \) \{ __syncthreads\(\);$}}
// EXACT-NEXT: {{^      x\)"\) \+ sizeof\("one \\$}}
// EXACT-NEXT: {{^   two"\);$}}
// EXACT-NEXT: {{^        for \(int k = 0;}}
