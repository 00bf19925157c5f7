// IEEE half precision: storage, conversions, arithmetic. Every operation rounds once to nearest even, as the device's does.
#pragma once

#include "pr_device_prelude.h"
#include "pr/half_more.h"

PR_HD float pr_half_to_float(unsigned short Bits) { return (float)__builtin_bit_cast(_Float16, Bits); }
PR_HD unsigned short pr_float_to_half(float PrF) { return __builtin_bit_cast(unsigned short, (_Float16)PrF); }
PR_HD unsigned short pr_double_to_half(double PrF) { return __builtin_bit_cast(unsigned short, (_Float16)PrF); }

struct __align__(2) __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  PR_HD_METHOD constexpr __half(__half_raw PrR) : __x(PrR.x) {}
  PR_HD_METHOD __half(float PrF) : __x(pr_float_to_half(PrF)) {}
  PR_HD_METHOD __half(double PrF) : __x(pr_double_to_half(PrF)) {}
  PR_HD_METHOD __half(short PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(unsigned short PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(int PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(unsigned int PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(long PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(unsigned long PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(long long PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD __half(unsigned long long PrF) : __x(pr_float_to_half((float)PrF)) {}
  PR_HD_METHOD operator float() const { return pr_half_to_float(__x); }
  PR_HD_METHOD operator __half_raw() const { return __half_raw{__x}; }
  PR_HD_METHOD explicit operator bool() const { return (__x & 0x7fff) != 0; }
  PR_HD_METHOD explicit operator signed char() const { return (signed char)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned char() const { return (unsigned char)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator char() const { return (char)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator short() const { return (short)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned short() const { return (unsigned short)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator int() const { return (int)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned int() const { return (unsigned int)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator long() const { return (long)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned long() const { return (unsigned long)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator long long() const { return (long long)pr_half_to_float(__x); }
  PR_HD_METHOD explicit operator unsigned long long() const { return (unsigned long long)pr_half_to_float(__x); }
  PR_HD_METHOD __half &operator=(float PrF) { __x = __half(PrF).__x; return *this; }
  PR_HD_METHOD __half &operator=(double PrF) { __x = __half(PrF).__x; return *this; }
  PR_HD_METHOD __half &operator=(int PrF) { __x = __half(PrF).__x; return *this; }
};
struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  PR_HD_METHOD constexpr __half2(const __half &PrX, const __half &PrY) : x(PrX), y(PrY) {}
  PR_HD_METHOD __half2(__half2_raw PrR) : x(__half_raw{PrR.x}), y(__half_raw{PrR.y}) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 nv_half2;

PR_HD float __half2float(__half PrH) { return pr_half_to_float(PrH.__x); }
PR_HD __half __float2half(float PrF) { return __half(PrF); }
PR_HD __half __float2half_rn(float PrF) { return __half(PrF); }
PR_HD __half __double2half(double PrF) { return __half(PrF); }
PR_HD __half __int2half_rn(int PrI) { return __half((float)PrI); }
PR_HD int __half2int_rn(__half PrH) { return (int)__builtin_rintf(__half2float(PrH)); }
PR_HD int __half2int_rz(__half PrH) { return (int)__half2float(PrH); }
PR_HD __half __uint2half_rn(unsigned int PrI) { return __half((float)PrI); }
PR_HD unsigned int __half2uint_rn(__half PrH) { return (unsigned int)__builtin_rintf(__half2float(PrH)); }
PR_HD unsigned int __half2uint_rz(__half PrH) { return (unsigned int)__half2float(PrH); }
PR_HD __half __short2half_rn(short PrI) { return __half((float)PrI); }
PR_HD short __half2short_rn(__half PrH) { return (short)__builtin_rintf(__half2float(PrH)); }
PR_HD short __half2short_rz(__half PrH) { return (short)__half2float(PrH); }
PR_HD __half __ushort2half_rn(unsigned short PrI) { return __half((float)PrI); }
PR_HD unsigned short __half2ushort_rn(__half PrH) { return (unsigned short)__builtin_rintf(__half2float(PrH)); }
PR_HD unsigned short __half2ushort_rz(__half PrH) { return (unsigned short)__half2float(PrH); }
PR_HD __half __ll2half_rn(long long PrI) { return __half((float)PrI); }
PR_HD long long __half2ll_rn(__half PrH) { return (long long)__builtin_rintf(__half2float(PrH)); }
PR_HD long long __half2ll_rz(__half PrH) { return (long long)__half2float(PrH); }
PR_HD __half2 __floats2half2_rn(float PrX, float PrY) { return __half2(__half(PrX), __half(PrY)); }
PR_HD __half2 __float2half2_rn(float PrX) { return __half2(__half(PrX), __half(PrX)); }
PR_HD __half2 __float22half2_rn(float2 PrV) { return __half2(__half(PrV.x), __half(PrV.y)); }
PR_HD float2 __half22float2(__half2 PrV) { return make_float2(__half2float(PrV.x), __half2float(PrV.y)); }
PR_HD __half2 __half2half2(__half PrX) { return __half2(PrX, PrX); }
PR_HD __half2 __halves2half2(__half PrX, __half PrY) { return __half2(PrX, PrY); }
PR_HD __half2 make_half2(__half PrX, __half PrY) { return __half2(PrX, PrY); }
PR_HD __half __low2half(__half2 PrV) { return PrV.x; }
PR_HD __half __high2half(__half2 PrV) { return PrV.y; }
PR_HD __half2 __low2half2(__half2 PrV) { return __half2(PrV.x, PrV.x); }
PR_HD __half2 __high2half2(__half2 PrV) { return __half2(PrV.y, PrV.y); }
PR_HD __half2 __lowhigh2highlow(__half2 PrV) { return __half2(PrV.y, PrV.x); }
PR_HD float __low2float(__half2 PrV) { return __half2float(PrV.x); }
PR_HD float __high2float(__half2 PrV) { return __half2float(PrV.y); }
PR_HD unsigned short __half_as_ushort(__half PrH) { return PrH.__x; }
PR_HD short __half_as_short(__half PrH) { return (short)PrH.__x; }
PR_HD __half __ushort_as_half(unsigned short PrB) { return __half(__half_raw{PrB}); }
PR_HD __half __short_as_half(short PrB) { return __half(__half_raw{(unsigned short)PrB}); }

PR_HD __half __hadd(__half PrA, __half PrB) { return __half(__half2float(PrA) + __half2float(PrB)); }
PR_HD __half2 __hadd2(__half2 PrA, __half2 PrB) { return __half2(__hadd(PrA.x, PrB.x), __hadd(PrA.y, PrB.y)); }
PR_HD __half __hadd_rn(__half PrA, __half PrB) { return __hadd(PrA, PrB); }
PR_HD __half2 __hadd2_rn(__half2 PrA, __half2 PrB) { return __hadd2(PrA, PrB); }
PR_HD __half __hsub(__half PrA, __half PrB) { return __half(__half2float(PrA) - __half2float(PrB)); }
PR_HD __half2 __hsub2(__half2 PrA, __half2 PrB) { return __half2(__hsub(PrA.x, PrB.x), __hsub(PrA.y, PrB.y)); }
PR_HD __half __hsub_rn(__half PrA, __half PrB) { return __hsub(PrA, PrB); }
PR_HD __half2 __hsub2_rn(__half2 PrA, __half2 PrB) { return __hsub2(PrA, PrB); }
PR_HD __half __hmul(__half PrA, __half PrB) { return __half(__half2float(PrA) * __half2float(PrB)); }
PR_HD __half2 __hmul2(__half2 PrA, __half2 PrB) { return __half2(__hmul(PrA.x, PrB.x), __hmul(PrA.y, PrB.y)); }
PR_HD __half __hmul_rn(__half PrA, __half PrB) { return __hmul(PrA, PrB); }
PR_HD __half2 __hmul2_rn(__half2 PrA, __half2 PrB) { return __hmul2(PrA, PrB); }
PR_HD __half __hdiv(__half PrA, __half PrB) { return __half(__half2float(PrA) / __half2float(PrB)); }
PR_HD __half2 __h2div(__half2 PrA, __half2 PrB) { return __half2(__hdiv(PrA.x, PrB.x), __hdiv(PrA.y, PrB.y)); }
PR_HD __half __hfma(__half PrA, __half PrB, __half PrC) { return __half(__builtin_fma((double)__half2float(PrA), (double)__half2float(PrB), (double)__half2float(PrC))); }
PR_HD __half2 __hfma2(__half2 PrA, __half2 PrB, __half2 PrC) { return __half2(__hfma(PrA.x, PrB.x, PrC.x), __hfma(PrA.y, PrB.y, PrC.y)); }
PR_HD __half __hneg(__half PrA) { return __half(__half_raw{(unsigned short)(PrA.__x ^ 0x8000)}); }
PR_HD __half2 __hneg2(__half2 PrA) { return __half2(__hneg(PrA.x), __hneg(PrA.y)); }
PR_HD __half __habs(__half PrA) { return __half(__half_raw{(unsigned short)(PrA.__x & 0x7fff)}); }
PR_HD __half2 __habs2(__half2 PrA) { return __half2(__habs(PrA.x), __habs(PrA.y)); }
PR_HD bool __heq(__half PrA, __half PrB) { return __half2float(PrA) == __half2float(PrB); }
PR_HD bool __hne(__half PrA, __half PrB) { return __half2float(PrA) != __half2float(PrB); }
PR_HD bool __hlt(__half PrA, __half PrB) { return __half2float(PrA) < __half2float(PrB); }
PR_HD bool __hle(__half PrA, __half PrB) { return __half2float(PrA) <= __half2float(PrB); }
PR_HD bool __hgt(__half PrA, __half PrB) { return __half2float(PrA) > __half2float(PrB); }
PR_HD bool __hge(__half PrA, __half PrB) { return __half2float(PrA) >= __half2float(PrB); }
PR_HD bool __hisnan(__half PrA) { return (PrA.__x & 0x7fff) > 0x7c00; }
PR_HD int __hisinf(__half PrA) { return (PrA.__x & 0x7fff) == 0x7c00 ? (PrA.__x & 0x8000 ? -1 : 1) : 0; }
PR_HD __half __hmax(__half PrA, __half PrB) { return __half(__builtin_fmaxf(__half2float(PrA), __half2float(PrB))); }
PR_HD __half2 __hmax2(__half2 PrA, __half2 PrB) { return __half2(__hmax(PrA.x, PrB.x), __hmax(PrA.y, PrB.y)); }
PR_HD __half __hmin(__half PrA, __half PrB) { return __half(__builtin_fminf(__half2float(PrA), __half2float(PrB))); }
PR_HD __half2 __hmin2(__half2 PrA, __half2 PrB) { return __half2(__hmin(PrA.x, PrB.x), __hmin(PrA.y, PrB.y)); }
PR_D __half hsqrt(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_sqrtf(PrF)); }
PR_D __half2 h2sqrt(__half2 PrA) { return __half2(hsqrt(PrA.x), hsqrt(PrA.y)); }
PR_D __half hrsqrt(__half PrA) { float PrF = __half2float(PrA); return __half(1.0f / __builtin_sqrtf(PrF)); }
PR_D __half2 h2rsqrt(__half2 PrA) { return __half2(hrsqrt(PrA.x), hrsqrt(PrA.y)); }
PR_D __half hrcp(__half PrA) { float PrF = __half2float(PrA); return __half(1.0f / PrF); }
PR_D __half2 h2rcp(__half2 PrA) { return __half2(hrcp(PrA.x), hrcp(PrA.y)); }
PR_D __half hexp(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_expf(PrF)); }
PR_D __half2 h2exp(__half2 PrA) { return __half2(hexp(PrA.x), hexp(PrA.y)); }
PR_D __half hexp2(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_exp2f(PrF)); }
PR_D __half2 h2exp2(__half2 PrA) { return __half2(hexp2(PrA.x), hexp2(PrA.y)); }
PR_D __half hlog(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_logf(PrF)); }
PR_D __half2 h2log(__half2 PrA) { return __half2(hlog(PrA.x), hlog(PrA.y)); }
PR_D __half hlog2(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_log2f(PrF)); }
PR_D __half2 h2log2(__half2 PrA) { return __half2(hlog2(PrA.x), hlog2(PrA.y)); }
PR_D __half hsin(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_sinf(PrF)); }
PR_D __half2 h2sin(__half2 PrA) { return __half2(hsin(PrA.x), hsin(PrA.y)); }
PR_D __half hcos(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_cosf(PrF)); }
PR_D __half2 h2cos(__half2 PrA) { return __half2(hcos(PrA.x), hcos(PrA.y)); }
PR_D __half hfloor(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_floorf(PrF)); }
PR_D __half2 h2floor(__half2 PrA) { return __half2(hfloor(PrA.x), hfloor(PrA.y)); }
PR_D __half hceil(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_ceilf(PrF)); }
PR_D __half2 h2ceil(__half2 PrA) { return __half2(hceil(PrA.x), hceil(PrA.y)); }
PR_D __half htrunc(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_truncf(PrF)); }
PR_D __half2 h2trunc(__half2 PrA) { return __half2(htrunc(PrA.x), htrunc(PrA.y)); }
PR_D __half hrint(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_rintf(PrF)); }
PR_D __half2 h2rint(__half2 PrA) { return __half2(hrint(PrA.x), hrint(PrA.y)); }
PR_D __half htanh(__half PrA) { float PrF = __half2float(PrA); return __half(__builtin_tanhf(PrF)); }
PR_D __half2 h2tanh(__half2 PrA) { return __half2(htanh(PrA.x), htanh(PrA.y)); }

PR_HD __half operator+(const __half &PrA, const __half &PrB) { return __hadd(PrA, PrB); }
PR_HD __half &operator+=(__half &PrA, const __half &PrB) { return PrA = __hadd(PrA, PrB); }
PR_HD __half2 operator+(const __half2 &PrA, const __half2 &PrB) { return __hadd2(PrA, PrB); }
PR_HD __half2 &operator+=(__half2 &PrA, const __half2 &PrB) { return PrA = __hadd2(PrA, PrB); }
PR_HD __half operator-(const __half &PrA, const __half &PrB) { return __hsub(PrA, PrB); }
PR_HD __half &operator-=(__half &PrA, const __half &PrB) { return PrA = __hsub(PrA, PrB); }
PR_HD __half2 operator-(const __half2 &PrA, const __half2 &PrB) { return __hsub2(PrA, PrB); }
PR_HD __half2 &operator-=(__half2 &PrA, const __half2 &PrB) { return PrA = __hsub2(PrA, PrB); }
PR_HD __half operator*(const __half &PrA, const __half &PrB) { return __hmul(PrA, PrB); }
PR_HD __half &operator*=(__half &PrA, const __half &PrB) { return PrA = __hmul(PrA, PrB); }
PR_HD __half2 operator*(const __half2 &PrA, const __half2 &PrB) { return __hmul2(PrA, PrB); }
PR_HD __half2 &operator*=(__half2 &PrA, const __half2 &PrB) { return PrA = __hmul2(PrA, PrB); }
PR_HD __half operator/(const __half &PrA, const __half &PrB) { return __hdiv(PrA, PrB); }
PR_HD __half &operator/=(__half &PrA, const __half &PrB) { return PrA = __hdiv(PrA, PrB); }
PR_HD __half2 operator/(const __half2 &PrA, const __half2 &PrB) { return __h2div(PrA, PrB); }
PR_HD __half2 &operator/=(__half2 &PrA, const __half2 &PrB) { return PrA = __h2div(PrA, PrB); }
PR_HD __half operator-(const __half &PrA) { return __hneg(PrA); }
PR_HD __half operator+(const __half &PrA) { return PrA; }
PR_HD __half2 operator-(const __half2 &PrA) { return __hneg2(PrA); }
PR_HD bool operator==(const __half &PrA, const __half &PrB) { return __heq(PrA, PrB); }
PR_HD bool operator!=(const __half &PrA, const __half &PrB) { return __hne(PrA, PrB); }
PR_HD bool operator<(const __half &PrA, const __half &PrB) { return __hlt(PrA, PrB); }
PR_HD bool operator<=(const __half &PrA, const __half &PrB) { return __hle(PrA, PrB); }
PR_HD bool operator>(const __half &PrA, const __half &PrB) { return __hgt(PrA, PrB); }
PR_HD bool operator>=(const __half &PrA, const __half &PrB) { return __hge(PrA, PrB); }

PR_HALF_MORE(__half, __half2)
PR_HD __half2 __lows2half2(__half2 PrA, __half2 PrB) { return __half2(PrA.x, PrB.x); }
PR_HD __half2 __highs2half2(__half2 PrA, __half2 PrB) { return __half2(PrA.y, PrB.y); }
PR_HD int __half2int_rd(__half PrH) { return (int)__builtin_floorf((float)PrH); }
PR_HD int __half2int_ru(__half PrH) { return (int)__builtin_ceilf((float)PrH); }
// One step towards zero where the nearest value lies beyond.
PR_HD __half __float2half_rz(float PrF) {
  __half PrN(PrF);
  return __builtin_fabsf((float)PrN) > __builtin_fabsf(PrF) ? __half(__half_raw{(unsigned short)(PrN.__x - 1)}) : PrN;
}

PR_D __half atomicAdd(__half *PrP, __half PrV) {
  unsigned short Old = __atomic_load_n(&PrP->__x, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&PrP->__x, &Old, __hadd(__half(__half_raw{Old}), PrV).__x, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return __half(__half_raw{Old});
}
PR_D __half2 atomicAdd(__half2 *PrP, __half2 PrV) {
  __half PrX = atomicAdd(&PrP->x, PrV.x), PrY = atomicAdd(&PrP->y, PrV.y);
  return __half2(PrX, PrY);
}
