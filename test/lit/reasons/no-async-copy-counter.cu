// A counter counts only where it has one start and one step, last in each round: else rounds may meet, and copies that may meet are
// not asynchronous.
// RUN: %refused %s %t no-async-copy --variant=cp-async --arch=sm_80
// RUN: %rewritten %s %t --variant=cp-async --arch=sm_80
#include <cuda_runtime.h>

__global__ void __launch_bounds__(16) bad_step_in_middle(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
      s[e - 16] = A[k0 + e];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_two_steps(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      e += 8;
      s[e - 8] = A[k0 + e];
      e += 8;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_step_under_if(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      if (e != 20)
        e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_used_after(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
    }
    s[e - 64] = A[k0 + 1];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_used_again(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
    }
    while (e < 128) {
      s[e - 64] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_set_back(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    for (int j = 0; j < 2; ++j)
      while (e < 64) {
        s[e] = A[k0 + e];
        e += 16;
      }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_zero_step(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 0;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_narrow(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    unsigned char e = tid;
    while (e < n) {
      s[e & 63] = A[k0 + e];
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_narrow_do(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    unsigned char e = tid + n;
    do {
      s[e / 4] = A[k0 + e];
      e += 16;
    } while (e < 64);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_reference(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    int &other = e;
    while (e < 64) {
      s[e] = A[k0 + e];
      other -= 8;
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_chosen(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid, f = 0;
    while (e < 64) {
      s[e] = A[k0 + e];
      (e < n ? e : f) -= 8;
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_assembly(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      asm("sub.s32 %0, %0, 8;" : "+r"(e));
      e += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) bad_moved_start(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
// CHECK: [[#@LINE+1]]:3: warning: {{.*}}may be copied twice{{.*}}[no-async-copy]
  for (int k0 = 0; k0 < K; k0 += 16) {
    int from = tid;
    for (int j = 0; j < 2; ++j) {
      int e = from;
      while (e < 48) {
        s[e] = A[k0 + e + j];
        e += 16;
      }
      from += 16;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_two_tiles(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  __shared__ float other[32];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    int e = tid;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += 16;
    }
    e = tid;
    do {
      other[e] = A[k0 + e + 1];
      e += 16;
    } while (e < 32);
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1) + other[i % 32];
    __syncthreads();
  }
  C[tid] = acc;
}

__global__ void __launch_bounds__(16) good_symbolic(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float s[64];
  int tid = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    unsigned e = threadIdx.x;
    while (e < 64) {
      s[e] = A[k0 + e];
      e += blockDim.x;
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      acc += s[i] * (i + 1);
    __syncthreads();
  }
  C[tid] = acc;
}
