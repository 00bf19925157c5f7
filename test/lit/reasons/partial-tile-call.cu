// Which elements a called function writes must be the same for each tile: what it asks before it stores, how it leaves, and where it
// stores to may depend on its arguments, and these on the tile.
// RUN: %refused %s %t partial-tile --variant=ldg
#include <cuda_runtime.h>

__device__ void early(float *to, const float *from, int i, int n) {
  if (i >= n)
    return;
  to[threadIdx.x] = from[i];
}

__device__ void shortened(float *to, const float *from, int i, int n) {
  i < n && (to[threadIdx.x] = from[i]);
}

__device__ void broken_off(float *to, const float *from, int i, int n) {
  for (int j = 0; j < 2; ++j) {
    if (i >= n)
      break;
    to[threadIdx.x] = from[i];
  }
}

__device__ void bounded(float *to, const float *from, int i, int n) {
  int rounds = i < n;
  for (int j = 0; j < rounds; ++j)
    to[threadIdx.x] = from[i];
}

__device__ void counted(float *to, const float *from, int i, int n) {
  int rounds = 0;
  if (i < n)
    ++rounds;
  while (rounds-- > 0)
    to[threadIdx.x] = from[i];
}

__device__ void placed(float *to, const float *from, int i, int n) { to[i / 4 % 16] = from[i]; }

__device__ void placed_by_pointer(float *to, const float *from, int i, int n) {
  float *p = to;
  p += i / 4 % 16;
  *p = from[i];
}

__device__ void placed_by_array(float *to, const float *from, int i, int n) {
  int at[2];
  int *p = at;
  p[1] = i / 4 % 16;
  to[at[1]] = from[i];
}

__device__ void set(int *at, int i) { at[0] = i / 4 % 16; }
__device__ void placed_by_callee(float *to, const float *from, int i, int n) {
  int at[1] = {0};
  set(at, i);
  to[at[0]] = from[i];
}

__device__ void placed_by_memory(float *to, const float *from, int i, int n) {
  int at = (int)from[i] & 15;
  to[at] = from[i];
}

__device__ void put(float *to, float value, bool now) {
  if (now)
    *to = value;
}
__device__ void nested(float *to, const float *from, int i, int n) { put(&to[threadIdx.x], from[i], i < n); }

__device__ void repeated(float *to, const float *from, int i, int n) {
  if (n > 0)
    repeated(to, from, n, i - 1);
  to[threadIdx.x] = from[i];
}

__device__ void chosen(float *to, const float *from, int i, int n) {
  switch (i / 16) {
  case 0:
    to[threadIdx.x] = from[i];
  }
}

__device__ void later(float *to, const float *from, int i, int n);

struct Loader {
  int at;
  __device__ void load(float *to, const float *from, int i) const { to[at] = from[i]; }
};

// What the next ones leave out, or where they store, is the same for each tile.
__device__ void by_thread(float *to, const float *from, int i, int n) {
  if (threadIdx.x >= 12)
    return;
  to[threadIdx.x] = from[i];
}

__device__ void by_argument(float *to, const float *from, int i, int n) {
  for (int j = threadIdx.x; j < n; j += 16)
    to[j % 16] = from[i];
}

__device__ void value_guarded(float *to, const float *from, int i, int n) {
  float value{0};
  if (i < n)
    value = from[i];
  to[threadIdx.x] = value;
}

// A part of a private vector is cleared behind a pointer.
__device__ void vector_guarded(float *to, const float *from, int i, int n) {
  float4 values{0, 0, 0, 0};
  if (i + 3 < n)
    values = *reinterpret_cast<const float4 *>(&from[i / 4 * 4]);
  if (i + 8 > n) {
    float *const part{reinterpret_cast<float *>(&values)};
    for (int j{0}; j < i % 4; ++j)
      part[j] = 0;
  }
  if (threadIdx.x < 4)
    *reinterpret_cast<float4 *>(&to[threadIdx.x * 4]) = values;
}

__device__ void by_callee(float *to, const float *from, int i, int n) { put(&to[threadIdx.x], from[i], threadIdx.x < 14); }

__global__ void __launch_bounds__(16) bad_early(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    early(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_shortened(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    shortened(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_broken_off(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    broken_off(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_bounded(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    bounded(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_counted(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    counted(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_placed(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    placed(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_placed_by_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    placed_by_pointer(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_placed_by_array(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    placed_by_array(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_placed_by_callee(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    placed_by_callee(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_placed_by_memory(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    placed_by_memory(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_nested(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    nested(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_repeated(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    repeated(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_chosen(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    chosen(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_later(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    later(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_argument(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    by_argument(s, A, k0 + threadIdx.x, K - k0);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_lambda(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  auto fill = [&](int i) {
    if (i < K - 8)
      s[threadIdx.x] = A[i];
  };
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    fill(k0 + threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) bad_in_switch(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
// CHECK: [[#@LINE+1]]:5: warning: {{.*}}[partial-tile]
    switch (K) {
    default:
      early(s, A, k0 + threadIdx.x, K - 8);
    }
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_by_thread(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    by_thread(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_value_guarded(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    value_guarded(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_vector_guarded(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    vector_guarded(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_by_callee(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    by_callee(s, A, k0 + threadIdx.x, K - 8);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_by_argument(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    by_argument(s, A, k0 + threadIdx.x, K);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__global__ void __launch_bounds__(16) good_method(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float s[16];
  float acc = 0;
  Loader loader{int(threadIdx.x)};
  for (int k0 = 0; k0 < K; k0 += 16) {
    loader.load(s, A, k0 + threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 12; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

__device__ void later(float *destination, const float *from, int index, int count) {
  if (index < count)
    destination[threadIdx.x] = from[index];
}
