// The C math library as device functions: each is the compiler's builtin, which the CPU machine resolves
// to the host's libm. Declared before <cmath>, so that std:: sees them as well.
#pragma once

#include "pr/attributes.h"

#define PR_MATH1(NAME) \
  PR_D double NAME(double PrX) { return __builtin_##NAME(PrX); } \
  PR_D float NAME##f(float PrX) { return __builtin_##NAME##f(PrX); }
#define PR_MATH2(NAME) \
  PR_D double NAME(double PrX, double PrY) { return __builtin_##NAME(PrX, PrY); } \
  PR_D float NAME##f(float PrX, float PrY) { return __builtin_##NAME##f(PrX, PrY); }
#define PR_MATH3(NAME) \
  PR_D double NAME(double PrX, double PrY, double PrZ) { return __builtin_##NAME(PrX, PrY, PrZ); } \
  PR_D float NAME##f(float PrX, float PrY, float PrZ) { return __builtin_##NAME##f(PrX, PrY, PrZ); }

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

PR_D double ldexp(double PrX, int PrE) { return __builtin_ldexp(PrX, PrE); }
PR_D float ldexpf(float PrX, int PrE) { return __builtin_ldexpf(PrX, PrE); }
PR_D double scalbn(double PrX, int PrE) { return __builtin_scalbn(PrX, PrE); }
PR_D float scalbnf(float PrX, int PrE) { return __builtin_scalbnf(PrX, PrE); }
PR_D double frexp(double PrX, int *PrE) { return __builtin_frexp(PrX, PrE); }
PR_D float frexpf(float PrX, int *PrE) { return __builtin_frexpf(PrX, PrE); }
PR_D double modf(double PrX, double *PrI) { return __builtin_modf(PrX, PrI); }
PR_D float modff(float PrX, float *PrI) { return __builtin_modff(PrX, PrI); }
PR_D long lround(double PrX) { return __builtin_lround(PrX); }
PR_D long lroundf(float PrX) { return __builtin_lroundf(PrX); }
PR_D long long llround(double PrX) { return __builtin_llround(PrX); }
PR_D long long llroundf(float PrX) { return __builtin_llroundf(PrX); }
PR_D long lrint(double PrX) { return __builtin_lrint(PrX); }
PR_D long lrintf(float PrX) { return __builtin_lrintf(PrX); }
PR_D int ilogb(double PrX) { return __builtin_ilogb(PrX); }
PR_D int ilogbf(float PrX) { return __builtin_ilogbf(PrX); }
PR_D int abs(int PrX) { return PrX < 0 ? -PrX : PrX; }
PR_D long labs(long PrX) { return PrX < 0 ? -PrX : PrX; }
PR_D long long llabs(long long PrX) { return PrX < 0 ? -PrX : PrX; }
