// Times cuBLAS on the GEMMs of the suite, the way the suite times its kernels:
// a warm-up of 0.2 s, then rounds in which the second-level cache is flushed by a
// memset in the same stream before events enclose one call. Prints JSON.
//
//   nvcc -std=c++17 -O2 bench/cublas.cu -lcublas -o cublas && ./cublas > cublas.json
//
// fp32 is computed without TF32; fp16, bf16 have fp32 sums and output, int8 int32.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "cublas: %s failed\n", what);
  std::exit(1);
}

void check(cudaError_t status, const char *what) {
  check(status == cudaSuccess, what);
}

void check(cublasStatus_t status, const char *what) {
  check(status == CUBLAS_STATUS_SUCCESS, what);
}

/// One number format: how cuBLAS names it and how wide its elements are.
struct Format {
  const char *name;
  cudaDataType_t input, output;
  cublasComputeType_t compute;
  size_t inputBytes;
  bool transposed; ///< B has K as its fast side, as cuBLAS wants it for int8.
};

constexpr Format Formats[] = {
    {"fp32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, false},
    {"fp16", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, false},
    {"bf16", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, true},
    {"int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 1, true},
};

struct Problem {
  int batch, M, N, K;
};

constexpr Problem Problems[] = {
    {1, 512, 512, 512}, {1, 1408, 1536, 4096}, {1, 4096, 4096, 4096}};
constexpr Problem Batched[] = {
    {16, 128, 128, 128}, {33, 256, 256, 1024}, {64, 1024, 1024, 1024}};

/// Fills a buffer with values that keep the multipliers busy: evenly spread
/// over [-1, 1), or over all values of int8.
template <typename T> __global__ void fill(T *data, size_t count, unsigned seed) {
  const size_t step = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    unsigned bits = unsigned(i) * 2654435761u + seed;
    bits ^= bits >> 16;
    bits *= 0x85ebca6bu;
    bits ^= bits >> 13;
    const float value = float(bits >> 8) / 8388608.0f - 1.0f;
    data[i] = T(sizeof(T) == 1 ? floorf(value * 128.0f) : value);
  }
}

class Buffer {
public:
  explicit Buffer(size_t bytes) : bytes(bytes) {
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cudaFree(memory); }

  template <typename T> void randomise(unsigned seed) {
    fill<<<1024, 256>>>(static_cast<T *>(memory), bytes / sizeof(T), seed);
    check(cudaGetLastError(), "the fill");
  }
  void randomise(const Format &format, unsigned seed) {
    switch (format.input) {
    case CUDA_R_32F: return randomise<float>(seed);
    case CUDA_R_16F: return randomise<__half>(seed);
    case CUDA_R_16BF: return randomise<__nv_bfloat16>(seed);
    default: return randomise<signed char>(seed);
    }
  }

  void *memory = nullptr;
  size_t bytes;
};

/// C = A * B row by row is C^T = B^T * A^T column by column.
void multiply(cublasHandle_t handle, const Format &f, const Problem &p,
              const Buffer &A, const Buffer &B, const Buffer &C) {
  const float one = 1.0f, zero = 0.0f;
  const int wholeOne = 1, wholeZero = 0;
  const bool whole = f.compute == CUBLAS_COMPUTE_32I;
  const void *alpha = whole ? static_cast<const void *>(&wholeOne) : &one;
  const void *beta = whole ? static_cast<const void *>(&wholeZero) : &zero;
  check(cublasGemmStridedBatchedEx(
            handle, f.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, p.N,
            p.M, p.K, alpha, B.memory, f.input, f.transposed ? p.K : p.N,
            (long long)p.K * p.N, A.memory, f.input, p.K, (long long)p.M * p.K,
            beta, C.memory, f.output, p.N, (long long)p.M * p.N, p.batch,
            f.compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::vector<float> timed(cublasHandle_t handle, const Format &f,
                         const Problem &p, const Buffer &flush) {
  Buffer A(size_t(p.batch) * p.M * p.K * f.inputBytes);
  Buffer B(size_t(p.batch) * p.K * p.N * f.inputBytes);
  Buffer C(size_t(p.batch) * p.M * p.N * 4);
  A.randomise(f, 1);
  B.randomise(f, 2);
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");

  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3 || secondsSince(start) < 0.2; ++i) {
    multiply(handle, f, p, A, B, C);
    check(cudaDeviceSynchronize(), "the warm-up");
  }
  std::vector<float> samples;
  start = std::chrono::steady_clock::now();
  while (samples.size() < 15 ||
         (samples.size() < 101 && secondsSince(start) < 2.0)) {
    check(cudaMemsetAsync(flush.memory, int(samples.size() & 1), flush.bytes),
          "the flush");
    check(cudaEventRecord(begin), "cudaEventRecord");
    multiply(handle, f, p, A, B, C);
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the timed call");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end),
          "cudaEventElapsedTime");
    samples.push_back(milliseconds);
  }
  check(cudaEventDestroy(begin), "cudaEventDestroy");
  check(cudaEventDestroy(end), "cudaEventDestroy");
  return samples;
}

void print(const Format &f, const Problem &p, const std::vector<float> &samples,
           bool &first) {
  std::printf("%s\n    {\"format\": \"%s\", \"batch\": %d, \"M\": %d, \"N\": %d, "
              "\"K\": %d, \"samples_ms\": [",
              first ? "" : ",", f.name, p.batch, p.M, p.N, p.K);
  for (size_t i = 0; i < samples.size(); ++i)
    std::printf("%s%.6f", i ? ", " : "", samples[i]);
  std::printf("]}");
  first = false;
}

} // namespace

int main() {
  cublasHandle_t handle;
  check(cublasCreate(&handle), "cublasCreate");
  check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  int version = 0;
  check(cublasGetVersion(handle, &version), "cublasGetVersion");
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  const Buffer flush(2 * size_t(device.l2CacheSize));

  std::printf("{\n  \"device\": \"%s\", \"cublas\": %d, \"rows\": [",
              device.name, version);
  bool first = true;
  for (const Format &format : Formats)
    for (const Problem &problem : Problems)
      print(format, problem, timed(handle, format, problem, flush), first);
  for (const Problem &problem : Batched)
    print(Formats[0], problem, timed(handle, Formats[0], problem, flush),
          first);
  std::printf("\n  ]\n}\n");
  check(cublasDestroy(handle), "cublasDestroy");
}
