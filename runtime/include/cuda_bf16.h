// bfloat16: storage, conversions, arithmetic. Every operation rounds once to nearest even, as the device's does.
#pragma once

#include "pr_device_prelude.h"

PR_HD float pr_bfloat16_to_float(unsigned short Bits) { return __builtin_bit_cast(float, (unsigned int)Bits << 16); }
PR_HD unsigned short pr_float_to_bfloat16(float F) {
  unsigned int Bits = __builtin_bit_cast(unsigned int, F);
  if ((Bits & 0x7fffffffu) > 0x7f800000u)
    return 0x7fff;
  return (unsigned short)((Bits + 0x7fffu + ((Bits >> 16) & 1)) >> 16);
}
PR_HD unsigned short pr_double_to_bfloat16(double F) { return pr_float_to_bfloat16((float)F); }

struct __align__(2) __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;

  __nv_bfloat16() = default;
  PR_HD_METHOD constexpr __nv_bfloat16(__nv_bfloat16_raw R) : __x(R.x) {}
  PR_HD_METHOD __nv_bfloat16(float F) : __x(pr_float_to_bfloat16(F)) {}
  PR_HD_METHOD __nv_bfloat16(double F) : __x(pr_double_to_bfloat16(F)) {}
  PR_HD_METHOD __nv_bfloat16(short F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned short F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(int F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned int F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(long F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned long F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(long long F) : __x(pr_float_to_bfloat16((float)F)) {}
  PR_HD_METHOD __nv_bfloat16(unsigned long long F) : __x(pr_float_to_bfloat16((float)F)) {}
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
  PR_HD_METHOD __nv_bfloat16 &operator=(float F) { __x = __nv_bfloat16(F).__x; return *this; }
  PR_HD_METHOD __nv_bfloat16 &operator=(double F) { __x = __nv_bfloat16(F).__x; return *this; }
  PR_HD_METHOD __nv_bfloat16 &operator=(int F) { __x = __nv_bfloat16(F).__x; return *this; }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  PR_HD_METHOD constexpr __nv_bfloat162(const __nv_bfloat16 &X, const __nv_bfloat16 &Y) : x(X), y(Y) {}
  PR_HD_METHOD __nv_bfloat162(__nv_bfloat162_raw R) : x(__nv_bfloat16_raw{R.x}), y(__nv_bfloat16_raw{R.y}) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

PR_HD float __bfloat162float(__nv_bfloat16 H) { return pr_bfloat16_to_float(H.__x); }
PR_HD __nv_bfloat16 __float2bfloat16(float F) { return __nv_bfloat16(F); }
PR_HD __nv_bfloat16 __float2bfloat16_rn(float F) { return __nv_bfloat16(F); }
PR_HD __nv_bfloat16 __double2bfloat16(double F) { return __nv_bfloat16(F); }
PR_HD __nv_bfloat16 __int2bfloat16_rn(int I) { return __nv_bfloat16((float)I); }
PR_HD int __bfloat162int_rn(__nv_bfloat16 H) { return (int)__builtin_rintf(__bfloat162float(H)); }
PR_HD int __bfloat162int_rz(__nv_bfloat16 H) { return (int)__bfloat162float(H); }
PR_HD __nv_bfloat16 __uint2bfloat16_rn(unsigned int I) { return __nv_bfloat16((float)I); }
PR_HD unsigned int __bfloat162uint_rn(__nv_bfloat16 H) { return (unsigned int)__builtin_rintf(__bfloat162float(H)); }
PR_HD unsigned int __bfloat162uint_rz(__nv_bfloat16 H) { return (unsigned int)__bfloat162float(H); }
PR_HD __nv_bfloat16 __short2bfloat16_rn(short I) { return __nv_bfloat16((float)I); }
PR_HD short __bfloat162short_rn(__nv_bfloat16 H) { return (short)__builtin_rintf(__bfloat162float(H)); }
PR_HD short __bfloat162short_rz(__nv_bfloat16 H) { return (short)__bfloat162float(H); }
PR_HD __nv_bfloat16 __ushort2bfloat16_rn(unsigned short I) { return __nv_bfloat16((float)I); }
PR_HD unsigned short __bfloat162ushort_rn(__nv_bfloat16 H) { return (unsigned short)__builtin_rintf(__bfloat162float(H)); }
PR_HD unsigned short __bfloat162ushort_rz(__nv_bfloat16 H) { return (unsigned short)__bfloat162float(H); }
PR_HD __nv_bfloat16 __ll2bfloat16_rn(long long I) { return __nv_bfloat16((float)I); }
PR_HD long long __bfloat162ll_rn(__nv_bfloat16 H) { return (long long)__builtin_rintf(__bfloat162float(H)); }
PR_HD long long __bfloat162ll_rz(__nv_bfloat16 H) { return (long long)__bfloat162float(H); }
PR_HD __nv_bfloat162 __floats2bfloat162_rn(float X, float Y) { return __nv_bfloat162(__nv_bfloat16(X), __nv_bfloat16(Y)); }
PR_HD __nv_bfloat162 __float2bfloat162_rn(float X) { return __nv_bfloat162(__nv_bfloat16(X), __nv_bfloat16(X)); }
PR_HD __nv_bfloat162 __float22bfloat162_rn(float2 V) { return __nv_bfloat162(__nv_bfloat16(V.x), __nv_bfloat16(V.y)); }
PR_HD float2 __bfloat1622float2(__nv_bfloat162 V) { return make_float2(__bfloat162float(V.x), __bfloat162float(V.y)); }
PR_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 X) { return __nv_bfloat162(X, X); }
PR_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y) { return __nv_bfloat162(X, Y); }
PR_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 X, __nv_bfloat16 Y) { return __nv_bfloat162(X, Y); }
PR_HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 V) { return V.x; }
PR_HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 V) { return V.y; }
PR_HD __nv_bfloat162 __low2bfloat162(__nv_bfloat162 V) { return __nv_bfloat162(V.x, V.x); }
PR_HD __nv_bfloat162 __high2bfloat162(__nv_bfloat162 V) { return __nv_bfloat162(V.y, V.y); }
PR_HD __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 V) { return __nv_bfloat162(V.y, V.x); }
PR_HD float __low2float(__nv_bfloat162 V) { return __bfloat162float(V.x); }
PR_HD float __high2float(__nv_bfloat162 V) { return __bfloat162float(V.y); }
PR_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 H) { return H.__x; }
PR_HD short __bfloat16_as_short(__nv_bfloat16 H) { return (short)H.__x; }
PR_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short B) { return __nv_bfloat16(__nv_bfloat16_raw{B}); }
PR_HD __nv_bfloat16 __short_as_bfloat16(short B) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)B}); }

PR_HD __nv_bfloat16 __hadd(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__bfloat162float(A) + __bfloat162float(B)); }
PR_HD __nv_bfloat162 __hadd2(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hadd(A.x, B.x), __hadd(A.y, B.y)); }
PR_HD __nv_bfloat16 __hadd_rn(__nv_bfloat16 A, __nv_bfloat16 B) { return __hadd(A, B); }
PR_HD __nv_bfloat162 __hadd2_rn(__nv_bfloat162 A, __nv_bfloat162 B) { return __hadd2(A, B); }
PR_HD __nv_bfloat16 __hsub(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__bfloat162float(A) - __bfloat162float(B)); }
PR_HD __nv_bfloat162 __hsub2(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hsub(A.x, B.x), __hsub(A.y, B.y)); }
PR_HD __nv_bfloat16 __hsub_rn(__nv_bfloat16 A, __nv_bfloat16 B) { return __hsub(A, B); }
PR_HD __nv_bfloat162 __hsub2_rn(__nv_bfloat162 A, __nv_bfloat162 B) { return __hsub2(A, B); }
PR_HD __nv_bfloat16 __hmul(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__bfloat162float(A) * __bfloat162float(B)); }
PR_HD __nv_bfloat162 __hmul2(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hmul(A.x, B.x), __hmul(A.y, B.y)); }
PR_HD __nv_bfloat16 __hmul_rn(__nv_bfloat16 A, __nv_bfloat16 B) { return __hmul(A, B); }
PR_HD __nv_bfloat162 __hmul2_rn(__nv_bfloat162 A, __nv_bfloat162 B) { return __hmul2(A, B); }
PR_HD __nv_bfloat16 __hdiv(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__bfloat162float(A) / __bfloat162float(B)); }
PR_HD __nv_bfloat162 __h2div(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hdiv(A.x, B.x), __hdiv(A.y, B.y)); }
PR_HD __nv_bfloat16 __hfma(__nv_bfloat16 A, __nv_bfloat16 B, __nv_bfloat16 C) { return __nv_bfloat16(__builtin_fma((double)__bfloat162float(A), (double)__bfloat162float(B), (double)__bfloat162float(C))); }
PR_HD __nv_bfloat162 __hfma2(__nv_bfloat162 A, __nv_bfloat162 B, __nv_bfloat162 C) { return __nv_bfloat162(__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y)); }
PR_HD __nv_bfloat16 __hneg(__nv_bfloat16 A) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(A.__x ^ 0x8000)}); }
PR_HD __nv_bfloat162 __hneg2(__nv_bfloat162 A) { return __nv_bfloat162(__hneg(A.x), __hneg(A.y)); }
PR_HD __nv_bfloat16 __habs(__nv_bfloat16 A) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)(A.__x & 0x7fff)}); }
PR_HD __nv_bfloat162 __habs2(__nv_bfloat162 A) { return __nv_bfloat162(__habs(A.x), __habs(A.y)); }
PR_HD bool __heq(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) == __bfloat162float(B); }
PR_HD bool __hne(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) != __bfloat162float(B); }
PR_HD bool __hlt(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) < __bfloat162float(B); }
PR_HD bool __hle(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) <= __bfloat162float(B); }
PR_HD bool __hgt(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) > __bfloat162float(B); }
PR_HD bool __hge(__nv_bfloat16 A, __nv_bfloat16 B) { return __bfloat162float(A) >= __bfloat162float(B); }
PR_HD bool __hisnan(__nv_bfloat16 A) { return (A.__x & 0x7fff) > 0x7f80; }
PR_HD int __hisinf(__nv_bfloat16 A) { return (A.__x & 0x7fff) == 0x7f80 ? (A.__x & 0x8000 ? -1 : 1) : 0; }
PR_HD __nv_bfloat16 __hmax(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__builtin_fmaxf(__bfloat162float(A), __bfloat162float(B))); }
PR_HD __nv_bfloat162 __hmax2(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hmax(A.x, B.x), __hmax(A.y, B.y)); }
PR_HD __nv_bfloat16 __hmin(__nv_bfloat16 A, __nv_bfloat16 B) { return __nv_bfloat16(__builtin_fminf(__bfloat162float(A), __bfloat162float(B))); }
PR_HD __nv_bfloat162 __hmin2(__nv_bfloat162 A, __nv_bfloat162 B) { return __nv_bfloat162(__hmin(A.x, B.x), __hmin(A.y, B.y)); }
PR_D __nv_bfloat16 hsqrt(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_sqrtf(F)); }
PR_D __nv_bfloat162 h2sqrt(__nv_bfloat162 A) { return __nv_bfloat162(hsqrt(A.x), hsqrt(A.y)); }
PR_D __nv_bfloat16 hrsqrt(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(1.0f / __builtin_sqrtf(F)); }
PR_D __nv_bfloat162 h2rsqrt(__nv_bfloat162 A) { return __nv_bfloat162(hrsqrt(A.x), hrsqrt(A.y)); }
PR_D __nv_bfloat16 hrcp(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(1.0f / F); }
PR_D __nv_bfloat162 h2rcp(__nv_bfloat162 A) { return __nv_bfloat162(hrcp(A.x), hrcp(A.y)); }
PR_D __nv_bfloat16 hexp(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_expf(F)); }
PR_D __nv_bfloat162 h2exp(__nv_bfloat162 A) { return __nv_bfloat162(hexp(A.x), hexp(A.y)); }
PR_D __nv_bfloat16 hexp2(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_exp2f(F)); }
PR_D __nv_bfloat162 h2exp2(__nv_bfloat162 A) { return __nv_bfloat162(hexp2(A.x), hexp2(A.y)); }
PR_D __nv_bfloat16 hlog(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_logf(F)); }
PR_D __nv_bfloat162 h2log(__nv_bfloat162 A) { return __nv_bfloat162(hlog(A.x), hlog(A.y)); }
PR_D __nv_bfloat16 hlog2(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_log2f(F)); }
PR_D __nv_bfloat162 h2log2(__nv_bfloat162 A) { return __nv_bfloat162(hlog2(A.x), hlog2(A.y)); }
PR_D __nv_bfloat16 hsin(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_sinf(F)); }
PR_D __nv_bfloat162 h2sin(__nv_bfloat162 A) { return __nv_bfloat162(hsin(A.x), hsin(A.y)); }
PR_D __nv_bfloat16 hcos(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_cosf(F)); }
PR_D __nv_bfloat162 h2cos(__nv_bfloat162 A) { return __nv_bfloat162(hcos(A.x), hcos(A.y)); }
PR_D __nv_bfloat16 hfloor(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_floorf(F)); }
PR_D __nv_bfloat162 h2floor(__nv_bfloat162 A) { return __nv_bfloat162(hfloor(A.x), hfloor(A.y)); }
PR_D __nv_bfloat16 hceil(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_ceilf(F)); }
PR_D __nv_bfloat162 h2ceil(__nv_bfloat162 A) { return __nv_bfloat162(hceil(A.x), hceil(A.y)); }
PR_D __nv_bfloat16 htrunc(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_truncf(F)); }
PR_D __nv_bfloat162 h2trunc(__nv_bfloat162 A) { return __nv_bfloat162(htrunc(A.x), htrunc(A.y)); }
PR_D __nv_bfloat16 hrint(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_rintf(F)); }
PR_D __nv_bfloat162 h2rint(__nv_bfloat162 A) { return __nv_bfloat162(hrint(A.x), hrint(A.y)); }
PR_D __nv_bfloat16 htanh(__nv_bfloat16 A) { float F = __bfloat162float(A); return __nv_bfloat16(__builtin_tanhf(F)); }
PR_D __nv_bfloat162 h2tanh(__nv_bfloat162 A) { return __nv_bfloat162(htanh(A.x), htanh(A.y)); }

PR_HD __nv_bfloat16 operator+(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hadd(A, B); }
PR_HD __nv_bfloat16 &operator+=(__nv_bfloat16 &A, const __nv_bfloat16 &B) { return A = __hadd(A, B); }
PR_HD __nv_bfloat162 operator+(const __nv_bfloat162 &A, const __nv_bfloat162 &B) { return __hadd2(A, B); }
PR_HD __nv_bfloat162 &operator+=(__nv_bfloat162 &A, const __nv_bfloat162 &B) { return A = __hadd2(A, B); }
PR_HD __nv_bfloat16 operator-(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hsub(A, B); }
PR_HD __nv_bfloat16 &operator-=(__nv_bfloat16 &A, const __nv_bfloat16 &B) { return A = __hsub(A, B); }
PR_HD __nv_bfloat162 operator-(const __nv_bfloat162 &A, const __nv_bfloat162 &B) { return __hsub2(A, B); }
PR_HD __nv_bfloat162 &operator-=(__nv_bfloat162 &A, const __nv_bfloat162 &B) { return A = __hsub2(A, B); }
PR_HD __nv_bfloat16 operator*(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hmul(A, B); }
PR_HD __nv_bfloat16 &operator*=(__nv_bfloat16 &A, const __nv_bfloat16 &B) { return A = __hmul(A, B); }
PR_HD __nv_bfloat162 operator*(const __nv_bfloat162 &A, const __nv_bfloat162 &B) { return __hmul2(A, B); }
PR_HD __nv_bfloat162 &operator*=(__nv_bfloat162 &A, const __nv_bfloat162 &B) { return A = __hmul2(A, B); }
PR_HD __nv_bfloat16 operator/(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hdiv(A, B); }
PR_HD __nv_bfloat16 &operator/=(__nv_bfloat16 &A, const __nv_bfloat16 &B) { return A = __hdiv(A, B); }
PR_HD __nv_bfloat162 operator/(const __nv_bfloat162 &A, const __nv_bfloat162 &B) { return __h2div(A, B); }
PR_HD __nv_bfloat162 &operator/=(__nv_bfloat162 &A, const __nv_bfloat162 &B) { return A = __h2div(A, B); }
PR_HD __nv_bfloat16 operator-(const __nv_bfloat16 &A) { return __hneg(A); }
PR_HD __nv_bfloat16 operator+(const __nv_bfloat16 &A) { return A; }
PR_HD __nv_bfloat162 operator-(const __nv_bfloat162 &A) { return __hneg2(A); }
PR_HD bool operator==(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __heq(A, B); }
PR_HD bool operator!=(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hne(A, B); }
PR_HD bool operator<(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hlt(A, B); }
PR_HD bool operator<=(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hle(A, B); }
PR_HD bool operator>(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hgt(A, B); }
PR_HD bool operator>=(const __nv_bfloat16 &A, const __nv_bfloat16 &B) { return __hge(A, B); }

PR_D __nv_bfloat16 atomicAdd(__nv_bfloat16 *P, __nv_bfloat16 V) {
  unsigned short Old = __atomic_load_n(&P->__x, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&P->__x, &Old, __hadd(__nv_bfloat16(__nv_bfloat16_raw{Old}), V).__x, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return __nv_bfloat16(__nv_bfloat16_raw{Old});
}
PR_D __nv_bfloat162 atomicAdd(__nv_bfloat162 *P, __nv_bfloat162 V) {
  __nv_bfloat16 X = atomicAdd(&P->x, V.x), Y = atomicAdd(&P->y, V.y);
  return __nv_bfloat162(X, Y);
}
