#include "Frontend/Shim.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace pipeline_rewrite {

static constexpr llvm::StringLiteral ShimDir = "/pipeline-rewrite-shim";

/// Clang 19 includes it; CUDA 13 has it no more.
static constexpr llvm::StringLiteral DroppedHeader =
    "texture_fetch_functions.h";

static constexpr llvm::StringLiteral GapsHeader = "pr_nvcc_gaps.h";

/// What a kernel may use without an include under nvcc, and Clang's own headers
/// do not declare: the loads and stores with a cache hint, min and max in host
/// code, and the C headers that nvcc's include by themselves. Declarations are
/// enough for a parse.
static constexpr llvm::StringLiteral Gaps = R"(#pragma once
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PR_LOAD(T) \
  __device__ T __ldcg(const T *); __device__ T __ldca(const T *); \
  __device__ T __ldcs(const T *); __device__ T __ldlu(const T *); \
  __device__ T __ldcv(const T *);
#define PR_STORE(T) \
  __device__ void __stwb(T *, T); __device__ void __stcg(T *, T); \
  __device__ void __stcs(T *, T); __device__ void __stwt(T *, T);
#define PR_CACHED(T) PR_LOAD(T) PR_STORE(T)
PR_CACHED(char) PR_CACHED(signed char) PR_CACHED(unsigned char)
PR_CACHED(short) PR_CACHED(unsigned short) PR_CACHED(int) PR_CACHED(unsigned)
PR_CACHED(long) PR_CACHED(unsigned long)
PR_CACHED(long long) PR_CACHED(unsigned long long)
PR_CACHED(float) PR_CACHED(double)
PR_CACHED(char2) PR_CACHED(char4) PR_CACHED(uchar2) PR_CACHED(uchar4)
PR_CACHED(short2) PR_CACHED(short4) PR_CACHED(ushort2) PR_CACHED(ushort4)
PR_CACHED(int2) PR_CACHED(int4) PR_CACHED(uint2) PR_CACHED(uint4)
PR_CACHED(longlong2) PR_CACHED(ulonglong2)
PR_CACHED(float2) PR_CACHED(float4) PR_CACHED(double2)
#undef PR_CACHED
#undef PR_STORE
#undef PR_LOAD

#define PR_HOST_MINMAX(R, A, B) \
  __host__ R min(A, B); __host__ R max(A, B);
PR_HOST_MINMAX(int, int, int)
PR_HOST_MINMAX(unsigned, unsigned, unsigned)
PR_HOST_MINMAX(unsigned, int, unsigned)
PR_HOST_MINMAX(unsigned, unsigned, int)
PR_HOST_MINMAX(long, long, long)
PR_HOST_MINMAX(unsigned long, unsigned long, unsigned long)
PR_HOST_MINMAX(unsigned long, long, unsigned long)
PR_HOST_MINMAX(unsigned long, unsigned long, long)
PR_HOST_MINMAX(long long, long long, long long)
PR_HOST_MINMAX(unsigned long long, unsigned long long, unsigned long long)
PR_HOST_MINMAX(unsigned long long, long long, unsigned long long)
PR_HOST_MINMAX(unsigned long long, unsigned long long, long long)
PR_HOST_MINMAX(float, float, float)
PR_HOST_MINMAX(double, double, double)
PR_HOST_MINMAX(double, float, double)
PR_HOST_MINMAX(double, double, float)
#undef PR_HOST_MINMAX
)";

static constexpr llvm::StringLiteral GuardsHeader = "pr_own_guards.h";

/// For a parse against our own declarations: libraries ask by these names
/// whether the toolkit's headers were included, and where some of those lie in
/// the compiler's own search path they stay out.
static constexpr llvm::StringLiteral Guards = R"(#pragma once
#include <time.h>
#define __BUILTIN_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
)";

static std::string inShim(llvm::StringRef Name) {
  llvm::SmallString<64> Path(ShimDir);
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystemWithShim() {
  auto Shim = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Shim->addFile(inShim(DroppedHeader), 0, llvm::MemoryBuffer::getMemBuffer(""));
  Shim->addFile(inShim(GapsHeader), 0, llvm::MemoryBuffer::getMemBuffer(Gaps));
  Shim->addFile(inShim(GuardsHeader), 0,
                llvm::MemoryBuffer::getMemBuffer(Guards));
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::getRealFileSystem());
  Overlay->pushOverlay(Shim);
  return Overlay;
}

std::vector<std::string> shimArgs(llvm::StringRef Include) {
  std::vector<std::string> Args = {"-include", inShim(GapsHeader)};
  llvm::SmallString<256> Dropped(Include);
  llvm::sys::path::append(Dropped, DroppedHeader);
  if (!llvm::sys::fs::exists(Dropped))
    Args.insert(Args.end(), {"-isystem", ShimDir.str()});
  return Args;
}

std::vector<std::string> ownShimArgs() {
  return {"-include", inShim(GuardsHeader)};
}

} // namespace pipeline_rewrite
