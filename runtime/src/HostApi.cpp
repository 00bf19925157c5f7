// The CUDA runtime API on a CPU: memory is memory, every call is synchronous,
// and a launch is a checked launch.
#include "Memory.h"
#include "Report.h"
#include "ShadowLaunch.h"

#include "HostTypes.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace pr;

namespace {

/// What the program registered at its start, and its error state.
struct HostState {
  std::map<const void *, std::string> Kernels, Variables;
  cudaError_t LastError = cudaSuccess;
  int Device = 0;
  /// Dynamic shared bytes that an attribute permits: by device and kernel.
  std::map<std::pair<int, const void *>, size_t> Permitted;
  struct {
    dim3 Grid, Block;
    size_t Shared = 0;
  } Pending;
};

HostState &host() {
  static HostState H;
  return H;
}

cudaError_t result(cudaError_t E) {
  if (E != cudaSuccess)
    host().LastError = E;
  return E;
}

Index3 index(dim3 D) { return {D.x, D.y, D.z}; }

cudaError_t allocate(void **P, size_t Bytes) {
  *P = memory().allocate(Bytes);
  return result(*P ? cudaSuccess : cudaErrorMemoryAllocation);
}

/// A copy that leaves a buffer is a mistake of the program; CUDA answers with
/// an error, and so do we.
bool inside(const void *P, size_t Bytes, bool Device) {
  if (Bytes == 0 || memory().find(P, Bytes))
    return true;
  if (!Device)
    return true;
  reportNote("a copy or memset of " + std::to_string(Bytes) +
             " bytes leaves its buffer: " + memory().describe(P));
  return false;
}

// The CUDA C++ Programming Guide's table of compute capabilities: what a block
// may have anywhere, and what a launch gets without cudaFuncSetAttribute.
constexpr size_t MostShared = 232448, PlainShared = 49152;

/// Shared bytes of the static arrays of \p Function.
size_t staticOf(const void *Function) {
  auto It = host().Kernels.find(Function);
  return It == host().Kernels.end() ? 0 : staticShared(It->second.c_str());
}

/// Dynamic shared bytes that \p Function may be launched with, beside its static
/// ones. The program that is written from a launch file sets no attributes.
size_t permittedShared(const void *Function) {
  if (runsCases())
    return MostShared;
  size_t Static = staticOf(Function);
  size_t Plain = PlainShared - std::min(PlainShared, Static);
  auto It = host().Permitted.find({host().Device, Function});
  return It == host().Permitted.end() ? Plain : std::max(Plain, It->second);
}

/// Why no GPU would take the launch; null: it would. The limits are those of
/// the CUDA C++ Programming Guide's table of compute capabilities.
const char *invalidLaunch(dim3 Grid, dim3 Block, size_t Shared, size_t Static) {
  uint64_t Threads = uint64_t(Block.x) * Block.y * Block.z;
  if (Threads == 0)
    return "the block is empty";
  if (Grid.x == 0 || Grid.y == 0 || Grid.z == 0)
    return "the grid is empty";
  if (Threads > 1024)
    return "a block has at most 1024 threads";
  if (Block.z > 64)
    return "a block is at most 64 threads deep";
  if (Grid.x > 0x7fffffffu || Grid.y > 65535 || Grid.z > 65535)
    return "a grid has at most 2147483647 by 65535 by 65535 blocks";
  if (Shared + Static > MostShared)
    return "a block has at most 232448 bytes of shared memory";
  return nullptr;
}

std::string extent(dim3 D) {
  return "(" + std::to_string(D.x) + "," + std::to_string(D.y) + "," +
         std::to_string(D.z) + ")";
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void **P, size_t Bytes) { return allocate(P, Bytes); }
cudaError_t cudaMallocManaged(void **P, size_t Bytes, unsigned) {
  return allocate(P, Bytes);
}
cudaError_t cudaMallocHost(void **P, size_t Bytes, unsigned) {
  return allocate(P, Bytes);
}
cudaError_t cudaHostAlloc(void **P, size_t Bytes, unsigned) {
  return allocate(P, Bytes);
}
cudaError_t cudaMallocAsync(void **P, size_t Bytes, cudaStream_t) {
  return allocate(P, Bytes);
}
cudaError_t cudaMallocPitch(void **P, size_t *Pitch, size_t Width,
                            size_t Height) {
  *Pitch = (Width + 511) / 512 * 512;
  return allocate(P, *Pitch * Height);
}
cudaError_t cudaFree(void *P) {
  return result(memory().release(P) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaFreeHost(void *P) { return cudaFree(P); }
cudaError_t cudaFreeAsync(void *P, cudaStream_t) { return cudaFree(P); }

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind) {
  bool ToDevice =
      Kind == cudaMemcpyHostToDevice || Kind == cudaMemcpyDeviceToDevice;
  bool FromDevice =
      Kind == cudaMemcpyDeviceToHost || Kind == cudaMemcpyDeviceToDevice;
  if (!inside(To, Bytes, ToDevice) || !inside(From, Bytes, FromDevice))
    return result(cudaErrorInvalidValue);
  if (Bytes)
    std::memmove(To, From, Bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t) {
  return cudaMemcpy(To, From, Bytes, Kind);
}
cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                         size_t FromPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind) {
  for (size_t Row = 0; Row < Height; ++Row)
    if (cudaError_t E = cudaMemcpy(
            static_cast<char *>(To) + Row * ToPitch,
            static_cast<const char *>(From) + Row * FromPitch, Width, Kind))
      return E;
  return cudaSuccess;
}
cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  if (!inside(To, Bytes, true))
    return result(cudaErrorInvalidValue);
  if (Bytes)
    std::memset(To, Value, Bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes, cudaStream_t) {
  return cudaMemset(To, Value, Bytes);
}
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  *Free = *Total = size_t(8) << 30;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                               size_t Bytes, size_t Offset, cudaMemcpyKind) {
  auto It = host().Variables.find(Symbol);
  if (It == host().Variables.end())
    return result(cudaErrorInvalidSymbol);
  writeVariable(It->second.c_str(), Offset, From, Bytes);
  return cudaSuccess;
}
cudaError_t cudaGetSymbolAddress(void **P, const void *Symbol) {
  auto It = host().Variables.find(Symbol);
  *P = It == host().Variables.end() ? nullptr
                                    : variableAddress(It->second.c_str());
  return result(*P ? cudaSuccess : cudaErrorInvalidSymbol);
}
cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind) {
  void *P = nullptr;
  if (cudaError_t E = cudaGetSymbolAddress(&P, Symbol))
    return E;
  std::memcpy(To, static_cast<char *>(P) + Offset, Bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid, dim3 Block,
                             void **Arguments, size_t Shared, cudaStream_t) {
  auto It = host().Kernels.find(Function);
  if (It == host().Kernels.end())
    return result(cudaErrorInvalidDeviceFunction);
  size_t Static = staticOf(Function);
  const char *Reason = invalidLaunch(Grid, Block, Shared, Static);
  bool Configured = !Reason;
  if (Configured && Shared > permittedShared(Function))
    Reason = "no cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) "
             "permits more than 49152 bytes, static arrays included";
  if (Reason) {
    if (!caseIsOptional())
      reportNote("the launch of " + plainName(It->second.c_str()) +
                 " with grid " + extent(Grid) + ", block " + extent(Block) +
                 " and " + std::to_string(Shared) +
                 " bytes of shared memory is not valid: " + Reason);
    refusedLaunch(static_cast<uint32_t>(Shared));
    return result(Configured ? cudaErrorInvalidValue
                             : cudaErrorInvalidConfiguration);
  }
  shadowLaunch(It->second.c_str(), index(Grid), index(Block),
               static_cast<uint32_t>(Shared), Arguments);
  return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void *Function, dim3 Grid,
                                        dim3 Block, void **Arguments,
                                        size_t Shared, cudaStream_t Stream) {
  return cudaLaunchKernel(Function, Grid, Block, Arguments, Shared, Stream);
}
unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     cudaStream_t) {
  host().Pending = {Grid, Block, Shared};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *Stream) {
  *Grid = host().Pending.Grid;
  *Block = host().Pending.Block;
  *Shared = host().Pending.Shared;
  *static_cast<void **>(Stream) = nullptr;
  return cudaSuccess;
}

// ---- Registration by the compiler's start-up code
// -----------------------------

void **__cudaRegisterFatBinary(void *) {
  static void *Handle;
  std::atexit(finishReport);
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const char *Stub, char *, const char *Name,
                            int, void *, void *, void *, void *, int *) {
  host().Kernels[Stub] = Name;
}
void __cudaRegisterVar(void **, char *Variable, char *, const char *Name, int,
                       size_t, int, int) {
  host().Variables[Variable] = Name;
}

// ---- Errors, devices, streams, events
// ------------------------------------------

cudaError_t cudaGetLastError() {
  cudaError_t E = host().LastError;
  host().LastError = cudaSuccess;
  return E;
}
cudaError_t cudaPeekAtLastError() { return host().LastError; }
const char *cudaGetErrorString(cudaError_t E) {
  switch (E) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  case cudaErrorInvalidSymbol:
    return "invalid device symbol";
  case cudaErrorInvalidDeviceFunction:
    return "invalid device function";
  default:
    return "unknown error";
  }
}
const char *cudaGetErrorName(cudaError_t E) { return cudaGetErrorString(E); }

#define PR_NOTHING(NAME, ...)                                                  \
  cudaError_t NAME(__VA_ARGS__) { return cudaSuccess; }
PR_NOTHING(cudaDeviceSynchronize)
PR_NOTHING(cudaThreadSynchronize)
PR_NOTHING(cudaDeviceSetCacheConfig, cudaFuncCache)
PR_NOTHING(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
PR_NOTHING(cudaStreamDestroy, cudaStream_t)
PR_NOTHING(cudaStreamSynchronize, cudaStream_t)
PR_NOTHING(cudaStreamQuery, cudaStream_t)
PR_NOTHING(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
PR_NOTHING(cudaEventRecord, cudaEvent_t, cudaStream_t)
PR_NOTHING(cudaEventSynchronize, cudaEvent_t)
PR_NOTHING(cudaEventQuery, cudaEvent_t)
PR_NOTHING(cudaEventDestroy, cudaEvent_t)
PR_NOTHING(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t)
PR_NOTHING(cudaFuncSetCacheConfig, const void *, cudaFuncCache)
PR_NOTHING(cudaProfilerStart)
PR_NOTHING(cudaProfilerStop)
#undef PR_NOTHING

cudaError_t cudaStreamCreate(cudaStream_t *S) {
  *S = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *S, unsigned) {
  return cudaStreamCreate(S);
}
cudaError_t cudaEventCreate(cudaEvent_t *E) {
  *E = nullptr;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *E, unsigned) {
  return cudaEventCreate(E);
}
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t,
                                 cudaEvent_t) {
  *Milliseconds = 1.0f; // Nothing is timed here; programs divide by it.
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int *Device) {
  *Device = host().Device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int Device) {
  host().Device = Device;
  return cudaSuccess;
}
cudaError_t cudaDeviceReset() {
  auto &Permitted = host().Permitted;
  for (auto It = Permitted.begin(); It != Permitted.end();)
    It = It->first.first == host().Device ? Permitted.erase(It) : std::next(It);
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void *Function,
                                 cudaFuncAttribute Attribute, int Value) {
  if (Attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return cudaSuccess;
  if (Value < 0 || size_t(Value) > MostShared)
    return result(cudaErrorInvalidValue);
  host().Permitted[{host().Device, Function}] = size_t(Value);
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *A,
                                  const void *Function) {
  std::memset(A, 0, sizeof *A);
  A->maxDynamicSharedSizeBytes = static_cast<int>(permittedShared(Function));
  A->sharedSizeBytes = staticOf(Function);
  A->maxThreadsPerBlock = 1024;
  A->numRegs = 32;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *, int,
                                                          size_t) {
  *Blocks = 1;
  return cudaSuccess;
}

} // extern "C"
