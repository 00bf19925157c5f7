// Flags that Clang would misread (-G eats its neighbour, -t 4 is an input, -lineinfo a library)
// are translated; what the command says about the machine counts unless --arch says otherwise.
// RUN: pipeline-rewrite --cuda-path=none --json %s -- -lineinfo -use_fast_math -G -DSIZE=64 -t 4 \
// RUN:   -Xptxas -v -Werror all-warnings -gencode arch=compute_75,code=sm_75 \
// RUN:   -gencode=arch=compute_89,code=[compute_89,sm_89] 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty --input-file=%t.err
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_86 --json %s -- nvcc -arch=sm_75 -DSIZE=64 \
// RUN:   2>/dev/null | FileCheck %s --check-prefix=GIVEN
// RUN: pipeline-rewrite --cuda-path=none --json %s -- -DSIZE=64 --made-up=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// CHECK: "arch": "sm_89"
// QUIET-NOT: {{error|warning|assumed-arch}}
// GIVEN: "arch": "sm_86"
// UNKNOWN: the compile option '--made-up=1' is not known
#include <cuda_runtime.h>

__global__ void k(float *p) {
  __shared__ float s[SIZE];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[SIZE - 1 - threadIdx.x];
}
