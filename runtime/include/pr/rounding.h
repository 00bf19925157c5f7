// Arithmetic and conversions with a rounding of their own. Each is computed in the next wider type and then stepped to
// the neighbour that the rounding asks for. Where the wider result is itself rounded (a float sum of very unequal parts,
// every double operation) the last bit may be that of round-to-nearest; it is the same in both programs of a proof.
#pragma once

#include "pr/math_device.h"

// Mode: 0 towards zero, 1 down, 2 up.
template <typename PrT> PR_D PrT pr_directed(double Exact, PrT Nearest, PrT Below, PrT Above, int Mode) {
  bool Down = Mode == 1 || (Mode == 0 && Exact > 0);
  if (Down && (double)Nearest > Exact)
    return Below;
  if (!Down && (double)Nearest < Exact)
    return Above;
  return Nearest;
}
PR_D float pr_to_float(double Exact, int Mode) {
  float PrN = (float)Exact;
  return pr_directed(Exact, PrN, __builtin_nextafterf(PrN, -__builtin_inff()), __builtin_nextafterf(PrN, __builtin_inff()),
                     Mode);
}

#define PR_DIRECTED(SUFFIX, MODE) \
  PR_D float __fadd_##SUFFIX(float PrA, float PrB) { return pr_to_float((double)PrA + PrB, MODE); } \
  PR_D float __fsub_##SUFFIX(float PrA, float PrB) { return pr_to_float((double)PrA - PrB, MODE); } \
  PR_D float __fmul_##SUFFIX(float PrA, float PrB) { return pr_to_float((double)PrA * PrB, MODE); } \
  PR_D float __fdiv_##SUFFIX(float PrA, float PrB) { return pr_to_float((double)PrA / PrB, MODE); } \
  PR_D float __frcp_##SUFFIX(float PrA) { return pr_to_float(1.0 / PrA, MODE); } \
  PR_D float __fsqrt_##SUFFIX(float PrA) { return pr_to_float(__builtin_sqrt((double)PrA), MODE); } \
  PR_D float __fmaf_##SUFFIX(float PrA, float PrB, float PrC) { return pr_to_float((double)PrA * PrB + PrC, MODE); } \
  PR_D float __double2float_##SUFFIX(double PrA) { return pr_to_float(PrA, MODE); } \
  PR_D float __int2float_##SUFFIX(int PrA) { return pr_to_float((double)PrA, MODE); } \
  PR_D float __uint2float_##SUFFIX(unsigned int PrA) { return pr_to_float((double)PrA, MODE); } \
  PR_D float __ll2float_##SUFFIX(long long PrA) { return pr_to_float((double)PrA, MODE); } \
  PR_D float __ull2float_##SUFFIX(unsigned long long PrA) { return pr_to_float((double)PrA, MODE); }
PR_DIRECTED(rz, 0)
PR_DIRECTED(rd, 1)
PR_DIRECTED(ru, 2)
#undef PR_DIRECTED
PR_D float __ll2float_rn(long long PrA) { return (float)PrA; }
PR_D float __ull2float_rn(unsigned long long PrA) { return (float)PrA; }
PR_D double __ll2double_rn(long long PrA) { return (double)PrA; }
PR_D double __ull2double_rn(unsigned long long PrA) { return (double)PrA; }
PR_D double __uint2double_rn(unsigned int PrA) { return (double)PrA; }

// To integers: values outside go to the nearest end and NaN to zero, as the device's conversions do.
#define PR_TO_INTEGER(NAME, FROM, TO, LOW, HIGH, ROUND) \
  PR_D TO NAME(FROM PrA) { \
    FROM PrR = ROUND(PrA); \
    return PrR != PrR ? (TO)0 : PrR <= (FROM)LOW ? (TO)LOW : PrR >= (FROM)HIGH ? (TO)HIGH : (TO)PrR; \
  }
#define PR_TO_INTEGERS(SUFFIX, ROUNDF, ROUND) \
  PR_TO_INTEGER(__float2int_##SUFFIX, float, int, (-2147483647 - 1), 2147483647, ROUNDF) \
  PR_TO_INTEGER(__float2uint_##SUFFIX, float, unsigned int, 0, 4294967295u, ROUNDF) \
  PR_TO_INTEGER(__float2ll_##SUFFIX, float, long long, (-9223372036854775807ll - 1), 9223372036854775807ll, ROUNDF) \
  PR_TO_INTEGER(__float2ull_##SUFFIX, float, unsigned long long, 0, 18446744073709551615ull, ROUNDF) \
  PR_TO_INTEGER(__double2int_##SUFFIX, double, int, (-2147483647 - 1), 2147483647, ROUND) \
  PR_TO_INTEGER(__double2uint_##SUFFIX, double, unsigned int, 0, 4294967295u, ROUND) \
  PR_TO_INTEGER(__double2ll_##SUFFIX, double, long long, (-9223372036854775807ll - 1), 9223372036854775807ll, ROUND) \
  PR_TO_INTEGER(__double2ull_##SUFFIX, double, unsigned long long, 0, 18446744073709551615ull, ROUND)
PR_TO_INTEGERS(rn, __builtin_rintf, __builtin_rint)
PR_TO_INTEGERS(rz, __builtin_truncf, __builtin_trunc)
PR_TO_INTEGERS(rd, __builtin_floorf, __builtin_floor)
PR_TO_INTEGERS(ru, __builtin_ceilf, __builtin_ceil)
#undef PR_TO_INTEGERS
#undef PR_TO_INTEGER
