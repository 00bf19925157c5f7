// Reductions over a tile of a warp by exchanging halves, the order that every lane agrees on.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <typename PrT> struct plus {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrA + PrB; }
};
template <typename PrT> struct greater {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrA < PrB ? PrB : PrA; }
};
template <typename PrT> struct less {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrB < PrA ? PrB : PrA; }
};
template <typename PrT> struct bit_and {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrA & PrB; }
};
template <typename PrT> struct bit_or {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrA | PrB; }
};
template <typename PrT> struct bit_xor {
  PR_HD_METHOD PrT operator()(PrT PrA, PrT PrB) const { return PrA ^ PrB; }
};
// Groups of any number of threads: in the order of their ranks.
template <typename PrT, typename OpT> PR_D PrT reduce(const coalesced_group &Group, PrT Value, OpT Op) {
  PrT Total = Group.shfl(Value, 0);
  for (unsigned int PrI = 1; PrI < Group.size(); ++PrI)
    Total = Op(Total, Group.shfl(Value, PrI));
  return Total;
}
template <typename GroupT, typename PrT, typename OpT> PR_D PrT reduce(const GroupT &Group, PrT Value, OpT Op) {
  for (int Step = (int)Group.size() / 2; Step > 0; Step /= 2)
    Value = Op(Value, Group.shfl_xor(Value, Step));
  return Value;
}

} // namespace cooperative_groups
