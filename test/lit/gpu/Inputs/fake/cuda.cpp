// The fake card's library.
#include "cuda_runtime.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

thread_local dim3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace {

// All threads that have not ended wait for each other.
struct Barrier {
  std::mutex mutex;
  std::condition_variable wake;
  unsigned alive = 0, waiting = 0, turn = 0;
  void release() {
    waiting = 0;
    ++turn;
    wake.notify_all();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    if (++waiting == alive)
      return release();
    unsigned mine = turn;
    wake.wait(lock, [&] { return turn != mine; });
  }
  void leave() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--alive && waiting == alive)
      release();
  }
} barrier;

struct Trapped {};

cudaError_t sticky = cudaSuccess, last = cudaSuccess;
size_t used = 0;

size_t sizeOf(void *pointer) { return static_cast<size_t *>(pointer)[-2]; }

bool asked(const char *name) { return std::getenv(name) != nullptr; }

} // namespace

extern "C" {

void fakeTrap() { throw Trapped(); }
void fakeBarrier() { barrier.wait(); }

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  if (sticky)
    return sticky;
  const char *limit = std::getenv("FAKE_MEMORY");
  if (limit && used + bytes > std::strtoull(limit, nullptr, 10))
    return cudaErrorMemoryAllocation;
  size_t *base = static_cast<size_t *>(std::malloc(bytes + 16));
  base[0] = bytes;
  used += bytes;
  *pointer = base + 2;
  return cudaSuccess;
}

cudaError_t cudaFree(void *pointer) {
  if (pointer) {
    used -= sizeOf(pointer);
    std::free(static_cast<size_t *>(pointer) - 2);
  }
  return sticky;
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  std::memset(to, value, bytes);
  return sticky;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return sticky;
}

cudaError_t cudaGetLastError() {
  cudaError_t now = sticky ? sticky : last;
  last = cudaSuccess;
  return now;
}
cudaError_t cudaDeviceSynchronize() { return sticky; }
const char *cudaGetErrorString(cudaError_t code) {
  return code == cudaErrorMemoryAllocation         ? "out of memory"
         : code == cudaErrorNoKernelImageForDevice ? "no kernel image is available for execution on the device"
         : code == cudaErrorLaunchFailure          ? "unspecified launch failure"
         : code == cudaErrorNoDevice               ? "no CUDA-capable device is detected"
                                                   : "an error";
}
const char *cudaGetErrorName(cudaError_t code) {
  return code == cudaErrorMemoryAllocation         ? "cudaErrorMemoryAllocation"
         : code == cudaErrorNoKernelImageForDevice ? "cudaErrorNoKernelImageForDevice"
         : code == cudaErrorLaunchFailure          ? "cudaErrorLaunchFailure"
                                                   : "cudaError";
}

cudaError_t cudaGetDeviceCount(int *count) {
  const char *devices = std::getenv("FAKE_DEVICES");
  *count = devices ? std::atoi(devices) : 1;
  return *count ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
  *p = {"Fake card", 9, 0, 1, 1 << 20, size_t(1) << 30};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
  *value = 1 << 10;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *version) { return *version = 13000, cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  *event = new FakeEvent;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->at = std::chrono::steady_clock::now();
  return sticky;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return sticky; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **, size_t, cudaStream_t) {
  unsigned threads = block.x * block.y * block.z;
  if (sticky)
    return last = sticky;
  if (asked("FAKE_NO_IMAGE"))
    return last = cudaErrorNoKernelImageForDevice;
  if (threads == 0 || threads > 1024)
    return last = cudaErrorInvalidConfiguration;
  auto &call = *static_cast<const std::function<void()> *>(kernel);
  blockDim = block;
  gridDim = grid;
  for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
    barrier.alive = threads;
    std::vector<std::thread> team;
    for (unsigned t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        threadIdx = {t % block.x, t / block.x % block.y, t / block.x / block.y};
        blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
        try {
          call();
        } catch (const Trapped &) {
          sticky = cudaErrorLaunchFailure;
        }
        barrier.leave();
      });
    for (std::thread &thread : team)
      thread.join();
  }
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args) {
  return cudaLaunchKernel(kernel, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}

} // extern "C"

// Stands for runtime/gpu/disturb.cu.
namespace pr {
int fillShared(unsigned) { return 0; }
int startNoise(unsigned) { return 0; }
int endNoise() { return 0; }
} // namespace pr
