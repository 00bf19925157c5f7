// bfloat16: storage, conversions, arithmetic. Every operation rounds once to nearest even, as the device's does.
#pragma once

#include "pr_device_prelude.h"
#include "pr/half_more.h"

PR_HD float pr_bfloat16_to_float(unsigned short Bits) { return __builtin_bit_cast(float, (unsigned int)Bits << 16); }
PR_HD unsigned short pr_float_to_bfloat16(float PrF) {
  unsigned int Bits = __builtin_bit_cast(unsigned int, PrF);
  if ((Bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((Bits + 0x7fffu + ((Bits >> 16) & 1)) >> 16);
}
PR_HD unsigned short pr_double_to_bfloat16(double PrF) { return pr_float_to_bfloat16((float)PrF); }

struct __align__(2) __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  PR_HD_METHOD constexpr __nv_bfloat16(__nv_bfloat16_raw PrR) : __x(PrR.x) {}
  PR_HD_METHOD __nv_bfloat16(float PrF) : __x(pr_float_to_bfloat16(PrF)) {}
  PR_HD_METHOD __nv_bfloat16(double PrF) : __x(pr_double_to_bfloat16(PrF)) {}
  PR_HD_METHOD __nv_bfloat16(short PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned short PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(int PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned int PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(long PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned long PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(long long PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned long long PrF) : __x(pr_float_to_bfloat16((float)PrF)) {}
  PR_HD_METHOD operator float() const { return pr_bfloat16_to_float(__x); }
  PR_HD_METHOD operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  PR_HD_METHOD explicit operator bool() const { return (__x & 0x7fff) != 0; }
  PR_HD_METHOD explicit operator signed char() const { return (signed char)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned char() const { return (unsigned char)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator char() const { return (char)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator short() const { return (short)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned short() const { return (unsigned short)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator int() const { return (int)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned int() const { return (unsigned int)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator long() const { return (long)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned long() const { return (unsigned long)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator long long() const { return (long long)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned long long() const { return (unsigned long long)pr_bfloat16_to_float(__x); }
  PR_HD_METHOD __nv_bfloat16 &operator=(float PrF) { __x = __nv_bfloat16(PrF).__x; return *this; }
  PR_HD_METHOD __nv_bfloat16 &operator=(double PrF) { __x = __nv_bfloat16(PrF).__x; return *this; }
  PR_HD_METHOD __nv_bfloat16 &operator=(int PrF) { __x = __nv_bfloat16(PrF).__x; return *this; }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  PR_HD_METHOD constexpr __nv_bfloat162(const __nv_bfloat16 &PrX, const __nv_bfloat16 &PrY) : x(PrX), y(PrY) {}
  PR_HD_METHOD __nv_bfloat162(__nv_bfloat162_raw PrR) : x(__nv_bfloat16_raw{PrR.x}), y(__nv_bfloat16_raw{PrR.y}) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

PR_HD float __bfloat162float(__nv_bfloat16 PrH) { return pr_bfloat16_to_float(PrH.__x); }
PR_HD __nv_bfloat16 __float2bfloat16(float PrF) { return __nv_bfloat16(PrF); }
PR_HD __nv_bfloat16 __float2bfloat16_rn(float PrF) { return __nv_bfloat16(PrF); }
PR_HD __nv_bfloat16 __double2bfloat16(double PrF) { return __nv_bfloat16(PrF); }
PR_HD __nv_bfloat16 __int2bfloat16_rn(int PrI) { return __nv_bfloat16((float)PrI); }
PR_HD int __bfloat162int_rn(__nv_bfloat16 PrH) { return (int)__builtin_rintf(__bfloat162float(PrH)); }
PR_HD int __bfloat162int_rz(__nv_bfloat16 PrH) { return (int)__bfloat162float(PrH); }
PR_HD __nv_bfloat16 __uint2bfloat16_rn(unsigned int PrI) { return __nv_bfloat16((float)PrI); }
PR_HD unsigned int __bfloat162uint_rn(__nv_bfloat16 PrH) { return (unsigned int)__builtin_rintf(__bfloat162float(PrH)); }
PR_HD unsigned int __bfloat162uint_rz(__nv_bfloat16 PrH) { return (unsigned int)__bfloat162float(PrH); }
PR_HD __nv_bfloat16 __short2bfloat16_rn(short PrI) { return __nv_bfloat16((float)PrI); }
PR_HD short __bfloat162short_rn(__nv_bfloat16 PrH) { return (short)__builtin_rintf(__bfloat162float(PrH)); }
PR_HD short __bfloat162short_rz(__nv_bfloat16 PrH) { return (short)__bfloat162float(PrH); }
PR_HD __nv_bfloat16 __ushort2bfloat16_rn(unsigned short PrI) { return __nv_bfloat16((float)PrI); }
PR_HD unsigned short __bfloat162ushort_rn(__nv_bfloat16 PrH) { return (unsigned short)__builtin_rintf(__bfloat162float(PrH)); }
PR_HD unsigned short __bfloat162ushort_rz(__nv_bfloat16 PrH) { return (unsigned short)__bfloat162float(PrH); }
PR_HD __nv_bfloat16 __ll2bfloat16_rn(long long PrI) { return __nv_bfloat16((float)PrI); }
PR_HD long long __bfloat162ll_rn(__nv_bfloat16 PrH) { return (long long)__builtin_rintf(__bfloat162float(PrH)); }
PR_HD long long __bfloat162ll_rz(__nv_bfloat16 PrH) { return (long long)__bfloat162float(PrH); }
PR_HD __nv_bfloat162 __floats2bfloat162_rn(float PrX, float PrY) { return __nv_bfloat162(__nv_bfloat16(PrX), __nv_bfloat16(PrY)); }
PR_HD __nv_bfloat162 __float2bfloat162_rn(float PrX) { return __nv_bfloat162(__nv_bfloat16(PrX), __nv_bfloat16(PrX)); }
PR_HD __nv_bfloat162 __float22bfloat162_rn(float2 PrV) { return __nv_bfloat162(__nv_bfloat16(PrV.x), __nv_bfloat16(PrV.y)); }
PR_HD float2 __bfloat1622float2(__nv_bfloat162 PrV) { return make_float2(__bfloat162float(PrV.x), __bfloat162float(PrV.y)); }
PR_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 PrX) { return __nv_bfloat162(PrX, PrX); }
PR_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 PrX, __nv_bfloat16 PrY) { return __nv_bfloat162(PrX, PrY); }
PR_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 PrX, __nv_bfloat16 PrY) { return __nv_bfloat162(PrX, PrY); }
PR_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 PrV) { return PrV.x; }
PR_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 PrV) { return PrV.y; }
PR_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 PrV) { return __nv_bfloat162(PrV.x, PrV.x); }
PR_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 PrV) { return __nv_bfloat162(PrV.y, PrV.y); }
PR_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 PrV) { return __nv_bfloat162(PrV.y, PrV.x); }
PR_HD float __low2float(__nv_bfloat162 PrV) { return __bfloat162float(PrV.x); }
PR_HD float __high2float(__nv_bfloat162 PrV) { return __bfloat162float(PrV.y); }
PR_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 PrH) { return PrH.__x; }
PR_HD short __bfloat16_as_short(__nv_bfloat16 PrH) { return (short)PrH.__x; }
PR_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short PrB) { return __nv_bfloat16(__nv_bfloat16_raw{PrB}); }
PR_HD __nv_bfloat16 __short_as_bfloat16(short PrB) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)PrB}); }

PR_HD __nv_bfloat16 __hadd(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__bfloat162float(PrA) + __bfloat162float(PrB)); }
PR_HD __nv_bfloat162 __hadd2(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hadd(PrA.x, PrB.x), __hadd(PrA.y, PrB.y)); }
PR_HD __nv_bfloat16 __hadd_rn(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __hadd(PrA, PrB); }
PR_HD __nv_bfloat162 __hadd2_rn(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __hadd2(PrA, PrB); }
PR_HD __nv_bfloat16 __hsub(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__bfloat162float(PrA) - __bfloat162float(PrB)); }
PR_HD __nv_bfloat162 __hsub2(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hsub(PrA.x, PrB.x), __hsub(PrA.y, PrB.y)); }
PR_HD __nv_bfloat16 __hsub_rn(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __hsub(PrA, PrB); }
PR_HD __nv_bfloat162 __hsub2_rn(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __hsub2(PrA, PrB); }
PR_HD __nv_bfloat16 __hmul(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__bfloat162float(PrA) * __bfloat162float(PrB)); }
PR_HD __nv_bfloat162 __hmul2(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hmul(PrA.x, PrB.x), __hmul(PrA.y, PrB.y)); }
PR_HD __nv_bfloat16 __hmul_rn(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __hmul(PrA, PrB); }
PR_HD __nv_bfloat162 __hmul2_rn(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __hmul2(PrA, PrB); }
PR_HD __nv_bfloat16 __hdiv(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__bfloat162float(PrA) / __bfloat162float(PrB)); }
PR_HD __nv_bfloat162 __h2div(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hdiv(PrA.x, PrB.x), __hdiv(PrA.y, PrB.y)); }
PR_HD __nv_bfloat16 __hfma(__nv_bfloat16 PrA, __nv_bfloat16 PrB, __nv_bfloat16 PrC) { return __nv_bfloat16(__builtin_fma((double)__bfloat162float(PrA), (double)__bfloat162float(PrB), (double)__bfloat162float(PrC))); }
PR_HD __nv_bfloat162 __hfma2(__nv_bfloat162 PrA, __nv_bfloat162 PrB, __nv_bfloat162 PrC) { return __nv_bfloat162(__hfma(PrA.x, PrB.x, PrC.x), __hfma(PrA.y, PrB.y, PrC.y)); }
PR_HD __nv_bfloat16 __hneg(__nv_bfloat16 PrA) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(PrA.__x ^ 0x8000)}); }
PR_HD __nv_bfloat162 __hneg2(__nv_bfloat162 PrA) { return __nv_bfloat162(__hneg(PrA.x), __hneg(PrA.y)); }
PR_HD __nv_bfloat16 __habs(__nv_bfloat16 PrA) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(PrA.__x & 0x7fff)}); }
PR_HD __nv_bfloat162 __habs2(__nv_bfloat162 PrA) { return __nv_bfloat162(__habs(PrA.x), __habs(PrA.y)); }
PR_HD bool __heq(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) == __bfloat162float(PrB); }
PR_HD bool __hne(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) != __bfloat162float(PrB); }
PR_HD bool __hlt(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) < __bfloat162float(PrB); }
PR_HD bool __hle(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) <= __bfloat162float(PrB); }
PR_HD bool __hgt(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) > __bfloat162float(PrB); }
PR_HD bool __hge(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __bfloat162float(PrA) >= __bfloat162float(PrB); }
PR_HD bool __hisnan(__nv_bfloat16 PrA) { return (PrA.__x & 0x7fff) > 0x7f80; }
PR_HD int __hisinf(__nv_bfloat16 PrA) { return (PrA.__x & 0x7fff) == 0x7f80 ? (PrA.__x & 0x8000 ? -1 : 1) : 0; }
PR_HD __nv_bfloat16 __hmax(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__builtin_fmaxf(__bfloat162float(PrA), __bfloat162float(PrB))); }
PR_HD __nv_bfloat162 __hmax2(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hmax(PrA.x, PrB.x), __hmax(PrA.y, PrB.y)); }
PR_HD __nv_bfloat16 __hmin(__nv_bfloat16 PrA, __nv_bfloat16 PrB) { return __nv_bfloat16(__builtin_fminf(__bfloat162float(PrA), __bfloat162float(PrB))); }
PR_HD __nv_bfloat162 __hmin2(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(__hmin(PrA.x, PrB.x), __hmin(PrA.y, PrB.y)); }
PR_D __nv_bfloat16 hsqrt(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_sqrtf(PrF)); }
PR_D __nv_bfloat162 h2sqrt(__nv_bfloat162 PrA) { return __nv_bfloat162(hsqrt(PrA.x), hsqrt(PrA.y)); }
PR_D __nv_bfloat16 hrsqrt(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(1.0f / __builtin_sqrtf(PrF)); }
PR_D __nv_bfloat162 h2rsqrt(__nv_bfloat162 PrA) { return __nv_bfloat162(hrsqrt(PrA.x), hrsqrt(PrA.y)); }
PR_D __nv_bfloat16 hrcp(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(1.0f / PrF); }
PR_D __nv_bfloat162 h2rcp(__nv_bfloat162 PrA) { return __nv_bfloat162(hrcp(PrA.x), hrcp(PrA.y)); }
PR_D __nv_bfloat16 hexp(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_expf(PrF)); }
PR_D __nv_bfloat162 h2exp(__nv_bfloat162 PrA) { return __nv_bfloat162(hexp(PrA.x), hexp(PrA.y)); }
PR_D __nv_bfloat16 hexp2(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_exp2f(PrF)); }
PR_D __nv_bfloat162 h2exp2(__nv_bfloat162 PrA) { return __nv_bfloat162(hexp2(PrA.x), hexp2(PrA.y)); }
PR_D __nv_bfloat16 hlog(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_logf(PrF)); }
PR_D __nv_bfloat162 h2log(__nv_bfloat162 PrA) { return __nv_bfloat162(hlog(PrA.x), hlog(PrA.y)); }
PR_D __nv_bfloat16 hlog2(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_log2f(PrF)); }
PR_D __nv_bfloat162 h2log2(__nv_bfloat162 PrA) { return __nv_bfloat162(hlog2(PrA.x), hlog2(PrA.y)); }
PR_D __nv_bfloat16 hsin(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_sinf(PrF)); }
PR_D __nv_bfloat162 h2sin(__nv_bfloat162 PrA) { return __nv_bfloat162(hsin(PrA.x), hsin(PrA.y)); }
PR_D __nv_bfloat16 hcos(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_cosf(PrF)); }
PR_D __nv_bfloat162 h2cos(__nv_bfloat162 PrA) { return __nv_bfloat162(hcos(PrA.x), hcos(PrA.y)); }
PR_D __nv_bfloat16 hfloor(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_floorf(PrF)); }
PR_D __nv_bfloat162 h2floor(__nv_bfloat162 PrA) { return __nv_bfloat162(hfloor(PrA.x), hfloor(PrA.y)); }
PR_D __nv_bfloat16 hceil(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_ceilf(PrF)); }
PR_D __nv_bfloat162 h2ceil(__nv_bfloat162 PrA) { return __nv_bfloat162(hceil(PrA.x), hceil(PrA.y)); }
PR_D __nv_bfloat16 htrunc(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_truncf(PrF)); }
PR_D __nv_bfloat162 h2trunc(__nv_bfloat162 PrA) { return __nv_bfloat162(htrunc(PrA.x), htrunc(PrA.y)); }
PR_D __nv_bfloat16 hrint(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_rintf(PrF)); }
PR_D __nv_bfloat162 h2rint(__nv_bfloat162 PrA) { return __nv_bfloat162(hrint(PrA.x), hrint(PrA.y)); }
PR_D __nv_bfloat16 htanh(__nv_bfloat16 PrA) { float PrF = __bfloat162float(PrA); return __nv_bfloat16(__builtin_tanhf(PrF)); }
PR_D __nv_bfloat162 h2tanh(__nv_bfloat162 PrA) { return __nv_bfloat162(htanh(PrA.x), htanh(PrA.y)); }

PR_HD __nv_bfloat16 operator+(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hadd(PrA, PrB); }
PR_HD __nv_bfloat16 &operator+=(__nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return PrA = __hadd(PrA, PrB); }
PR_HD __nv_bfloat162 operator+(const __nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return __hadd2(PrA, PrB); }
PR_HD __nv_bfloat162 &operator+=(__nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return PrA = __hadd2(PrA, PrB); }
PR_HD __nv_bfloat16 operator-(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hsub(PrA, PrB); }
PR_HD __nv_bfloat16 &operator-=(__nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return PrA = __hsub(PrA, PrB); }
PR_HD __nv_bfloat162 operator-(const __nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return __hsub2(PrA, PrB); }
PR_HD __nv_bfloat162 &operator-=(__nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return PrA = __hsub2(PrA, PrB); }
PR_HD __nv_bfloat16 operator*(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hmul(PrA, PrB); }
PR_HD __nv_bfloat16 &operator*=(__nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return PrA = __hmul(PrA, PrB); }
PR_HD __nv_bfloat162 operator*(const __nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return __hmul2(PrA, PrB); }
PR_HD __nv_bfloat162 &operator*=(__nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return PrA = __hmul2(PrA, PrB); }
PR_HD __nv_bfloat16 operator/(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hdiv(PrA, PrB); }
PR_HD __nv_bfloat16 &operator/=(__nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return PrA = __hdiv(PrA, PrB); }
PR_HD __nv_bfloat162 operator/(const __nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return __h2div(PrA, PrB); }
PR_HD __nv_bfloat162 &operator/=(__nv_bfloat162 &PrA, const __nv_bfloat162 &PrB) { return PrA = __h2div(PrA, PrB); }
PR_HD __nv_bfloat16 operator-(const __nv_bfloat16 &PrA) { return __hneg(PrA); }
PR_HD __nv_bfloat16 operator+(const __nv_bfloat16 &PrA) { return PrA; }
PR_HD __nv_bfloat162 operator-(const __nv_bfloat162 &PrA) { return __hneg2(PrA); }
PR_HD bool operator==(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __heq(PrA, PrB); }
PR_HD bool operator!=(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hne(PrA, PrB); }
PR_HD bool operator<(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hlt(PrA, PrB); }
PR_HD bool operator<=(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hle(PrA, PrB); }
PR_HD bool operator>(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hgt(PrA, PrB); }
PR_HD bool operator>=(const __nv_bfloat16 &PrA, const __nv_bfloat16 &PrB) { return __hge(PrA, PrB); }

PR_HALF_MORE(__nv_bfloat16, __nv_bfloat162)
PR_HD __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(PrA.x, PrB.x); }
PR_HD __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 PrA, __nv_bfloat162 PrB) { return __nv_bfloat162(PrA.y, PrB.y); }
PR_HD int __bfloat162int_rd(__nv_bfloat16 PrH) { return (int)__builtin_floorf((float)PrH); }
PR_HD int __bfloat162int_ru(__nv_bfloat16 PrH) { return (int)__builtin_ceilf((float)PrH); }
// One step towards zero where the nearest value lies beyond.
PR_HD __nv_bfloat16 __float2bfloat16_rz(float PrF) {
  __nv_bfloat16 PrN(PrF);
  return __builtin_fabsf((float)PrN) > __builtin_fabsf(PrF) ? __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(PrN.__x - 1)}) : PrN;
}

PR_D __nv_bfloat16 atomicAdd(__nv_bfloat16 *PrP, __nv_bfloat16 PrV) {
  unsigned short Old = __atomic_load_n(&PrP->__x, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&PrP->__x, &Old, __hadd(__nv_bfloat16(__nv_bfloat16_raw{Old}), PrV).__x, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return __nv_bfloat16(__nv_bfloat16_raw{Old});
}
PR_D __nv_bfloat162 atomicAdd(__nv_bfloat162 *PrP, __nv_bfloat162 PrV) {
  __nv_bfloat16 PrX = atomicAdd(&PrP->x, PrV.x), PrY = atomicAdd(&PrP->y, PrV.y);
  return __nv_bfloat162(PrX, PrY);
}
