// Where copies keep pointers, the loop's own counter says whether there is one more tile: none has to run ahead for it.
// RUN: %shape %s %t RING --kernel=plain --variant=cp-async --form=ring --stages=4 --issue=last --addresses=stepped
// RUN: %shape %s %t LDG --kernel=plain --variant=ldg --form=predicate --issue=last --addresses=stepped
// RUN: %shape %s %t FIRST --kernel=plain --variant=ldg --form=predicate --issue=first --addresses=stepped
// RUN: %shape %s %t CONSTANT --kernel=plain --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped --unroll=3
// RUN: %shape %s %t INDEXED --kernel=plain --variant=cp-async --form=ring --stages=3 --issue=last --addresses=indexed
// RUN: %shape %s %t INCLUSIVE --kernel=inclusive --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t WIDE --kernel=wide --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t FIRSTTILE --kernel=from --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t UNSIGNED --kernel=unsignedCounter --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t STEP --kernel=variableStep --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t MOVED --kernel=movedBound --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
// RUN: %shape %s %t VALUE --kernel=counterInValue --variant=ldg --form=predicate --issue=last --addresses=stepped
// RUN: %shape %s %t SIGN --kernel=withoutSign --variant=cp-async --form=ring --stages=3 --issue=last --addresses=stepped
#include <cuda_runtime.h>

constexpr int BK = 16;

__global__ void plain(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// RING: for (int slot_filled = 0; slot_filled < 3; ++slot_filled) {
// RING-NEXT: if (k0_next < K) { // Prologue: the first tiles.
// RING: k0_next += BK;
// RING: for (int k0 = 0; k0 < K; k0 += BK) {
// RING-NOT: k0_next
// RING: if (K - k0 > 3 * BK) { // One more sets off.
// RING-NOT: k0_next

// LDG: if (k0_next < K) { // The second tile sets off.
// LDG-NOT: k0_next
// LDG: if (K - k0 > 2 * BK) { // One more sets off.
// LDG-NOT: k0_next

// FIRST: const bool more = K - k0 > BK;
// FIRST-NOT: k0_next

// Slower there, as measured.
// CONSTANT: if (k0_next < K) { // One more sets off.

// The addresses need the counter that runs ahead.
// INDEXED: if (k0_next < K) { // One more sets off.

__global__ void inclusive(const float *__restrict__ A, float *__restrict__ C, int last) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 <= last / 2; k0 += BK) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// INCLUSIVE: if ((last / 2) - k0 >= 2 * BK) { // One more sets off.

// What is compared has no sign; the counter, which has one, starts above zero.
__global__ void wide(const float *__restrict__ A, float *__restrict__ C, size_t n) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 3; k0 < n; k0 = k0 + BK) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// WIDE: if (n - k0 > 2 * BK) { // One more sets off.

// Below zero the difference could overflow.
__global__ void from(const float *__restrict__ A, float *__restrict__ C, int first, int n) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = first; k0 < n; k0 += BK) {
    As[tx] = A[k0 - first + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// FIRSTTILE: if (k0_next < n) { // One more sets off.

// It may begin again at zero, where the author's loop goes on.
__global__ void unsignedCounter(const float *__restrict__ A, float *__restrict__ C, size_t K) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (size_t k0 = 0; k0 < K; k0 += BK) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// UNSIGNED: if (k0_next < K) { // One more sets off.

// How far two steps are might not fit.
__global__ void variableStep(const float *__restrict__ A, float *__restrict__ C, int K, int step) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += step) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// STEP: if (k0_next < K) { // One more sets off.

// The limit is asked for ahead, where it has moved less often.
__global__ void movedBound(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK, K -= 2) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// MOVED-NOT: K - k0
// MOVED: One more sets off.

// The store half of the next tile wants its counter.
__global__ void counterInValue(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[tx] = A[k0 + tx] * k0;
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// VALUE-NOT: K - k0
// VALUE: One more sets off.

// The sum has no sign, so that passing the counter's range is no error.
__global__ void withoutSign(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[BK];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += sizeof(float[4])) {
    As[tx] = A[k0 + tx];
    __syncthreads();
    acc += As[BK - 1 - tx];
    __syncthreads();
  }
  C[tx] = acc;
}
// SIGN-NOT: K - k0
// SIGN: One more sets off.
