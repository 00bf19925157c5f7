// What the programs use that are written from a launch file.
#pragma once

#include "cuda_fp16.h"
#include "cuda_bf16.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

extern "C" {
void pr_describe_buffer(void *Pointer, const char *Name, const char *Type, int Output, unsigned long FillBits);
void pr_begin_case(const char *Text, int Optional, int Brief);
void pr_rewritten_shared(long Bytes);
void pr_check_launch(int Error);
void pr_stop(const char *Message);
void pr_compare_reference(const void *Result, const void *Reference, double Absolute, double Relative);
}

namespace pr_driver {

// A sequence that is the same on every machine.
struct Numbers {
  unsigned long long State;
  explicit Numbers(unsigned long long Seed) : State(Seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {}
  double next() { // [0, 1)
    State ^= State >> 12;
    State ^= State << 25;
    State ^= State >> 27;
    return (double)((State * 0x2545f4914f6cdd1dull) >> 40) / 16777216.0;
  }
};

enum class Fill { Uniform, Normal, Integers, Iota, Zero, Nan };

// A NaN that no arithmetic makes, so that an element nobody wrote is known.
template <typename PrT> constexpr unsigned long unwritten() {
  return sizeof(PrT) == 8 ? 0x7ff8dead5eed0001ul : sizeof(PrT) == 4 ? 0x7fc5eed1ul : sizeof(PrT) == 2 ? 0x7fedul : 0xa5ul;
}

template <typename PrT> PrT number(Numbers &PrR, Fill How, size_t Index) {
  double PrV = 0;
  constexpr bool Whole = std::is_integral<PrT>::value;
  if (How == Fill::Uniform)
    PrV = Whole ? (double)(long)(PrR.next() * 255) - 127 : PrR.next() * 2 - 1;
  else if (How == Fill::Normal) // The sum of twelve is close enough and needs no libm.
    for (int PrI = 0; PrI < 12; ++PrI)
      PrV += PrR.next() - 0.5;
  else if (How == Fill::Integers)
    PrV = (double)(long)(PrR.next() * 9) - 4;
  else if (How == Fill::Iota)
    PrV = (double)Index;
  if (Whole && How == Fill::Normal)
    PrV *= 32;
  if constexpr (std::is_unsigned<PrT>::value)
    PrV = PrV < 0 ? -PrV : PrV;
  if constexpr (std::is_arithmetic<PrT>::value)
    return (PrT)PrV;
  else
    return PrT((float)PrV);
}

// A vector type is filled element by element.
template <typename PrT> struct Scalar { using type = PrT; };
#define PR_SCALAR(VECTOR, TYPE) \
  template <> struct Scalar<VECTOR> { using type = TYPE; };
PR_SCALAR(float2, float)
PR_SCALAR(float3, float)
PR_SCALAR(float4, float)
PR_SCALAR(double2, double)
PR_SCALAR(int2, int)
PR_SCALAR(int4, int)
PR_SCALAR(uint4, unsigned int)
PR_SCALAR(uchar4, unsigned char)
PR_SCALAR(char4, signed char)
PR_SCALAR(__half2, __half)
PR_SCALAR(__nv_bfloat162, __nv_bfloat16)
#undef PR_SCALAR

// Ends the program where a size is no size.
inline size_t checkedCount(double Count, const char *Name) {
  if (Count >= 0 && Count <= 1e10)
    return (size_t)Count;
  char Text[200];
  std::snprintf(Text, sizeof Text, "the launch file's count of buffer '%s' is %g", Name, Count);
  pr_stop(Text);
  return 0;
}

// Ends the program where a number of the launch file does not fit its type.
template <typename PrT, typename PrV> PrT whole(PrV Value, const char *What) {
  if constexpr (std::is_integral<PrV>::value) {
    PrT Result = (PrT)Value;
    if ((PrV)Result == Value && (Result < PrT()) == (Value < PrV()))
      return Result;
    char Text[200];
    std::snprintf(Text, sizeof Text, "the launch file's %s is %lld, which does not fit", What, (long long)Value);
    pr_stop(Text);
  }
  return (PrT)Value;
}

template <typename PrT> struct Buffer {
  PrT *Pointer = nullptr;
  size_t Count;
  // Hostile data has a NaN and an infinity at its ends: a guard that no longer keeps a value out shows.
  Buffer(const char *Name, const char *Type, double Elements, Fill How, unsigned long long Seed, bool Output,
         bool Hostile)
      : Count(checkedCount(Elements, Name)) {
    using PrS = typename Scalar<PrT>::type;
    if (cudaMalloc(&Pointer, Count * sizeof(PrT)) != cudaSuccess)
      pr_stop("not enough memory for the launch file's buffers");
    size_t Scalars = Count * (sizeof(PrT) / sizeof(PrS));
    Numbers PrR(Seed);
    PrS *Elements_ = (PrS *)Pointer;
    for (size_t PrI = 0; PrI < Scalars; ++PrI) {
      if (How == Fill::Nan) {
        unsigned long Bits = unwritten<PrS>();
        std::memcpy(Elements_ + PrI, &Bits, sizeof(PrS));
      } else {
        Elements_[PrI] = number<PrS>(PrR, How, PrI);
      }
    }
    if (Hostile && !Output && !std::is_integral<PrS>::value && Scalars > 1) {
      Elements_[0] = (PrS)__builtin_nanf("");
      Elements_[Scalars - 1] = (PrS)__builtin_inff();
    }
    pr_describe_buffer(Pointer, Name, Type, Output, How == Fill::Nan ? unwritten<PrS>() : 0);
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { cudaFree(Pointer); }
};

} // namespace pr_driver
