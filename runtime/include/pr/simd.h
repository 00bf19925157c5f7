// Integer instructions on the two or four parts of a 32-bit word: sums, differences, extremes, comparisons, dot products.
#pragma once

#include "pr/attributes.h"
#include "pr/vector_types.h"

// Part number PrI of a word that holds parts of `Bits` bits, as a signed or unsigned number.
template <int Bits, bool Signed> PR_D int pr_part(unsigned int Word, int PrI) {
  unsigned int PrP = (Word >> (Bits * PrI)) & ((1u << Bits) - 1);
  return Signed ? (int)(PrP << (32 - Bits)) >> (32 - Bits) : (int)PrP;
}
template <int Bits, bool Signed, typename OpT> PR_D unsigned int pr_by_part(unsigned int PrA, unsigned int PrB, OpT Op) {
  unsigned int Result = 0;
  for (int PrI = 0; PrI < 32 / Bits; ++PrI)
    Result |= ((unsigned int)Op(pr_part<Bits, Signed>(PrA, PrI), pr_part<Bits, Signed>(PrB, PrI)) & ((1u << Bits) - 1))
              << (Bits * PrI);
  return Result;
}
#define PR_BY_PART(NAME, BITS, SIGNED, EXPRESSION) \
  PR_D unsigned int NAME(unsigned int PrA, unsigned int PrB) { \
    return pr_by_part<BITS, SIGNED>(PrA, PrB, [](int PrX, int PrY) -> int { return EXPRESSION; }); \
  }
#define PR_BY_PARTS(NAME, SIGNED, EXPRESSION) \
  PR_BY_PART(NAME##2, 16, SIGNED, EXPRESSION) \
  PR_BY_PART(NAME##4, 8, SIGNED, EXPRESSION)
PR_BY_PARTS(__vadd, false, PrX + PrY)
PR_BY_PARTS(__vsub, false, PrX - PrY)
PR_BY_PARTS(__vmaxs, true, PrX > PrY ? PrX : PrY)
PR_BY_PARTS(__vmaxu, false, PrX > PrY ? PrX : PrY)
PR_BY_PARTS(__vmins, true, PrX < PrY ? PrX : PrY)
PR_BY_PARTS(__vminu, false, PrX < PrY ? PrX : PrY)
PR_BY_PARTS(__vabsdiffs, true, PrX > PrY ? PrX - PrY : PrY - PrX)
PR_BY_PARTS(__vabsdiffu, false, PrX > PrY ? PrX - PrY : PrY - PrX)
PR_BY_PARTS(__vavgu, false, (PrX + PrY + 1) / 2)
PR_BY_PARTS(__vhaddu, false, (PrX + PrY) / 2)
// A comparison sets all bits of a part (vcmp) or its lowest (vset).
#define PR_COMPARE(NAME, SIGNED, OPERATOR) \
  PR_BY_PARTS(__vcmp##NAME, SIGNED, PrX OPERATOR PrY ? -1 : 0) \
  PR_BY_PARTS(__vset##NAME, SIGNED, PrX OPERATOR PrY ? 1 : 0)
PR_COMPARE(eq, false, ==)
PR_COMPARE(ne, false, !=)
PR_COMPARE(gts, true, >)
PR_COMPARE(ges, true, >=)
PR_COMPARE(lts, true, <)
PR_COMPARE(les, true, <=)
PR_COMPARE(gtu, false, >)
PR_COMPARE(geu, false, >=)
PR_COMPARE(ltu, false, <)
PR_COMPARE(leu, false, <=)
#undef PR_COMPARE
// Saturating sums and differences.
template <int Low, int High> PR_D int pr_clamp(int PrX) { return PrX < Low ? Low : PrX > High ? High : PrX; }
PR_BY_PART(__vaddss4, 8, true, (pr_clamp<-128, 127>(PrX + PrY)))
PR_BY_PART(__vsubss4, 8, true, (pr_clamp<-128, 127>(PrX - PrY)))
PR_BY_PART(__vaddus4, 8, false, (pr_clamp<0, 255>(PrX + PrY)))
PR_BY_PART(__vsubus4, 8, false, (pr_clamp<0, 255>(PrX - PrY)))
PR_BY_PART(__vaddss2, 16, true, (pr_clamp<-32768, 32767>(PrX + PrY)))
PR_BY_PART(__vsubss2, 16, true, (pr_clamp<-32768, 32767>(PrX - PrY)))
PR_BY_PART(__vaddus2, 16, false, (pr_clamp<0, 65535>(PrX + PrY)))
PR_BY_PART(__vsubus2, 16, false, (pr_clamp<0, 65535>(PrX - PrY)))
#undef PR_BY_PARTS
#undef PR_BY_PART
PR_D unsigned int __vneg2(unsigned int PrA) { return __vsub2(0, PrA); }
PR_D unsigned int __vneg4(unsigned int PrA) { return __vsub4(0, PrA); }
PR_D unsigned int __vabs2(unsigned int PrA) { return __vmaxs2(PrA, __vneg2(PrA)); }
PR_D unsigned int __vabs4(unsigned int PrA) { return __vmaxs4(PrA, __vneg4(PrA)); }
PR_D unsigned int __vsadu4(unsigned int PrA, unsigned int PrB) {
  unsigned int PrD = __vabsdiffu4(PrA, PrB);
  return (PrD & 0xff) + ((PrD >> 8) & 0xff) + ((PrD >> 16) & 0xff) + (PrD >> 24);
}

// Dot products: four bytes by four, or two halves by the low or high two bytes.
template <bool Signed> PR_D int pr_dp4a(unsigned int PrA, unsigned int PrB, int PrC) {
  for (int PrI = 0; PrI < 4; ++PrI)
    PrC += pr_part<8, Signed>(PrA, PrI) * pr_part<8, Signed>(PrB, PrI);
  return PrC;
}
template <bool Signed> PR_D int pr_dp2a(unsigned int PrA, unsigned int PrB, int PrC, int First) {
  for (int PrI = 0; PrI < 2; ++PrI)
    PrC += pr_part<16, Signed>(PrA, PrI) * pr_part<8, Signed>(PrB, First + PrI);
  return PrC;
}
PR_D int __dp4a(int PrA, int PrB, int PrC) { return pr_dp4a<true>((unsigned int)PrA, (unsigned int)PrB, PrC); }
PR_D unsigned int __dp4a(unsigned int PrA, unsigned int PrB, unsigned int PrC) {
  return (unsigned int)pr_dp4a<false>(PrA, PrB, (int)PrC);
}
PR_D int __dp4a(char4 PrA, char4 PrB, int PrC) {
  return PrC + PrA.x * PrB.x + PrA.y * PrB.y + PrA.z * PrB.z + PrA.w * PrB.w;
}
PR_D unsigned int __dp4a(uchar4 PrA, uchar4 PrB, unsigned int PrC) {
  return PrC + (unsigned int)(PrA.x * PrB.x + PrA.y * PrB.y + PrA.z * PrB.z + PrA.w * PrB.w);
}
PR_D int __dp2a_lo(int PrA, int PrB, int PrC) { return pr_dp2a<true>((unsigned int)PrA, (unsigned int)PrB, PrC, 0); }
PR_D int __dp2a_hi(int PrA, int PrB, int PrC) { return pr_dp2a<true>((unsigned int)PrA, (unsigned int)PrB, PrC, 2); }
PR_D unsigned int __dp2a_lo(unsigned int PrA, unsigned int PrB, unsigned int PrC) {
  return (unsigned int)pr_dp2a<false>(PrA, PrB, (int)PrC, 0);
}
PR_D unsigned int __dp2a_hi(unsigned int PrA, unsigned int PrB, unsigned int PrC) {
  return (unsigned int)pr_dp2a<false>(PrA, PrB, (int)PrC, 2);
}
