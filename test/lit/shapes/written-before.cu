// What is written in front of the loop and read by it: the loop's own barrier stands between the first tile and the
// second, so two tiles that set off at once need one before them.
// RUN: %shape %s %t OWN --kernel=own --variant=cp-async --stages=3
// RUN: %shape %s %t LDG --kernel=own --variant=ldg --form=predicate --issue=last
// One tile at a time: the barrier behind it is enough.
// RUN: %shape %s %t NONE --kernel=own --variant=cp-async --stages=2
// RUN: %shape %s %t NONE --kernel=own --variant=ldg --form=predicate --issue=first
// RUN: %shape %s %t NONE --kernel=own --variant=cp-async --form=peel
// RUN: %shape %s %t OWN --kernel=turns --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=table --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=chosen --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=helper --variant=cp-async --stages=3
// Where the next tile lies, and whether there is one, is asked in front of the first barrier, too.
// RUN: %shape %s %t SOON --kernel=updated --variant=ldg --form=peel
// RUN: %shape %s %t SOON --kernel=updated --variant=cp-async --form=predicate
// RUN: %shape %s %t OWN --kernel=stepped --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=asked --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=sometimes --variant=cp-async --stages=3
// RUN: %shape %s %t OWN --kernel=atLast --variant=cp-async --stages=3 --assume-no-alias
// RUN: %shape %s %t OWN --kernel=inArm --variant=cp-async --stages=3
// Written to what the loop does not read, in order already, or read only.
// RUN: %shape %s %t NONE --kernel=other --variant=cp-async --stages=3
// RUN: %shape %s %t NONE --kernel=ordered --variant=cp-async --stages=3
// RUN: %shape %s %t NONE --kernel=orderedTurns --variant=cp-async --stages=3
// RUN: %shape %s %t NONE --kernel=reads --variant=cp-async --stages=3
#include <cuda_runtime.h>

// OWN: if ({{.*}}) { // What was written before is complete.
// OWN-NEXT: __syncthreads();
// OWN-NEXT: }
// OWN-NEXT: for (int slot_filled = 0;

// LDG: if (i_next < n) {
// LDG-NEXT: __syncthreads();
// LDG-NEXT: { // Prologue: the first tile.

// SOON: if ({{i(_next)?}} < n) {
// SOON-NEXT: __syncthreads();
// SOON-NEXT: { // Prologue: the first tile.

// NONE-NOT: is complete
// NONE: Prologue: the first tile

#define LOOP(g)                                                                                                        \
  for (int j = 0; j < 64; ++j)                                                                                         \
    acc += s[j] * (j + 1);

__global__ void own(float *g, float *out, int n) {
  __shared__ float s[64];
  g[threadIdx.x] = out[threadIdx.x] * 2;
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// Behind the loop, and once more around.
__global__ void turns(float *g, float *out, int n) {
  __shared__ float s[64];
  float acc = 0;
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < n; ++i) {
      s[threadIdx.x] = g[(threadIdx.x + i) % 64];
      __syncthreads();
      LOOP(g)
      __syncthreads();
    }
    g[threadIdx.x] = acc;
  }
  out[threadIdx.x] = acc;
}

// Shared memory that the copies' addresses come from.
__global__ void table(const float *__restrict__ g, float *__restrict__ out, int n) {
  __shared__ float s[64];
  __shared__ int from[64];
  from[threadIdx.x] = threadIdx.x * 7 % 64;
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[from[(threadIdx.x + i) % 64]];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// A barrier that not every way to the loop passes.
__global__ void chosen(float *g, float *out, int n) {
  __shared__ float s[64];
  g[threadIdx.x] = out[threadIdx.x] * 2;
  if (n > 3)
    __syncthreads();
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

__global__ void updated(const float *__restrict__ g, int *next, float *__restrict__ out, int n) {
  __shared__ float s[64];
  next[63 - threadIdx.x] = 1;
  const float *p = g;
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    LOOP(g)
    __syncthreads();
    p += next[i % 64];
  }
  out[threadIdx.x] = acc;
}

__global__ void stepped(const float *__restrict__ g, int *next, float *__restrict__ out, int n) {
  __shared__ float s[64];
  next[63 - threadIdx.x] = 1;
  float acc = 0;
  for (int i = 0; i < n; i += next[i % 64]) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

__global__ void asked(const float *__restrict__ g, int *next, float *__restrict__ out, int n) {
  __shared__ float s[64];
  next[63 - threadIdx.x] = n;
  float acc = 0;
  for (int i = 0; i == 0 || i < next[0]; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// A barrier that a helper leaves out.
__device__ void syncIf(bool c) {
  if (c)
    __syncthreads();
}
__global__ void sometimes(float *g, float *out, int n) {
  __shared__ float s[64];
  g[threadIdx.x] = out[threadIdx.x] * 2;
  syncIf(n > 3);
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// A destructor runs behind the last statement of its block.
struct Put {
  float *p;
  __device__ ~Put() { p[63 - threadIdx.x] = 7; }
};
__global__ void atLast(float *g, float *out, int n) {
  __shared__ float s[64];
  {
    Put last{g};
    __syncthreads();
  }
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

#define TRACE(x) {}
__global__ void inArm(float *g, float *out, int n) {
  __shared__ float s[64];
  float acc = 0;
  g[threadIdx.x] = out[threadIdx.x] * 2;
  if (n < 0) {
    acc = n;
    __syncthreads();
  } else {
    TRACE(n)
    for (int i = 0; i < n; ++i) {
      s[threadIdx.x] = g[(threadIdx.x + i) % 64];
      __syncthreads();
      LOOP(g)
      __syncthreads();
    }
  }
  out[threadIdx.x] = acc;
}

// Whoever calls it may have written.
__device__ float store[64];
__device__ float helper(int n) {
  __shared__ float s[64];
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = store[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  return acc;
}

__global__ void other(const float *__restrict__ g, float *__restrict__ out, int n) {
  __shared__ float s[64];
  out[threadIdx.x + 64] = n;
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

__global__ void ordered(float *g, float *out, int n) {
  __shared__ float s[64];
  g[threadIdx.x] = out[threadIdx.x] * 2;
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

__global__ void orderedTurns(float *g, float *out, int n) {
  __shared__ float s[64];
  float acc = 0;
  for (int turn = 0; turn < 3; ++turn) {
    __syncthreads();
    for (int i = 0; i < n; ++i) {
      s[threadIdx.x] = g[(threadIdx.x + i) % 64];
      __syncthreads();
      LOOP(g)
      __syncthreads();
    }
    g[threadIdx.x] = acc;
  }
  out[threadIdx.x] = acc;
}

__global__ void reads(float *g, float *out, int n) {
  __shared__ float s[64];
  float acc = g[63 - threadIdx.x];
  for (int i = 0; i < n; ++i) {
    s[threadIdx.x] = g[(threadIdx.x + i) % 64];
    __syncthreads();
    LOOP(g)
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}
