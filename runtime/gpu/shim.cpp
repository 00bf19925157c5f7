// Linked into a program that launches its kernels itself (by the linker's --wrap). Each allocation gets guard
// zones and a pattern; behind each launch the bytes of every allocation are hashed into a trace. The traces of
// the original program and of the rewritten one have to be the same.
//
//   PR_TRACE=FILE   write the trace
//   PR_TIMES=FILE   time each of the first launches instead, on the memory that it meets
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

extern "C" {
cudaError_t __real_cudaMalloc(void **pointer, size_t bytes);
cudaError_t __real_cudaFree(void *pointer);
cudaError_t __real_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream);
cudaError_t __real_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                               cudaStream_t stream);
cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args);
cudaError_t __real___cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream);
}

namespace {

constexpr size_t Zone = 4096;
constexpr unsigned char GuardByte = 0xc9, FreshByte = 0x5e;

struct Allocation {
  unsigned char *pointer; // As the program has it.
  size_t size;
};

struct State {
  std::mutex mutex;
  std::vector<Allocation> memory; // In the order of the program: addresses may differ from run to run.
  std::vector<unsigned char> scratch;
  std::FILE *trace = nullptr, *times = nullptr;
  unsigned launches = 0;
  State() {
    if (const char *name = std::getenv("PR_TRACE"))
      trace = std::fopen(name, "w");
    if (const char *name = std::getenv("PR_TIMES"))
      times = std::fopen(name, "w");
  }
};

State &state() {
  static State *only = new State; // Never destroyed: a program may free memory at its very end.
  return *only;
}

// Ends the program: a trace with holes would prove nothing.
void must(cudaError_t code, const char *what, int line) {
  if (code == cudaSuccess)
    return;
  if (std::FILE *trace = state().trace) {
    std::fprintf(trace, "error %s: %s (shim.cpp:%d)\n", what, cudaGetErrorName(code), line);
    std::fclose(trace);
  }
  std::fprintf(stderr, "shim.cpp:%d: %s: %s\n", line, what, cudaGetErrorString(code));
  _Exit(86);
}
#define MUST(CALL) must((CALL), #CALL, __LINE__)

unsigned long long hashOf(const unsigned char *bytes, size_t count) {
  unsigned long long hash = 0x9e3779b97f4a7c15ull + count;
  for (size_t i = 0; i < count; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  return hash;
}

void writeState(std::FILE *out, dim3 grid, dim3 block) {
  State &s = state();
  std::fprintf(out, "launch %u grid %u,%u,%u block %u,%u,%u", s.launches, grid.x, grid.y, grid.z, block.x, block.y,
               block.z);
  unsigned number = 0;
  for (auto &[pointer, size] : s.memory) {
    s.scratch.resize(size + 2 * Zone);
    MUST(cudaMemcpy(s.scratch.data(), pointer - Zone, size + 2 * Zone, cudaMemcpyDeviceToHost));
    bool damaged = false;
    for (size_t i = 0; i < Zone; ++i)
      damaged |= s.scratch[i] != GuardByte || s.scratch[Zone + size + i] != GuardByte;
    std::fprintf(out, " %u:%zu:%016llx%s", number++, size, hashOf(s.scratch.data() + Zone, size),
                 damaged ? ":damaged" : "");
  }
  std::fprintf(out, "\n");
  std::fflush(out);
}

bool isCapturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  MUST(cudaStreamIsCapturing(stream, &status));
  return status != cudaStreamCaptureStatusNone;
}

// All of the first launches, then fewer and fewer: a benchmark loop launches thousands of times.
bool isWatched(unsigned launch) { return launch < 64 || (launch & (launch - 1)) == 0; }

template <class Launch> void timeLaunch(Launch launch, dim3 grid, dim3 block, cudaStream_t stream) {
  State &s = state();
  std::vector<void *> copies;
  for (auto &[pointer, size] : s.memory) {
    copies.push_back(nullptr);
    MUST(__real_cudaMalloc(&copies.back(), size + 1));
    MUST(cudaMemcpy(copies.back(), pointer, size, cudaMemcpyDeviceToDevice));
  }
  cudaEvent_t begin, end;
  MUST(cudaEventCreate(&begin));
  MUST(cudaEventCreate(&end));
  std::fprintf(s.times, "launch %u grid %u,%u,%u block %u,%u,%u", s.launches, grid.x, grid.y, grid.z, block.x, block.y,
               block.z);
  for (int i = -3; i < 5; ++i) {
    float milliseconds = 0;
    MUST(cudaEventRecord(begin, stream));
    MUST(launch());
    MUST(cudaEventRecord(end, stream));
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&milliseconds, begin, end));
    if (i >= 0)
      std::fprintf(s.times, " %.6f", milliseconds);
  }
  std::fprintf(s.times, "\n");
  std::fflush(s.times);
  MUST(cudaEventDestroy(begin));
  MUST(cudaEventDestroy(end));
  size_t i = 0;
  for (auto &[pointer, size] : s.memory) {
    MUST(cudaMemcpy(pointer, copies[i], size, cudaMemcpyDeviceToDevice));
    MUST(__real_cudaFree(copies[i++]));
  }
}

template <class Launch> cudaError_t shadow(Launch launch, dim3 grid, dim3 block, cudaStream_t stream) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  if ((!s.trace && !s.times) || isCapturing(stream)) {
    if (s.trace)
      std::fprintf(s.trace, "captured\n");
    return launch();
  }
  if (s.times && s.launches < 16)
    timeLaunch(launch, grid, block, stream);
  cudaError_t code = launch();
  if (s.trace && code != cudaSuccess)
    std::fprintf(s.trace, "launch %u refused: %s\n", s.launches, cudaGetErrorName(code));
  else if (s.trace && isWatched(s.launches)) {
    MUST(cudaDeviceSynchronize());
    writeState(s.trace, grid, block);
  }
  ++s.launches;
  return code;
}

} // namespace

extern "C" {

cudaError_t __wrap_cudaMalloc(void **pointer, size_t bytes) {
  State &s = state();
  if (!s.trace && !s.times)
    return __real_cudaMalloc(pointer, bytes);
  std::lock_guard<std::mutex> lock(s.mutex);
  void *base = nullptr;
  if (cudaError_t code = __real_cudaMalloc(&base, bytes + 2 * Zone))
    return code;
  MUST(cudaMemset(base, GuardByte, bytes + 2 * Zone));
  unsigned char *inner = static_cast<unsigned char *>(base) + Zone;
  MUST(cudaMemset(inner, FreshByte, bytes));
  s.memory.push_back({inner, bytes});
  *pointer = inner;
  return cudaSuccess;
}

cudaError_t __wrap_cudaFree(void *pointer) {
  State &s = state();
  std::lock_guard<std::mutex> lock(s.mutex);
  auto found = s.memory.begin();
  while (found != s.memory.end() && found->pointer != pointer)
    ++found;
  if (found == s.memory.end())
    return __real_cudaFree(pointer);
  s.memory.erase(found);
  return __real_cudaFree(static_cast<unsigned char *>(pointer) - Zone);
}

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                    cudaStream_t stream) {
  return shadow([&] { return __real_cudaLaunchKernel(kernel, grid, block, args, shared, stream); }, grid, block,
                stream);
}

// What <<<>>> calls since CUDA 12.8.
cudaError_t __wrap___cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                      cudaStream_t stream) {
  return shadow([&] { return __real___cudaLaunchKernel(kernel, grid, block, args, shared, stream); }, grid, block,
                stream);
}

cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                               cudaStream_t stream) {
  return shadow([&] { return __real_cudaLaunchCooperativeKernel(kernel, grid, block, args, shared, stream); }, grid,
                block, stream);
}

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args) {
  return shadow([&] { return __real_cudaLaunchKernelExC(config, kernel, args); }, config->gridDim, config->blockDim,
                config->stream);
}

} // extern "C"
