// CUDA's additions to the C math library: reciprocal roots, decimal powers, global min and max, and the
// intrinsics of the CUDA Math API with a fixed rounding. Functions that are approximate on a GPU are exact
// here; a proof compares two programs that both use the same function.
#pragma once

#include "pr/math_device.h"
#include "pr/rounding.h"
#include "pr/simd.h"

PR_HD float rsqrtf(float PrX) { return 1.0f / __builtin_sqrtf(PrX); }
PR_HD double rsqrt(double PrX) { return 1.0 / __builtin_sqrt(PrX); }
PR_HD float rsqrt(float PrX) { return rsqrtf(PrX); }
PR_HD float rcbrtf(float PrX) { return 1.0f / __builtin_cbrtf(PrX); }
PR_HD float norm3df(float PrX, float PrY, float PrZ) { return __builtin_sqrtf(PrX * PrX + PrY * PrY + PrZ * PrZ); }
PR_HD double norm3d(double PrX, double PrY, double PrZ) { return __builtin_sqrt(PrX * PrX + PrY * PrY + PrZ * PrZ); }
PR_HD float rnorm3df(float PrX, float PrY, float PrZ) { return 1.0f / norm3df(PrX, PrY, PrZ); }
PR_HD double rnorm3d(double PrX, double PrY, double PrZ) { return 1.0 / norm3d(PrX, PrY, PrZ); }
PR_HD float normcdff(float PrX) { return 0.5f * __builtin_erfcf(-PrX * 0.70710678118654752f); }
PR_HD double normcdf(double PrX) { return 0.5 * __builtin_erfc(-PrX * 0.70710678118654752); }
PR_HD float sinpif(float PrX) { return __builtin_sinf(PrX * 3.14159265358979323846f); }
PR_HD float cospif(float PrX) { return __builtin_cosf(PrX * 3.14159265358979323846f); }
PR_HD double sinpi(double PrX) { return __builtin_sin(PrX * 3.14159265358979323846); }
PR_HD double cospi(double PrX) { return __builtin_cos(PrX * 3.14159265358979323846); }
PR_HD double rcbrt(double PrX) { return 1.0 / __builtin_cbrt(PrX); }
PR_HD float rhypotf(float PrX, float PrY) { return 1.0f / __builtin_hypotf(PrX, PrY); }
PR_HD double rhypot(double PrX, double PrY) { return 1.0 / __builtin_hypot(PrX, PrY); }
PR_HD float norm4df(float PrX, float PrY, float PrZ, float PrW) { return __builtin_sqrtf(PrX * PrX + PrY * PrY + PrZ * PrZ + PrW * PrW); }
PR_HD double norm4d(double PrX, double PrY, double PrZ, double PrW) { return __builtin_sqrt(PrX * PrX + PrY * PrY + PrZ * PrZ + PrW * PrW); }
PR_HD float fdividef(float PrA, float PrB) { return PrA / PrB; }
PR_D float exp10f(float PrX) { return __builtin_powf(10.0f, PrX); }
PR_D double exp10(double PrX) { return __builtin_pow(10.0, PrX); }
PR_D void sincosf(float PrX, float *PrS, float *PrC) {
  *PrS = __builtin_sinf(PrX);
  *PrC = __builtin_cosf(PrX);
}
PR_D void sincos(double PrX, double *PrS, double *PrC) {
  *PrS = __builtin_sin(PrX);
  *PrC = __builtin_cos(PrX);
}

#define PR_MIN_MAX(TYPE) \
  PR_HD TYPE min(TYPE PrA, TYPE PrB) { return PrB < PrA ? PrB : PrA; } \
  PR_HD TYPE max(TYPE PrA, TYPE PrB) { return PrA < PrB ? PrB : PrA; }
PR_MIN_MAX(int)
PR_MIN_MAX(unsigned int)
PR_MIN_MAX(long)
PR_MIN_MAX(unsigned long)
PR_MIN_MAX(long long)
PR_MIN_MAX(unsigned long long)
#undef PR_MIN_MAX
PR_HD unsigned int min(int PrA, unsigned int PrB) { return min((unsigned int)PrA, PrB); }
PR_HD unsigned int min(unsigned int PrA, int PrB) { return min(PrA, (unsigned int)PrB); }
PR_HD unsigned int max(int PrA, unsigned int PrB) { return max((unsigned int)PrA, PrB); }
PR_HD unsigned int max(unsigned int PrA, int PrB) { return max(PrA, (unsigned int)PrB); }
PR_HD unsigned int umin(unsigned int PrA, unsigned int PrB) { return min(PrA, PrB); }
PR_HD unsigned int umax(unsigned int PrA, unsigned int PrB) { return max(PrA, PrB); }
PR_HD long long llmin(long long PrA, long long PrB) { return min(PrA, PrB); }
PR_HD long long llmax(long long PrA, long long PrB) { return max(PrA, PrB); }
PR_HD unsigned long long ullmin(unsigned long long PrA, unsigned long long PrB) { return min(PrA, PrB); }
PR_HD unsigned long long ullmax(unsigned long long PrA, unsigned long long PrB) { return max(PrA, PrB); }
PR_HD float min(float PrA, float PrB) { return __builtin_fminf(PrA, PrB); }
PR_HD float max(float PrA, float PrB) { return __builtin_fmaxf(PrA, PrB); }
PR_HD double min(double PrA, double PrB) { return __builtin_fmin(PrA, PrB); }
PR_HD double max(double PrA, double PrB) { return __builtin_fmax(PrA, PrB); }
PR_HD double min(float PrA, double PrB) { return __builtin_fmin(PrA, PrB); }
PR_HD double min(double PrA, float PrB) { return __builtin_fmin(PrA, PrB); }
PR_HD double max(float PrA, double PrB) { return __builtin_fmax(PrA, PrB); }
PR_HD double max(double PrA, float PrB) { return __builtin_fmax(PrA, PrB); }

// Intrinsics with one name for each rounding: round-to-nearest here, the others in rounding.h.
PR_D float __fmaf_rn(float PrA, float PrB, float PrC) { return __builtin_fmaf(PrA, PrB, PrC); }
PR_D double __fma_rn(double PrA, double PrB, double PrC) { return __builtin_fma(PrA, PrB, PrC); }
PR_D float __fadd_rn(float PrA, float PrB) { return PrA + PrB; }
PR_D float __fsub_rn(float PrA, float PrB) { return PrA - PrB; }
PR_D float __fmul_rn(float PrA, float PrB) { return PrA * PrB; }
PR_D float __fdiv_rn(float PrA, float PrB) { return PrA / PrB; }
PR_D float __frcp_rn(float PrA) { return 1.0f / PrA; }
PR_D float __fsqrt_rn(float PrA) { return __builtin_sqrtf(PrA); }
PR_D float __frsqrt_rn(float PrA) { return 1.0f / __builtin_sqrtf(PrA); }
PR_D double __dadd_rn(double PrA, double PrB) { return PrA + PrB; }
PR_D double __dsub_rn(double PrA, double PrB) { return PrA - PrB; }
PR_D double __dmul_rn(double PrA, double PrB) { return PrA * PrB; }
PR_D double __ddiv_rn(double PrA, double PrB) { return PrA / PrB; }
PR_D double __drcp_rn(double PrA) { return 1.0 / PrA; }
PR_D double __dsqrt_rn(double PrA) { return __builtin_sqrt(PrA); }
PR_D float __fdividef(float PrA, float PrB) { return PrA / PrB; }
PR_D float __expf(float PrX) { return __builtin_expf(PrX); }
PR_D float __exp10f(float PrX) { return __builtin_powf(10.0f, PrX); }
PR_D float __logf(float PrX) { return __builtin_logf(PrX); }
PR_D float __log2f(float PrX) { return __builtin_log2f(PrX); }
PR_D float __log10f(float PrX) { return __builtin_log10f(PrX); }
PR_D float __sinf(float PrX) { return __builtin_sinf(PrX); }
PR_D float __cosf(float PrX) { return __builtin_cosf(PrX); }
PR_D float __tanf(float PrX) { return __builtin_tanf(PrX); }
PR_D float __tanhf(float PrX) { return __builtin_tanhf(PrX); }
PR_D float __powf(float PrX, float PrY) { return __builtin_powf(PrX, PrY); }
PR_D void __sincosf(float PrX, float *PrS, float *PrC) { sincosf(PrX, PrS, PrC); }
PR_D float __saturatef(float PrX) { return PrX >= 0.0f ? (PrX > 1.0f ? 1.0f : PrX) : 0.0f; }

PR_HD float __int_as_float(int PrX) { return __builtin_bit_cast(float, PrX); }
PR_HD int __float_as_int(float PrX) { return __builtin_bit_cast(int, PrX); }
PR_HD float __uint_as_float(unsigned int PrX) { return __builtin_bit_cast(float, PrX); }
PR_HD unsigned int __float_as_uint(float PrX) { return __builtin_bit_cast(unsigned int, PrX); }
PR_HD double __longlong_as_double(long long PrX) { return __builtin_bit_cast(double, PrX); }
PR_HD long long __double_as_longlong(double PrX) { return __builtin_bit_cast(long long, PrX); }
PR_D int __double2loint(double PrX) { return (int)__double_as_longlong(PrX); }
PR_D int __double2hiint(double PrX) { return (int)(__double_as_longlong(PrX) >> 32); }
PR_D double __hiloint2double(int Hi, int Lo) {
  return __longlong_as_double(((long long)Hi << 32) | (unsigned int)Lo);
}

PR_D float __int2float_rn(int PrX) { return (float)PrX; }
PR_D float __uint2float_rn(unsigned int PrX) { return (float)PrX; }
PR_D float __double2float_rn(double PrX) { return (float)PrX; }
PR_D double __int2double_rn(int PrX) { return (double)PrX; }

PR_D int __mul24(int PrA, int PrB) { return ((PrA << 8) >> 8) * ((PrB << 8) >> 8); }
PR_D unsigned int __umul24(unsigned int PrA, unsigned int PrB) { return (PrA & 0xffffffu) * (PrB & 0xffffffu); }
PR_D int __mulhi(int PrA, int PrB) { return (int)(((long long)PrA * PrB) >> 32); }
PR_D unsigned int __umulhi(unsigned int PrA, unsigned int PrB) {
  return (unsigned int)(((unsigned long long)PrA * PrB) >> 32);
}
PR_D long long __mul64hi(long long PrA, long long PrB) { return (long long)(((__int128)PrA * PrB) >> 64); }
PR_D unsigned long long __umul64hi(unsigned long long PrA, unsigned long long PrB) {
  return (unsigned long long)(((unsigned __int128)PrA * PrB) >> 64);
}
PR_D int __popc(unsigned int PrX) { return __builtin_popcount(PrX); }
PR_D int __popcll(unsigned long long PrX) { return __builtin_popcountll(PrX); }
PR_D int __clz(int PrX) { return PrX ? __builtin_clz((unsigned int)PrX) : 32; }
PR_D int __clzll(long long PrX) { return PrX ? __builtin_clzll((unsigned long long)PrX) : 64; }
PR_D int __ffs(int PrX) { return __builtin_ffs(PrX); }
PR_D int __ffsll(long long PrX) { return __builtin_ffsll(PrX); }
PR_D unsigned int __brev(unsigned int PrX) { return __builtin_bitreverse32(PrX); }
PR_D unsigned long long __brevll(unsigned long long PrX) { return __builtin_bitreverse64(PrX); }
PR_D unsigned int __sad(int PrA, int PrB, unsigned int PrC) { return PrC + (unsigned int)(PrA > PrB ? PrA - PrB : PrB - PrA); }
PR_D unsigned int __usad(unsigned int PrA, unsigned int PrB, unsigned int PrC) { return PrC + (PrA > PrB ? PrA - PrB : PrB - PrA); }
PR_D int __rhadd(int PrA, int PrB) { return (int)(((long long)PrA + PrB + 1) >> 1); }
PR_D unsigned int __uhadd(unsigned int PrA, unsigned int PrB) { return (unsigned int)(((unsigned long long)PrA + PrB) >> 1); }
PR_D unsigned int __urhadd(unsigned int PrA, unsigned int PrB) { return (unsigned int)(((unsigned long long)PrA + PrB + 1) >> 1); }
PR_D int __hadd(int PrA, int PrB) { return (int)(((long long)PrA + PrB) >> 1); }
PR_D unsigned int __funnelshift_l(unsigned int Lo, unsigned int Hi, unsigned int PrS) {
  return (unsigned int)(((((unsigned long long)Hi << 32) | Lo) << (PrS & 31)) >> 32);
}
PR_D unsigned int __funnelshift_r(unsigned int Lo, unsigned int Hi, unsigned int PrS) {
  return (unsigned int)((((unsigned long long)Hi << 32) | Lo) >> (PrS & 31));
}
PR_D unsigned int __funnelshift_lc(unsigned int Lo, unsigned int Hi, unsigned int PrS) {
  return PrS >= 32 ? Lo : __funnelshift_l(Lo, Hi, PrS);
}
PR_D unsigned int __funnelshift_rc(unsigned int Lo, unsigned int Hi, unsigned int PrS) {
  return PrS >= 32 ? Hi : __funnelshift_r(Lo, Hi, PrS);
}
PR_D unsigned int __byte_perm(unsigned int PrA, unsigned int PrB, unsigned int PrS) {
  unsigned long long Both = ((unsigned long long)PrB << 32) | PrA;
  unsigned int Result = 0;
  for (int PrI = 0; PrI < 4; ++PrI) {
    unsigned int Select = (PrS >> (4 * PrI)) & 0xf;
    unsigned int Byte = (unsigned int)(Both >> (8 * (Select & 7))) & 0xff;
    if (Select & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (8 * PrI);
  }
  return Result;
}
