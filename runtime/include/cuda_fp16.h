// IEEE half precision: storage, conversions, arithmetic. Every operation rounds once to nearest even, as the device's does.
#pragma once

#include "pr_device_prelude.h"

PR_HD float pr_half_to_float(unsigned short Bits) { return (float)__builtin_bit_cast(_Float16, Bits); }
PR_HD unsigned short pr_float_to_half(float F) { return __builtin_bit_cast(unsigned short, (_Float16)F); }
PR_HD unsigned short pr_double_to_half(double F) { return __builtin_bit_cast(unsigned short, (_Float16)F); }

struct __align__(2) __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };

struct __align__(2) __half {
  unsigned short __x;

  __half() = default;
  PR_HD_METHOD constexpr __half(__half_raw R) : __x(R.x) {}
  PR_HD_METHOD __half(float F) : __x(pr_float_to_half(F)) {}
  PR_HD_METHOD __half(double F) : __x(pr_double_to_half(F)) {}
  PR_HD_METHOD __half(short F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(unsigned short F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(int F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(unsigned int F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(long F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(unsigned long F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(long long F) : __x(pr_float_to_half((float)F)) {}
  PR_HD_METHOD __half(unsigned long long F) : __x(pr_float_to_half((float)F)) {}
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
  PR_HD_METHOD __half &operator=(float F) { __x = __half(F).__x; return *this; }
  PR_HD_METHOD __half &operator=(double F) { __x = __half(F).__x; return *this; }
  PR_HD_METHOD __half &operator=(int F) { __x = __half(F).__x; return *this; }
};
struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  PR_HD_METHOD constexpr __half2(const __half &X, const __half &Y) : x(X), y(Y) {}
  PR_HD_METHOD __half2(__half2_raw R) : x(__half_raw{R.x}), y(__half_raw{R.y}) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half nv_half;
typedef __half2 nv_half2;

PR_HD float __half2float(__half H) { return pr_half_to_float(H.__x); }
PR_HD __half __float2half(float F) { return __half(F); }
PR_HD __half __float2half_rn(float F) { return __half(F); }
PR_HD __half __double2half(double F) { return __half(F); }
PR_HD __half __int2half_rn(int I) { return __half((float)I); }
PR_HD int __half2int_rn(__half H) { return (int)__builtin_rintf(__half2float(H)); }
PR_HD int __half2int_rz(__half H) { return (int)__half2float(H); }
PR_HD __half __uint2half_rn(unsigned int I) { return __half((float)I); }
PR_HD unsigned int __half2uint_rn(__half H) { return (unsigned int)__builtin_rintf(__half2float(H)); }
PR_HD unsigned int __half2uint_rz(__half H) { return (unsigned int)__half2float(H); }
PR_HD __half __short2half_rn(short I) { return __half((float)I); }
PR_HD short __half2short_rn(__half H) { return (short)__builtin_rintf(__half2float(H)); }
PR_HD short __half2short_rz(__half H) { return (short)__half2float(H); }
PR_HD __half __ushort2half_rn(unsigned short I) { return __half((float)I); }
PR_HD unsigned short __half2ushort_rn(__half H) { return (unsigned short)__builtin_rintf(__half2float(H)); }
PR_HD unsigned short __half2ushort_rz(__half H) { return (unsigned short)__half2float(H); }
PR_HD __half __ll2half_rn(long long I) { return __half((float)I); }
PR_HD long long __half2ll_rn(__half H) { return (long long)__builtin_rintf(__half2float(H)); }
PR_HD long long __half2ll_rz(__half H) { return (long long)__half2float(H); }
PR_HD __half2 __floats2half2_rn(float X, float Y) { return __half2(__half(X), __half(Y)); }
PR_HD __half2 __float2half2_rn(float X) { return __half2(__half(X), __half(X)); }
PR_HD __half2 __float22half2_rn(float2 V) { return __half2(__half(V.x), __half(V.y)); }
PR_HD float2 __half22float2(__half2 V) { return make_float2(__half2float(V.x), __half2float(V.y)); }
PR_HD __half2 __half2half2(__half X) { return __half2(X, X); }
PR_HD __half2 __halves2half2(__half X, __half Y) { return __half2(X, Y); }
PR_HD __half2 make_half2(__half X, __half Y) { return __half2(X, Y); }
PR_HD __half __low2half(__half2 V) { return V.x; }
PR_HD __half __high2half(__half2 V) { return V.y; }
PR_HD __half2 __low2half2(__half2 V) { return __half2(V.x, V.x); }
PR_HD __half2 __high2half2(__half2 V) { return __half2(V.y, V.y); }
PR_HD __half2 __lowhigh2highlow(__half2 V) { return __half2(V.y, V.x); }
PR_HD float __low2float(__half2 V) { return __half2float(V.x); }
PR_HD float __high2float(__half2 V) { return __half2float(V.y); }
PR_HD unsigned short __half_as_ushort(__half H) { return H.__x; }
PR_HD short __half_as_short(__half H) { return (short)H.__x; }
PR_HD __half __ushort_as_half(unsigned short B) { return __half(__half_raw{B}); }
PR_HD __half __short_as_half(short B) { return __half(__half_raw{(unsigned short)B}); }

PR_HD __half __hadd(__half A, __half B) { return __half(__half2float(A) + __half2float(B)); }
PR_HD __half2 __hadd2(__half2 A, __half2 B) { return __half2(__hadd(A.x, B.x), __hadd(A.y, B.y)); }
PR_HD __half __hadd_rn(__half A, __half B) { return __hadd(A, B); }
PR_HD __half2 __hadd2_rn(__half2 A, __half2 B) { return __hadd2(A, B); }
PR_HD __half __hsub(__half A, __half B) { return __half(__half2float(A) - __half2float(B)); }
PR_HD __half2 __hsub2(__half2 A, __half2 B) { return __half2(__hsub(A.x, B.x), __hsub(A.y, B.y)); }
PR_HD __half __hsub_rn(__half A, __half B) { return __hsub(A, B); }
PR_HD __half2 __hsub2_rn(__half2 A, __half2 B) { return __hsub2(A, B); }
PR_HD __half __hmul(__half A, __half B) { return __half(__half2float(A) * __half2float(B)); }
PR_HD __half2 __hmul2(__half2 A, __half2 B) { return __half2(__hmul(A.x, B.x), __hmul(A.y, B.y)); }
PR_HD __half __hmul_rn(__half A, __half B) { return __hmul(A, B); }
PR_HD __half2 __hmul2_rn(__half2 A, __half2 B) { return __hmul2(A, B); }
PR_HD __half __hdiv(__half A, __half B) { return __half(__half2float(A) / __half2float(B)); }
PR_HD __half2 __h2div(__half2 A, __half2 B) { return __half2(__hdiv(A.x, B.x), __hdiv(A.y, B.y)); }
PR_HD __half __hfma(__half A, __half B, __half C) { return __half(__builtin_fma((double)__half2float(A), (double)__half2float(B), (double)__half2float(C))); }
PR_HD __half2 __hfma2(__half2 A, __half2 B, __half2 C) { return __half2(__hfma(A.x, B.x, C.x), __hfma(A.y, B.y, C.y)); }
PR_HD __half __hneg(__half A) { return __half(__half_raw{(unsigned short)(A.__x ^ 0x8000)}); }
PR_HD __half2 __hneg2(__half2 A) { return __half2(__hneg(A.x), __hneg(A.y)); }
PR_HD __half __habs(__half A) { return __half(__half_raw{(unsigned short)(A.__x & 0x7fff)}); }
PR_HD __half2 __habs2(__half2 A) { return __half2(__habs(A.x), __habs(A.y)); }
PR_HD bool __heq(__half A, __half B) { return __half2float(A) == __half2float(B); }
PR_HD bool __hne(__half A, __half B) { return __half2float(A) != __half2float(B); }
PR_HD bool __hlt(__half A, __half B) { return __half2float(A) < __half2float(B); }
PR_HD bool __hle(__half A, __half B) { return __half2float(A) <= __half2float(B); }
PR_HD bool __hgt(__half A, __half B) { return __half2float(A) > __half2float(B); }
PR_HD bool __hge(__half A, __half B) { return __half2float(A) >= __half2float(B); }
PR_HD bool __hisnan(__half A) { return (A.__x & 0x7fff) > 0x7c00; }
PR_HD int __hisinf(__half A) { return (A.__x & 0x7fff) == 0x7c00 ? (A.__x & 0x8000 ? -1 : 1) : 0; }
PR_HD __half __hmax(__half A, __half B) { return __half(__builtin_fmaxf(__half2float(A), __half2float(B))); }
PR_HD __half2 __hmax2(__half2 A, __half2 B) { return __half2(__hmax(A.x, B.x), __hmax(A.y, B.y)); }
PR_HD __half __hmin(__half A, __half B) { return __half(__builtin_fminf(__half2float(A), __half2float(B))); }
PR_HD __half2 __hmin2(__half2 A, __half2 B) { return __half2(__hmin(A.x, B.x), __hmin(A.y, B.y)); }
PR_D __half hsqrt(__half A) { float F = __half2float(A); return __half(__builtin_sqrtf(F)); }
PR_D __half2 h2sqrt(__half2 A) { return __half2(hsqrt(A.x), hsqrt(A.y)); }
PR_D __half hrsqrt(__half A) { float F = __half2float(A); return __half(1.0f / __builtin_sqrtf(F)); }
PR_D __half2 h2rsqrt(__half2 A) { return __half2(hrsqrt(A.x), hrsqrt(A.y)); }
PR_D __half hrcp(__half A) { float F = __half2float(A); return __half(1.0f / F); }
PR_D __half2 h2rcp(__half2 A) { return __half2(hrcp(A.x), hrcp(A.y)); }
PR_D __half hexp(__half A) { float F = __half2float(A); return __half(__builtin_expf(F)); }
PR_D __half2 h2exp(__half2 A) { return __half2(hexp(A.x), hexp(A.y)); }
PR_D __half hexp2(__half A) { float F = __half2float(A); return __half(__builtin_exp2f(F)); }
PR_D __half2 h2exp2(__half2 A) { return __half2(hexp2(A.x), hexp2(A.y)); }
PR_D __half hlog(__half A) { float F = __half2float(A); return __half(__builtin_logf(F)); }
PR_D __half2 h2log(__half2 A) { return __half2(hlog(A.x), hlog(A.y)); }
PR_D __half hlog2(__half A) { float F = __half2float(A); return __half(__builtin_log2f(F)); }
PR_D __half2 h2log2(__half2 A) { return __half2(hlog2(A.x), hlog2(A.y)); }
PR_D __half hsin(__half A) { float F = __half2float(A); return __half(__builtin_sinf(F)); }
PR_D __half2 h2sin(__half2 A) { return __half2(hsin(A.x), hsin(A.y)); }
PR_D __half hcos(__half A) { float F = __half2float(A); return __half(__builtin_cosf(F)); }
PR_D __half2 h2cos(__half2 A) { return __half2(hcos(A.x), hcos(A.y)); }
PR_D __half hfloor(__half A) { float F = __half2float(A); return __half(__builtin_floorf(F)); }
PR_D __half2 h2floor(__half2 A) { return __half2(hfloor(A.x), hfloor(A.y)); }
PR_D __half hceil(__half A) { float F = __half2float(A); return __half(__builtin_ceilf(F)); }
PR_D __half2 h2ceil(__half2 A) { return __half2(hceil(A.x), hceil(A.y)); }
PR_D __half htrunc(__half A) { float F = __half2float(A); return __half(__builtin_truncf(F)); }
PR_D __half2 h2trunc(__half2 A) { return __half2(htrunc(A.x), htrunc(A.y)); }
PR_D __half hrint(__half A) { float F = __half2float(A); return __half(__builtin_rintf(F)); }
PR_D __half2 h2rint(__half2 A) { return __half2(hrint(A.x), hrint(A.y)); }
PR_D __half htanh(__half A) { float F = __half2float(A); return __half(__builtin_tanhf(F)); }
PR_D __half2 h2tanh(__half2 A) { return __half2(htanh(A.x), htanh(A.y)); }

PR_HD __half operator+(const __half &A, const __half &B) { return __hadd(A, B); }
PR_HD __half &operator+=(__half &A, const __half &B) { return A = __hadd(A, B); }
PR_HD __half2 operator+(const __half2 &A, const __half2 &B) { return __hadd2(A, B); }
PR_HD __half2 &operator+=(__half2 &A, const __half2 &B) { return A = __hadd2(A, B); }
PR_HD __half operator-(const __half &A, const __half &B) { return __hsub(A, B); }
PR_HD __half &operator-=(__half &A, const __half &B) { return A = __hsub(A, B); }
PR_HD __half2 operator-(const __half2 &A, const __half2 &B) { return __hsub2(A, B); }
PR_HD __half2 &operator-=(__half2 &A, const __half2 &B) { return A = __hsub2(A, B); }
PR_HD __half operator*(const __half &A, const __half &B) { return __hmul(A, B); }
PR_HD __half &operator*=(__half &A, const __half &B) { return A = __hmul(A, B); }
PR_HD __half2 operator*(const __half2 &A, const __half2 &B) { return __hmul2(A, B); }
PR_HD __half2 &operator*=(__half2 &A, const __half2 &B) { return A = __hmul2(A, B); }
PR_HD __half operator/(const __half &A, const __half &B) { return __hdiv(A, B); }
PR_HD __half &operator/=(__half &A, const __half &B) { return A = __hdiv(A, B); }
PR_HD __half2 operator/(const __half2 &A, const __half2 &B) { return __h2div(A, B); }
PR_HD __half2 &operator/=(__half2 &A, const __half2 &B) { return A = __h2div(A, B); }
PR_HD __half operator-(const __half &A) { return __hneg(A); }
PR_HD __half operator+(const __half &A) { return A; }
PR_HD __half2 operator-(const __half2 &A) { return __hneg2(A); }
PR_HD bool operator==(const __half &A, const __half &B) { return __heq(A, B); }
PR_HD bool operator!=(const __half &A, const __half &B) { return __hne(A, B); }
PR_HD bool operator<(const __half &A, const __half &B) { return __hlt(A, B); }
PR_HD bool operator<=(const __half &A, const __half &B) { return __hle(A, B); }
PR_HD bool operator>(const __half &A, const __half &B) { return __hgt(A, B); }
PR_HD bool operator>=(const __half &A, const __half &B) { return __hge(A, B); }

PR_D __half atomicAdd(__half *P, __half V) {
  unsigned short Old = __atomic_load_n(&P->__x, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&P->__x, &Old, __hadd(__half(__half_raw{Old}), V).__x, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return __half(__half_raw{Old});
}
PR_D __half2 atomicAdd(__half2 *P, __half2 V) {
  __half X = atomicAdd(&P->x, V.x), Y = atomicAdd(&P->y, V.y);
  return __half2(X, Y);
}
