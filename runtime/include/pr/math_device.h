// The C math library as device functions: each is the compiler's builtin, which the CPU machine resolves
// to the host's libm. Declared before <cmath>, so that std:: sees them as well.
#pragma once

#include "pr/attributes.h"

#define PR_MATH1(NAME) \
  PR_D double NAME(double X) { return __builtin_##NAME(X); } \
  PR_D float NAME##f(float X) { return __builtin_##NAME##f(X); }
#define PR_MATH2(NAME) \
  PR_D double NAME(double X, double Y) { return __builtin_##NAME(X, Y); } \
  PR_D float NAME##f(float X, float Y) { return __builtin_##NAME##f(X, Y); }
#define PR_MATH3(NAME) \
  PR_D double NAME(double X, double Y, double Z) { return __builtin_##NAME(X, Y, Z); } \
  PR_D float NAME##f(float X, float Y, float Z) { return __builtin_##NAME##f(X, Y, Z); }

PR_MATH1(sin)
PR_MATH1(cos)
PR_MATH1(tan)
PR_MATH1(asin)
PR_MATH1(acos)
PR_MATH1(atan)
PR_MATH1(sinh)
PR_MATH1(cosh)
PR_MATH1(tanh)
PR_MATH1(asinh)
PR_MATH1(acosh)
PR_MATH1(atanh)
PR_MATH1(exp)
PR_MATH1(exp2)
PR_MATH1(expm1)
PR_MATH1(log)
PR_MATH1(log2)
PR_MATH1(log10)
PR_MATH1(log1p)
PR_MATH1(logb)
PR_MATH1(sqrt)
PR_MATH1(cbrt)
PR_MATH1(fabs)
PR_MATH1(floor)
PR_MATH1(ceil)
PR_MATH1(round)
PR_MATH1(trunc)
PR_MATH1(rint)
PR_MATH1(nearbyint)
PR_MATH1(erf)
PR_MATH1(erfc)
PR_MATH1(lgamma)
PR_MATH1(tgamma)
PR_MATH2(pow)
PR_MATH2(atan2)
PR_MATH2(fmod)
PR_MATH2(remainder)
PR_MATH2(fmin)
PR_MATH2(fmax)
PR_MATH2(fdim)
PR_MATH2(hypot)
PR_MATH2(copysign)
PR_MATH2(nextafter)
PR_MATH3(fma)
#undef PR_MATH1
#undef PR_MATH2
#undef PR_MATH3

PR_D double ldexp(double X, int E) { return __builtin_ldexp(X, E); }
PR_D float ldexpf(float X, int E) { return __builtin_ldexpf(X, E); }
PR_D double scalbn(double X, int E) { return __builtin_scalbn(X, E); }
PR_D float scalbnf(float X, int E) { return __builtin_scalbnf(X, E); }
PR_D double frexp(double X, int *E) { return __builtin_frexp(X, E); }
PR_D float frexpf(float X, int *E) { return __builtin_frexpf(X, E); }
PR_D double modf(double X, double *I) { return __builtin_modf(X, I); }
PR_D float modff(float X, float *I) { return __builtin_modff(X, I); }
PR_D long lround(double X) { return __builtin_lround(X); }
PR_D long lroundf(float X) { return __builtin_lroundf(X); }
PR_D long long llround(double X) { return __builtin_llround(X); }
PR_D long long llroundf(float X) { return __builtin_llroundf(X); }
PR_D long lrint(double X) { return __builtin_lrint(X); }
PR_D long lrintf(float X) { return __builtin_lrintf(X); }
PR_D int ilogb(double X) { return __builtin_ilogb(X); }
PR_D int ilogbf(float X) { return __builtin_ilogbf(X); }
PR_D int abs(int X) { return X < 0 ? -X : X; }
PR_D long labs(long X) { return X < 0 ? -X : X; }
PR_D long long llabs(long long X) { return X < 0 ? -X : X; }
