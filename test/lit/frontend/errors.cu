// An input that does not parse: exit 3, the compiler's own words with the user's path, nothing written.
// RUN: cp %s %t.cu
// RUN: %exits 3 pipeline-rewrite --cuda-path=none -i %t.cu 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %exits 3 pipeline-rewrite --cuda-path=none %s 2>/dev/null | count 0
// CHECK: errors.cu.tmp.cu:[[#@LINE+5]]:{{[0-9]+}}: error: use of undeclared identifier 'missing'
// CHECK-NOT: errors.cu.tmp.cu:[[#@LINE+4]]:{{.*}}error
// CHECK-NOT: warning
#include <cuda_runtime.h>

__global__ void k(float *p) { int unused; p[0] = missing; }
