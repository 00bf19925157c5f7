// CUDA's declaration specifiers, spelled as Clang's attributes.
#pragma once

#ifdef PR_PLAIN_CPP // The machine itself is plain C++ and needs the host's half only.
#define PR_ATTRIBUTE(...)
#else
#define PR_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#endif
#define __host__ PR_ATTRIBUTE(host)
#define __device__ PR_ATTRIBUTE(device)
#define __global__ PR_ATTRIBUTE(global)
#define __shared__ PR_ATTRIBUTE(shared)
#define __constant__ PR_ATTRIBUTE(constant)
#define __managed__ PR_ATTRIBUTE(managed)
#define __launch_bounds__(...) PR_ATTRIBUTE(launch_bounds(__VA_ARGS__))
#define __grid_constant__
#define __maxnreg__(PrN)
#define __cluster_dims__(...)
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(PrN) __attribute__((aligned(PrN)))
#define __builtin_align__(PrN) __align__(PrN)
#define __thread__ __thread
#define __no_return__ __attribute__((noreturn))
#define __CUDA_HOSTDEVICE__ __host__ __device__
#define CUDARTAPI
#define CUDART_CB
#define __cudart_builtin__
#define __device_builtin__

// What a translation unit of nvcc 12.4 would see: the newest release whose headers Clang 19 knows.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040

// Our own helpers: small functions that must vanish into their caller, so that a
// check can name the caller's line.
#define PR_D static __inline__ __attribute__((device, always_inline, unused))
#define PR_HD static __inline__ PR_ATTRIBUTE(host) PR_ATTRIBUTE(device) __attribute__((always_inline, unused))
#define PR_METHOD __inline__ __attribute__((device, always_inline))
#define PR_HD_METHOD __inline__ PR_ATTRIBUTE(host) PR_ATTRIBUTE(device) __attribute__((always_inline))
