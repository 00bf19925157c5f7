// CUDA's additions to the C math library: reciprocal roots, decimal powers, global min and max, and the
// intrinsics of the CUDA Math API with a fixed rounding. Functions that are approximate on a GPU are exact
// here; a proof compares two programs that both use the same function.
#pragma once

#include "pr/math_device.h"

PR_HD float rsqrtf(float X) { return 1.0f / __builtin_sqrtf(X); }
PR_HD double rsqrt(double X) { return 1.0 / __builtin_sqrt(X); }
PR_HD float rsqrt(float X) { return rsqrtf(X); }
PR_HD float rcbrtf(float X) { return 1.0f / __builtin_cbrtf(X); }
PR_HD float norm3df(float X, float Y, float Z) { return __builtin_sqrtf(X * X + Y * Y + Z * Z); }
PR_HD double norm3d(double X, double Y, double Z) { return __builtin_sqrt(X * X + Y * Y + Z * Z); }
PR_HD float rnorm3df(float X, float Y, float Z) { return 1.0f / norm3df(X, Y, Z); }
PR_HD double rnorm3d(double X, double Y, double Z) { return 1.0 / norm3d(X, Y, Z); }
PR_HD float normcdff(float X) { return 0.5f * __builtin_erfcf(-X * 0.70710678118654752f); }
PR_HD double normcdf(double X) { return 0.5 * __builtin_erfc(-X * 0.70710678118654752); }
PR_HD float sinpif(float X) { return __builtin_sinf(X * 3.14159265358979323846f); }
PR_HD float cospif(float X) { return __builtin_cosf(X * 3.14159265358979323846f); }
PR_D float exp10f(float X) { return __builtin_powf(10.0f, X); }
PR_D double exp10(double X) { return __builtin_pow(10.0, X); }
PR_D void sincosf(float X, float *S, float *C) {
  *S = __builtin_sinf(X);
  *C = __builtin_cosf(X);
}
PR_D void sincos(double X, double *S, double *C) {
  *S = __builtin_sin(X);
  *C = __builtin_cos(X);
}

#define PR_MIN_MAX(TYPE) \
  PR_HD TYPE min(TYPE A, TYPE B) { return B < A ? B : A; } \
  PR_HD TYPE max(TYPE A, TYPE B) { return A < B ? B : A; }
PR_MIN_MAX(int)
PR_MIN_MAX(unsigned int)
PR_MIN_MAX(long)
PR_MIN_MAX(unsigned long)
PR_MIN_MAX(long long)
PR_MIN_MAX(unsigned long long)
#undef PR_MIN_MAX
PR_HD unsigned int min(int A, unsigned int B) { return min((unsigned int)A, B); }
PR_HD unsigned int min(unsigned int A, int B) { return min(A, (unsigned int)B); }
PR_HD unsigned int max(int A, unsigned int B) { return max((unsigned int)A, B); }
PR_HD unsigned int max(unsigned int A, int B) { return max(A, (unsigned int)B); }
PR_HD float min(float A, float B) { return __builtin_fminf(A, B); }
PR_HD float max(float A, float B) { return __builtin_fmaxf(A, B); }
PR_HD double min(double A, double B) { return __builtin_fmin(A, B); }
PR_HD double max(double A, double B) { return __builtin_fmax(A, B); }
PR_HD double min(float A, double B) { return __builtin_fmin(A, B); }
PR_HD double min(double A, float B) { return __builtin_fmin(A, B); }
PR_HD double max(float A, double B) { return __builtin_fmax(A, B); }
PR_HD double max(double A, float B) { return __builtin_fmax(A, B); }

// Intrinsics with one name for each rounding; only round-to-nearest is exact here, so only it exists.
PR_D float __fmaf_rn(float A, float B, float C) { return __builtin_fmaf(A, B, C); }
PR_D double __fma_rn(double A, double B, double C) { return __builtin_fma(A, B, C); }
PR_D float __fadd_rn(float A, float B) { return A + B; }
PR_D float __fsub_rn(float A, float B) { return A - B; }
PR_D float __fmul_rn(float A, float B) { return A * B; }
PR_D float __fdiv_rn(float A, float B) { return A / B; }
PR_D float __frcp_rn(float A) { return 1.0f / A; }
PR_D float __fsqrt_rn(float A) { return __builtin_sqrtf(A); }
PR_D float __frsqrt_rn(float A) { return 1.0f / __builtin_sqrtf(A); }
PR_D double __dadd_rn(double A, double B) { return A + B; }
PR_D double __dsub_rn(double A, double B) { return A - B; }
PR_D double __dmul_rn(double A, double B) { return A * B; }
PR_D double __ddiv_rn(double A, double B) { return A / B; }
PR_D double __drcp_rn(double A) { return 1.0 / A; }
PR_D double __dsqrt_rn(double A) { return __builtin_sqrt(A); }
PR_D float __fdividef(float A, float B) { return A / B; }
PR_D float __expf(float X) { return __builtin_expf(X); }
PR_D float __exp10f(float X) { return __builtin_powf(10.0f, X); }
PR_D float __logf(float X) { return __builtin_logf(X); }
PR_D float __log2f(float X) { return __builtin_log2f(X); }
PR_D float __log10f(float X) { return __builtin_log10f(X); }
PR_D float __sinf(float X) { return __builtin_sinf(X); }
PR_D float __cosf(float X) { return __builtin_cosf(X); }
PR_D float __tanf(float X) { return __builtin_tanf(X); }
PR_D float __tanhf(float X) { return __builtin_tanhf(X); }
PR_D float __powf(float X, float Y) { return __builtin_powf(X, Y); }
PR_D void __sincosf(float X, float *S, float *C) { sincosf(X, S, C); }
PR_D float __saturatef(float X) { return X >= 0.0f ? (X > 1.0f ? 1.0f : X) : 0.0f; }

PR_HD float __int_as_float(int X) { return __builtin_bit_cast(float, X); }
PR_HD int __float_as_int(float X) { return __builtin_bit_cast(int, X); }
PR_HD float __uint_as_float(unsigned int X) { return __builtin_bit_cast(float, X); }
PR_HD unsigned int __float_as_uint(float X) { return __builtin_bit_cast(unsigned int, X); }
PR_HD double __longlong_as_double(long long X) { return __builtin_bit_cast(double, X); }
PR_HD long long __double_as_longlong(double X) { return __builtin_bit_cast(long long, X); }
PR_D int __double2loint(double X) { return (int)__double_as_longlong(X); }
PR_D int __double2hiint(double X) { return (int)(__double_as_longlong(X) >> 32); }
PR_D double __hiloint2double(int Hi, int Lo) {
  return __longlong_as_double(((long long)Hi << 32) | (unsigned int)Lo);
}

PR_D int __float2int_rn(float X) { return (int)__builtin_rintf(X); }
PR_D int __float2int_rz(float X) { return (int)X; }
PR_D int __float2int_rd(float X) { return (int)__builtin_floorf(X); }
PR_D int __float2int_ru(float X) { return (int)__builtin_ceilf(X); }
PR_D unsigned int __float2uint_rn(float X) { return (unsigned int)__builtin_rintf(X); }
PR_D unsigned int __float2uint_rz(float X) { return (unsigned int)X; }
PR_D float __int2float_rn(int X) { return (float)X; }
PR_D float __uint2float_rn(unsigned int X) { return (float)X; }
PR_D int __double2int_rn(double X) { return (int)__builtin_rint(X); }
PR_D int __double2int_rz(double X) { return (int)X; }
PR_D float __double2float_rn(double X) { return (float)X; }
PR_D double __int2double_rn(int X) { return (double)X; }

PR_D int __mul24(int A, int B) { return ((A << 8) >> 8) * ((B << 8) >> 8); }
PR_D unsigned int __umul24(unsigned int A, unsigned int B) { return (A & 0xffffffu) * (B & 0xffffffu); }
PR_D int __mulhi(int A, int B) { return (int)(((long long)A * B) >> 32); }
PR_D unsigned int __umulhi(unsigned int A, unsigned int B) {
  return (unsigned int)(((unsigned long long)A * B) >> 32);
}
PR_D unsigned long long __umul64hi(unsigned long long A, unsigned long long B) {
  return (unsigned long long)(((unsigned __int128)A * B) >> 64);
}
PR_D int __popc(unsigned int X) { return __builtin_popcount(X); }
PR_D int __popcll(unsigned long long X) { return __builtin_popcountll(X); }
PR_D int __clz(int X) { return X ? __builtin_clz((unsigned int)X) : 32; }
PR_D int __clzll(long long X) { return X ? __builtin_clzll((unsigned long long)X) : 64; }
PR_D int __ffs(int X) { return __builtin_ffs(X); }
PR_D int __ffsll(long long X) { return __builtin_ffsll(X); }
PR_D unsigned int __brev(unsigned int X) { return __builtin_bitreverse32(X); }
PR_D unsigned long long __brevll(unsigned long long X) { return __builtin_bitreverse64(X); }
PR_D unsigned int __sad(int A, int B, unsigned int C) { return C + (unsigned int)(A > B ? A - B : B - A); }
PR_D unsigned int __usad(unsigned int A, unsigned int B, unsigned int C) { return C + (A > B ? A - B : B - A); }
PR_D int __hadd(int A, int B) { return (int)(((long long)A + B) >> 1); }
PR_D unsigned int __funnelshift_l(unsigned int Lo, unsigned int Hi, unsigned int S) {
  return (unsigned int)(((((unsigned long long)Hi << 32) | Lo) << (S & 31)) >> 32);
}
PR_D unsigned int __funnelshift_r(unsigned int Lo, unsigned int Hi, unsigned int S) {
  return (unsigned int)((((unsigned long long)Hi << 32) | Lo) >> (S & 31));
}
PR_D unsigned int __byte_perm(unsigned int A, unsigned int B, unsigned int S) {
  unsigned long long Both = ((unsigned long long)B << 32) | A;
  unsigned int Result = 0;
  for (int I = 0; I < 4; ++I) {
    unsigned int Select = (S >> (4 * I)) & 0xf;
    unsigned int Byte = (unsigned int)(Both >> (8 * (Select & 7))) & 0xff;
    if (Select & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= Byte << (8 * I);
  }
  return Result;
}
PR_D int __dp4a(int A, int B, int C) {
  for (int I = 0; I < 4; ++I)
    C += (int)(signed char)(A >> (8 * I)) * (int)(signed char)(B >> (8 * I));
  return C;
}
PR_D unsigned int __dp4a(unsigned int A, unsigned int B, unsigned int C) {
  for (int I = 0; I < 4; ++I)
    C += ((A >> (8 * I)) & 0xff) * ((B >> (8 * I)) & 0xff);
  return C;
}
PR_D int __dp4a(char4 A, char4 B, int C) {
  return C + A.x * B.x + A.y * B.y + A.z * B.z + A.w * B.w;
}
// Four bytes at a time, each wrapping around on its own.
PR_D unsigned int pr_by_bytes(unsigned int A, unsigned int B, bool Subtract) {
  unsigned int Result = 0;
  for (int I = 0; I < 32; I += 8) {
    unsigned int Left = A >> I, Right = B >> I;
    Result |= ((Subtract ? Left - Right : Left + Right) & 0xff) << I;
  }
  return Result;
}
PR_D unsigned int __vadd4(unsigned int A, unsigned int B) { return pr_by_bytes(A, B, false); }
PR_D unsigned int __vsub4(unsigned int A, unsigned int B) { return pr_by_bytes(A, B, true); }
