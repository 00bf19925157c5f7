// What the CUDA runtime API says about the one device there is.
#include "HostTypes.h"

#include <cstring>
#include <map>

extern "C" {

cudaError_t cudaGetDeviceCount(int *Count) {
  *Count = 1;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *Version) {
  *Version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *Version) {
  return cudaDriverGetVersion(Version);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *P, int) {
  // The figures of an sm_80, as rules/arch/sm_80.yaml has them.
  std::memset(P, 0, sizeof *P);
  std::strcpy(P->name, "CPU machine of pipeline-rewrite");
  P->totalGlobalMem = size_t(8) << 30;
  P->sharedMemPerBlock = 49152;
  P->sharedMemPerBlockOptin = 166912;
  P->sharedMemPerMultiprocessor = 167936;
  P->reservedSharedMemPerBlock = 1024;
  P->regsPerBlock = P->regsPerMultiprocessor = 65536;
  P->warpSize = 32;
  P->maxThreadsPerBlock = 1024;
  P->maxThreadsPerMultiProcessor = 2048;
  P->maxThreadsDim[0] = P->maxThreadsDim[1] = 1024;
  P->maxThreadsDim[2] = 64;
  P->maxGridSize[0] = 2147483647;
  P->maxGridSize[1] = P->maxGridSize[2] = 65535;
  P->major = 8;
  P->multiProcessorCount = 108;
  P->clockRate = P->memoryClockRate = 1000000;
  P->memoryBusWidth = 5120;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attribute, int) {
  // Those of an A100; what is not here is a capability, and there.
  static const std::map<cudaDeviceAttr, int> Values = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 166912},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 167936},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrMaxRegistersPerMultiprocessor, 65536},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrL2CacheSize, 40 << 20},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMultiProcessorCount, 108},
      {cudaDevAttrComputeCapabilityMajor, 8},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrComputeMode, 0},
      {cudaDevAttrIntegrated, 0},
      {cudaDevAttrCooperativeLaunch, 0}};
  auto Known = Values.find(Attribute);
  *Value = Known == Values.end() ? 1 : Known->second;
  return cudaSuccess;
}

} // extern "C"
