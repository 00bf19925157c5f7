// The part of the CUDA runtime API that programs around kernels use. Implemented by runtime/src for programs
// that run on a CPU; only declared where a file is parsed.
#pragma once

#include "pr/attributes.h"
#include "pr/vector_types.h"
#include <stddef.h>

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};
// Declared, so that a file whose other kernels use one can be parsed and run; nothing makes or reads one here.
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  struct cudaUUID_t uuid;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor, multiProcessorCount, integrated, canMapHostMemory, computeMode, concurrentKernels, ECCEnabled;
  int memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
  int managedMemory, concurrentManagedAccess, cooperativeLaunch;
  size_t sharedMemPerMultiprocessor, sharedMemPerBlockOptin, reservedSharedMemPerBlock;
  int regsPerMultiprocessor, maxBlocksPerMultiProcessor, asyncEngineCount, unifiedAddressing;
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;

#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaMemAttachGlobal 1
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaCpuDeviceId (-1)
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

extern "C" {
cudaError_t cudaMalloc(void **Pointer, size_t Bytes);
cudaError_t cudaMallocManaged(void **Pointer, size_t Bytes, unsigned int Flags = cudaMemAttachGlobal);
cudaError_t cudaMallocHost(void **Pointer, size_t Bytes, unsigned int Flags = 0);
cudaError_t cudaHostAlloc(void **Pointer, size_t Bytes, unsigned int Flags);
cudaError_t cudaMallocPitch(void **Pointer, size_t *Pitch, size_t Width, size_t Height);
cudaError_t cudaMallocAsync(void **Pointer, size_t Bytes, cudaStream_t Stream);
cudaError_t cudaFree(void *Pointer);
cudaError_t cudaFreeHost(void *Pointer);
cudaError_t cudaFreeAsync(void *Pointer, cudaStream_t Stream);
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes, enum cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes, enum cudaMemcpyKind Kind,
                            cudaStream_t Stream = 0);
cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From, size_t FromPitch, size_t Width, size_t Height,
                         enum cudaMemcpyKind Kind);
cudaError_t cudaMemset(void *To, int Value, size_t Bytes);
cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes, cudaStream_t Stream = 0);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Bytes, size_t Offset = 0,
                               enum cudaMemcpyKind Kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes, size_t Offset = 0,
                                 enum cudaMemcpyKind Kind = cudaMemcpyDeviceToHost);
cudaError_t cudaGetSymbolAddress(void **Pointer, const void *Symbol);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t Error);
const char *cudaGetErrorName(cudaError_t Error);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaGetDeviceCount(int *Count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *Properties, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, enum cudaDeviceAttr Attribute, int Device);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache Config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig Config);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaRuntimeGetVersion(int *Version);
cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned int Flags);
cudaError_t cudaStreamDestroy(cudaStream_t Stream);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event, unsigned int Flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned int Flags);
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t From, cudaEvent_t To);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaMemPrefetchAsync(const void *Pointer, size_t Bytes, int Device, cudaStream_t Stream = 0);
cudaError_t cudaFuncSetAttribute(const void *Function, enum cudaFuncAttribute Attribute, int Value);
cudaError_t cudaFuncSetCacheConfig(const void *Function, enum cudaFuncCache Config);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes, const void *Function);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, const void *Function, int BlockSize,
                                                          size_t DynamicShared);
cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block, void **Arguments, size_t Shared,
                             cudaStream_t Stream);
cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid, dim3 Block, void **Arguments,
                                        size_t Shared = 0, cudaStream_t Stream = 0);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// What `<<<>>>` becomes: the front end looks one of these up, depending on the toolkit it thinks it has.
cudaError_t cudaConfigureCall(dim3 Grid, dim3 Block, size_t Shared = 0, cudaStream_t Stream = 0);
unsigned int __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared = 0, cudaStream_t Stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared, void *Stream);
}

template <typename PrT> static inline cudaError_t cudaMalloc(PrT **Pointer, size_t Bytes) {
  return ::cudaMalloc((void **)Pointer, Bytes);
}
template <typename PrT>
static inline cudaError_t cudaMallocManaged(PrT **Pointer, size_t Bytes, unsigned int Flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)Pointer, Bytes, Flags);
}
template <typename PrT> static inline cudaError_t cudaMallocHost(PrT **Pointer, size_t Bytes, unsigned int Flags = 0) {
  return ::cudaMallocHost((void **)Pointer, Bytes, Flags);
}
template <typename PrT> static inline cudaError_t cudaHostAlloc(PrT **Pointer, size_t Bytes, unsigned int Flags) {
  return ::cudaHostAlloc((void **)Pointer, Bytes, Flags);
}
template <typename PrT>
static inline cudaError_t cudaMallocPitch(PrT **Pointer, size_t *Pitch, size_t Width, size_t Height) {
  return ::cudaMallocPitch((void **)Pointer, Pitch, Width, Height);
}
template <typename PrT> static inline cudaError_t cudaMallocAsync(PrT **Pointer, size_t Bytes, cudaStream_t Stream) {
  return ::cudaMallocAsync((void **)Pointer, Bytes, Stream);
}
template <typename PrT>
static inline cudaError_t cudaMemcpyToSymbol(const PrT &Symbol, const void *From, size_t Bytes, size_t Offset = 0,
                                             enum cudaMemcpyKind Kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&Symbol, From, Bytes, Offset, Kind);
}
template <typename PrT>
static inline cudaError_t cudaMemcpyFromSymbol(void *To, const PrT &Symbol, size_t Bytes, size_t Offset = 0,
                                               enum cudaMemcpyKind Kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(To, (const void *)&Symbol, Bytes, Offset, Kind);
}
template <typename PrT> static inline cudaError_t cudaGetSymbolAddress(void **Pointer, const PrT &Symbol) {
  return ::cudaGetSymbolAddress(Pointer, (const void *)&Symbol);
}
template <typename PrT>
static inline cudaError_t cudaFuncSetAttribute(PrT *Function, enum cudaFuncAttribute Attribute, int Value) {
  return ::cudaFuncSetAttribute((const void *)Function, Attribute, Value);
}
template <typename PrT> static inline cudaError_t cudaFuncSetCacheConfig(PrT *Function, enum cudaFuncCache Config) {
  return ::cudaFuncSetCacheConfig((const void *)Function, Config);
}
template <typename PrT>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *Attributes, PrT *Function) {
  return ::cudaFuncGetAttributes(Attributes, (const void *)Function);
}
template <typename PrT>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, PrT Function, int BlockSize,
                                                                        size_t DynamicShared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(Blocks, (const void *)Function, BlockSize, DynamicShared);
}
template <typename PrT>
static inline cudaError_t cudaLaunchKernel(PrT *Function, dim3 Grid, dim3 Block, void **Arguments, size_t Shared = 0,
                                           cudaStream_t Stream = 0) {
  return ::cudaLaunchKernel((const void *)Function, Grid, Block, Arguments, Shared, Stream);
}
