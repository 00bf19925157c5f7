// A GPU of one multiprocessor, made of host threads, for tests of what runs on a GPU: the threads of one block are
// threads of the process, blocks run one after another, launches are synchronous.
//
//   FAKE_DEVICES=0     there is no card         FAKE_MEMORY=N   cudaMalloc has N bytes
//   FAKE_NO_IMAGE=1    every kernel was built for another card
#pragma once

#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>

enum cudaError_t {
  cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35, cudaErrorNoDevice = 100, cudaErrorNoKernelImageForDevice = 209,
  cudaErrorInvalidPtx = 218, cudaErrorUnsupportedPtxVersion = 222, cudaErrorIllegalAddress = 700,
  cudaErrorLaunchTimeout = 702, cudaErrorAssert = 710, cudaErrorHardwareStackError = 714,
  cudaErrorIllegalInstruction = 715, cudaErrorMisalignedAddress = 716, cudaErrorInvalidAddressSpace = 717,
  cudaErrorInvalidPc = 718, cudaErrorLaunchFailure = 719
};

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct float1 { float x; };
struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct float4 { float x, y, z, w; };
#define FAKE_VECTORS(STEM, TYPE) \
  struct STEM##1 { TYPE x; }; \
  struct STEM##2 { TYPE x, y; }; \
  struct STEM##3 { TYPE x, y, z; }; \
  struct STEM##4 { TYPE x, y, z, w; };
FAKE_VECTORS(char, signed char)
FAKE_VECTORS(uchar, unsigned char)
FAKE_VECTORS(short, short)
FAKE_VECTORS(ushort, unsigned short)
FAKE_VECTORS(int, int)
FAKE_VECTORS(uint, unsigned)
struct double1 { double x; };
struct double2 { double x, y; };

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr { cudaDevAttrL2CacheSize, cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrMultiProcessorCount };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone };
struct cudaDeviceProp { char name[64]; int major, minor, multiProcessorCount, l2CacheSize; size_t totalGlobalMem; };
struct cudaFuncAttributes { int numRegs; size_t localSizeBytes, sharedSizeBytes; int binaryVersion, ptxVersion; };
struct FakeEvent { std::chrono::steady_clock::time_point at; };
typedef FakeEvent *cudaEvent_t;
typedef struct FakeStream *cudaStream_t;
struct cudaLaunchConfig_t { dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream; };

extern "C" {
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaGetLastError();
cudaError_t cudaDeviceSynchronize();
const char *cudaGetErrorString(cudaError_t code);
const char *cudaGetErrorName(cudaError_t code);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status);
// The kernel is a std::function<void()> that one thread of the launch calls.
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args);
void fakeTrap();
void fakeBarrier();
}

inline cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes) { return cudaMemset(to, value, bytes); }
template <class T> cudaError_t cudaMalloc(T **pointer, size_t bytes) { return cudaMalloc((void **)pointer, bytes); }
template <class F> cudaError_t cudaFuncSetAttribute(F *, cudaFuncAttribute, int) { return cudaSuccess; }
template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *) {
  *a = {32, 0, 1024, 90, 90};
  return cudaSuccess;
}
template <class F> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *, int, size_t) {
  *n = 4;
  return cudaSuccess;
}

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __launch_bounds__(...)
#define __trap fakeTrap
#define __syncthreads fakeBarrier

extern thread_local dim3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

struct FakeLaunch {
  dim3 grid, block;
  size_t shared;
  FakeLaunch(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = nullptr)
      : grid(grid), block(block), shared(shared) {}
  template <class F, class... A> void run(F *kernel, A... args) {
    std::function<void()> call = [&] { kernel(args...); };
    cudaLaunchKernel(&call, grid, block, nullptr, shared, nullptr);
  }
};
