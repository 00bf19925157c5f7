// What both 16-bit floating types have besides plain arithmetic: comparisons that are true for NaN, comparisons of pairs,
// saturation, and the rarer conversions. Included by each type's header, which instantiates the macro.
#pragma once

#define PR_HALF_COMPARE(H, H2, NAME, OPERATOR) \
  PR_HD bool __h##NAME##u(H PrA, H PrB) { return __hisnan(PrA) || __hisnan(PrB) || (float)PrA OPERATOR (float)PrB; } \
  PR_HD H2 __h##NAME##2(H2 PrA, H2 PrB) { return H2(H(__h##NAME(PrA.x, PrB.x) ? 1.0f : 0.0f), H(__h##NAME(PrA.y, PrB.y) ? 1.0f : 0.0f)); } \
  PR_HD H2 __h##NAME##u2(H2 PrA, H2 PrB) { return H2(H(__h##NAME##u(PrA.x, PrB.x) ? 1.0f : 0.0f), H(__h##NAME##u(PrA.y, PrB.y) ? 1.0f : 0.0f)); } \
  PR_HD bool __hb##NAME##2(H2 PrA, H2 PrB) { return __h##NAME(PrA.x, PrB.x) && __h##NAME(PrA.y, PrB.y); } \
  PR_HD bool __hb##NAME##u2(H2 PrA, H2 PrB) { return __h##NAME##u(PrA.x, PrB.x) && __h##NAME##u(PrA.y, PrB.y); } \
  PR_HD unsigned int __h##NAME##2_mask(H2 PrA, H2 PrB) { return (__h##NAME(PrA.x, PrB.x) ? 0xffffu : 0u) | (__h##NAME(PrA.y, PrB.y) ? 0xffff0000u : 0u); } \
  PR_HD unsigned int __h##NAME##u2_mask(H2 PrA, H2 PrB) { return (__h##NAME##u(PrA.x, PrB.x) ? 0xffffu : 0u) | (__h##NAME##u(PrA.y, PrB.y) ? 0xffff0000u : 0u); }

// A result between 0 and 1; NaN becomes 0.
#define PR_HALF_SATURATE(H, H2, NAME) \
  PR_HD H __h##NAME##_sat(H PrA, H PrB) { return pr_saturate(__h##NAME(PrA, PrB)); } \
  PR_HD H2 __h##NAME##2_sat(H2 PrA, H2 PrB) { return H2(__h##NAME##_sat(PrA.x, PrB.x), __h##NAME##_sat(PrA.y, PrB.y)); }

#define PR_HALF_MORE(H, H2) \
  PR_HALF_COMPARE(H, H2, eq, ==) \
  PR_HALF_COMPARE(H, H2, ne, !=) \
  PR_HALF_COMPARE(H, H2, lt, <) \
  PR_HALF_COMPARE(H, H2, le, <=) \
  PR_HALF_COMPARE(H, H2, gt, >) \
  PR_HALF_COMPARE(H, H2, ge, >=) \
  PR_HD H pr_saturate(H PrA) { return (float)PrA > 1.0f ? H(1.0f) : (float)PrA > 0.0f ? PrA : H(0.0f); } \
  PR_HALF_SATURATE(H, H2, add) \
  PR_HALF_SATURATE(H, H2, sub) \
  PR_HALF_SATURATE(H, H2, mul) \
  PR_HD H __hfma_sat(H PrA, H PrB, H PrC) { return pr_saturate(__hfma(PrA, PrB, PrC)); } \
  PR_HD H2 __hfma2_sat(H2 PrA, H2 PrB, H2 PrC) { return H2(__hfma_sat(PrA.x, PrB.x, PrC.x), __hfma_sat(PrA.y, PrB.y, PrC.y)); } \
  PR_HD H __hfma_relu(H PrA, H PrB, H PrC) { return __hmax(__hfma(PrA, PrB, PrC), H(0.0f)); } \
  PR_HD H2 __hfma2_relu(H2 PrA, H2 PrB, H2 PrC) { return H2(__hfma_relu(PrA.x, PrB.x, PrC.x), __hfma_relu(PrA.y, PrB.y, PrC.y)); } \
  PR_HD H __hmax_nan(H PrA, H PrB) { return __hisnan(PrA) ? PrA : __hisnan(PrB) ? PrB : __hmax(PrA, PrB); } \
  PR_HD H __hmin_nan(H PrA, H PrB) { return __hisnan(PrA) ? PrA : __hisnan(PrB) ? PrB : __hmin(PrA, PrB); } \
  PR_HD H2 __hmax2_nan(H2 PrA, H2 PrB) { return H2(__hmax_nan(PrA.x, PrB.x), __hmax_nan(PrA.y, PrB.y)); } \
  PR_HD H2 __hmin2_nan(H2 PrA, H2 PrB) { return H2(__hmin_nan(PrA.x, PrB.x), __hmin_nan(PrA.y, PrB.y)); } \
  PR_HD H2 __hisnan2(H2 PrA) { return H2(H(__hisnan(PrA.x) ? 1.0f : 0.0f), H(__hisnan(PrA.y) ? 1.0f : 0.0f)); } \
  PR_HD bool operator==(const H2 &PrA, const H2 &PrB) { return __hbeq2(PrA, PrB); } \
  PR_HD bool operator!=(const H2 &PrA, const H2 &PrB) { return !__hbeq2(PrA, PrB); } \
  PR_D H hexp10(H PrA) { float PrF = (float)PrA; return H(__builtin_powf(10.0f, PrF)); } \
  PR_D H2 h2exp10(H2 PrA) { return H2(hexp10(PrA.x), hexp10(PrA.y)); } \
  PR_D H hlog10(H PrA) { float PrF = (float)PrA; return H(__builtin_log10f(PrF)); } \
  PR_D H2 h2log10(H2 PrA) { return H2(hlog10(PrA.x), hlog10(PrA.y)); }
