// Asynchronous copies have no order: a tile stays with ldg unless no thread can copy to one element twice. Places are
// compared as numbers, not as they are spelled, and what cannot be told apart may be the same.
// RUN: pipeline-rewrite --cuda-path=none --arch=sm_80 --variant=cp-async --block=256 --allow-cliff --json %s > %t.json 2>/dev/null
// RUN: %python %S/Inputs/transports.py %t.json %s
#include <cuda_runtime.h>

// In each kernel: what its name says becomes of As.
__global__ void ldg_two_names(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[512], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  int other = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    As[tx] = A[k0 + tx];
    As[other] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_other_spelling(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[512], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    As[tx + 1] = A[k0 + tx];
    As[1 + tx] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_pointer(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[512], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    float *to = &As[tx];
    Bs[tx] = A[k0 + tx];
    As[tx + 1] = A[k0 + tx];
    to[1] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_parameter(const float *__restrict__ A, float *__restrict__ C, int K, int n) {
  __shared__ float As[512], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    As[tx] = A[k0 + tx];
    As[tx + n] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_wider(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[1024];
  __shared__ float Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    *(float4 *)&As[tx * 4] = *(const float4 *)&A[k0 + tx * 4];
    As[tx * 4 + 3] = A[k0 + tx];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_rounds_meet(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i) {
      As[i * 256 + tx] = A[k0 + i * 256 + tx];
      As[(i + 1) * 256 + tx] = A[k0 + i * 256 + tx + 1];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_rounds_halved(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[1024], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i)
      As[i / 2 * 256 + tx] = A[k0 + i * 256 + tx];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_rows_overlap(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[1024], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        As[tx * 4 + r * 3 + c] = A[k0 + r * 4 + c];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_other_loop(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i)
      As[i * 256 + tx] = A[k0 + i * 256 + tx];
    for (int i = 3; i < 6; ++i)
      As[i * 256 + tx] = A[k0 + i * 256 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_outer_round(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int again = 0; again < 2; ++again)
      for (int i = 0; i < 4; ++i)
        As[i * blockDim.x + tx] = A[k0 + i * 256 + tx + again];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_apart(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[512], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  int other = threadIdx.x;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    As[tx] = A[k0 + tx];
    As[other + 256] = A[k0 + tx + 1];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_rounds(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[2048], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 8; i += 2) {
      As[i * 256 + tx] = A[k0 + i * 256 + tx];
      As[(i + 1) * 256 + tx] = A[k0 + i * 256 + tx + 1];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_grid(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32 * 33], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i) {
      int e = i * 256 + tx;
      As[e / 32 * 33 + e % 32] = A[k0 + e];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void ldg_narrow_grid(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32 * 33], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i) {
      int e = i + tx * 3;
      As[e / 32 * 31 + e % 32] = A[k0 + e];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

// Whole rows apart, whatever a row's pitch is.
__global__ void async_narrow_grid(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32 * 33], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i) {
      int e = i * 256 + tx;
      As[e / 32 * 31 + e % 32] = A[k0 + e];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_strided(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[1024], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = tx; i < 1024; i += blockDim.x)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_rows(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[32 * 32], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int r = threadIdx.y; r < 32; r += blockDim.y)
      for (int c = tx; c < 32; c += blockDim.x)
        As[r * 32 + c] = A[k0 + r * 32 + c];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_swizzled(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ __align__(16) float As[4096];
  __shared__ float Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i) {
      int row = i * 32 + tx / 8, column = tx % 8 ^ (row & 7);
      *(float4 *)&As[row * 32 + column * 4] = *(const float4 *)&A[k0 + i * 1024 + tx * 4];
    }
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}

__global__ void async_blocks(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[1024], Bs[256];
  int tx = threadIdx.x;
  float acc = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    Bs[tx] = A[k0 + tx];
    for (int i = 0; i < 4; ++i)
      As[i * blockDim.x + tx] = A[k0 + i * 256 + tx];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k] + Bs[k];
    __syncthreads();
  }
  C[tx] = acc;
}
