// CUDA's built-in vector types and their make_ functions. The alignments are those of the CUDA C++
// Programming Guide, section "Built-in Vector Types".
#pragma once

#include "pr/attributes.h"

#define PR_VECTOR(NAME, TYPE, ALIGN1, ALIGN2, ALIGN3, ALIGN4) \
  struct __attribute__((aligned(ALIGN1))) NAME##1 { TYPE x; }; \
  struct __attribute__((aligned(ALIGN2))) NAME##2 { TYPE x, y; }; \
  struct __attribute__((aligned(ALIGN3))) NAME##3 { TYPE x, y, z; }; \
  struct __attribute__((aligned(ALIGN4))) NAME##4 { TYPE x, y, z, w; }; \
  PR_HD NAME##1 make_##NAME##1(TYPE x) { return NAME##1{x}; } \
  PR_HD NAME##2 make_##NAME##2(TYPE x, TYPE y) { return NAME##2{x, y}; } \
  PR_HD NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return NAME##3{x, y, z}; } \
  PR_HD NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return NAME##4{x, y, z, w}; }

PR_VECTOR(char, signed char, 1, 2, 1, 4)
PR_VECTOR(uchar, unsigned char, 1, 2, 1, 4)
PR_VECTOR(short, short, 2, 4, 2, 8)
PR_VECTOR(ushort, unsigned short, 2, 4, 2, 8)
PR_VECTOR(int, int, 4, 8, 4, 16)
PR_VECTOR(uint, unsigned int, 4, 8, 4, 16)
PR_VECTOR(long, long, 8, 16, 8, 16)
PR_VECTOR(ulong, unsigned long, 8, 16, 8, 16)
PR_VECTOR(longlong, long long, 8, 16, 8, 16)
PR_VECTOR(ulonglong, unsigned long long, 8, 16, 8, 16)
PR_VECTOR(float, float, 4, 8, 4, 16)
PR_VECTOR(double, double, 8, 16, 8, 16)
#undef PR_VECTOR

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int PrX = 1, unsigned int PrY = 1, unsigned int PrZ = 1)
      : x(PrX), y(PrY), z(PrZ) {}
  __host__ __device__ constexpr dim3(uint3 PrV) : x(PrV.x), y(PrV.y), z(PrV.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
