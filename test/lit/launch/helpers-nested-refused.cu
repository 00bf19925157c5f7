// Near misses: somewhere on the way something else is done with the kernel or its bytes, or it is not known what is.
//
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_90 --variant=cp-async --stages=2 --allow-cliff --diff %s 2>&1 | FileCheck %s --implicit-check-not='{{^[+-]}}' --implicit-check-not=remark

#include <cuda_runtime.h>

using Kernel = void (*)(const float *, float *, int);
struct Work {
  const float *A;
  float *C;
  int K;
};

inline void inner(Kernel kernel, size_t bytes, Work w) { kernel<<<1, 64, bytes>>>(w.A, w.C, w.K); }
inline void more(Kernel kernel, size_t bytes, Work w) { inner(kernel, bytes + 4, w); }
inline void again(Kernel kernel, size_t bytes, Work w) {
  inner(kernel, bytes, w);
  inner(kernel, bytes, w);
}
inline void repeats(Kernel kernel, size_t bytes, Work w) {
  if (w.K > 0)
    repeats(kernel, bytes, {w.A, w.C, w.K - 64});
}
inline void limits(Kernel kernel, size_t bytes, Work) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
}
template <typename B> void typed(Kernel kernel, B bytes, Work w) {
  if constexpr (sizeof(B) == 4)
    kernel<<<1, 64, bytes>>>(w.A, w.C, w.K);
}
template <typename... B> void packed(Kernel kernel, Work w, B... bytes) { inner(kernel, bytes..., w); }
template <int N> struct Part {
  static void run(Kernel kernel, size_t bytes, size_t, Work w) { kernel<<<1, 64, bytes>>>(w.A, w.C, w.K); }
};
template <> struct Part<2> {
  static void run(Kernel kernel, size_t, size_t bytes, Work w) { kernel<<<1, 64, bytes>>>(w.A, w.C, w.K); }
};
struct Base {
  virtual ~Base() = default;
  virtual void run(Kernel kernel, size_t bytes, Work w) const { inner(kernel, bytes, w); }
};
struct Holder {
  size_t bytes;
  void run(Kernel kernel, Work w) const { inner(kernel, bytes, w); }
};
struct Two {
  void run(Kernel kernel, size_t bytes, Work w) const { inner(kernel, bytes, w); }
  void run(Kernel kernel, int, Work w) const { inner(kernel, 256, w); }
};

// CHECK: in 'of_more' is not pipelined: {{.*}} it is handed to 'more', which does more with it, or with its bytes, than to launch it with bytes that are one of its arguments
__global__ void of_more(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_again' is not pipelined: {{.*}} it is handed to 'again', which does more
__global__ void of_again(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_round' is not pipelined: {{.*}} it is handed to 'repeats', which does more
__global__ void of_round(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_limits' is not pipelined: {{.*}} it is handed to 'limits', which does not launch it
__global__ void of_limits(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_typed' is not pipelined: {{.*}} it is handed to 'typed', which takes bytes of whatever type they have
__global__ void of_typed(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_packed' is not pipelined: {{.*}} it is handed to 'packed', which takes bytes of whatever type they have
__global__ void of_packed(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_virtual' is not pipelined: {{.*}} it is handed to 'run', which is virtual
__global__ void of_virtual(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_holder' is not pipelined: {{.*}} it is handed to 'run', which does more
__global__ void of_holder(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_two' is not pipelined: {{.*}} it is handed to 'run', of which there are several
__global__ void of_two(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_outer' is not pipelined: {{.*}} it is handed to 'go', which does more
__global__ void of_outer(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_any' is not pipelined: {{.*}} it is handed to 'any', which takes bytes of whatever type they have
__global__ void of_any(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_pointer' is not pipelined: {{.*}} it is handed to 'pointer', of which it is not known what it calls
__global__ void of_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 64) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
// CHECK: in 'of_unused' is not pipelined: {{.*}} it is handed to 'inner', in a template that is not instantiated here [launch-not-visible]
template <int N>
__global__ void of_unused(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += N) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
template <int N> void unused(Work w) { inner(of_unused<N>, 256, w); }
// CHECK: in 'of_part' is not pipelined: {{.*}} cannot be changed: that launch gives its shared bytes to another parameter in another instantiation [launch-not-visible]
template <int N>
__global__ void of_part(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += N) {
    s[t] = A[k0 + t];
    __syncthreads();
    for (int k = 0; k < N; ++k)
      acc += s[k] * k;
    __syncthreads();
  }
  C[t] = acc;
}
template <int N> void parted(Work w) { Part<N>::run(of_part<64>, 256, 256, w); }

void all(const Base &base, Work w, size_t bytes) {
  more(of_more, 256, w);
  again(of_again, 256, w);
  repeats(of_round, 256, w);
  limits(of_limits, 256, w);
  typed(of_typed, 256, w);
  packed(of_packed, w, size_t(256));
  base.run(of_virtual, 256, w);
  Holder{256}.run(of_holder, w);
  Two().run(of_two, size_t(256), w);
  auto go = [&](Kernel kernel) { inner(kernel, bytes, w); };
  go(of_outer);
  auto any = [&](auto kernel, auto given) { inner(kernel, given, w); };
  any(of_any, 256);
  void (*pointer)(Kernel, size_t, Work) = inner;
  pointer(of_pointer, 256, w);
  parted<1>(w);
  parted<2>(w);
}
