// Reductions over a tile of a warp by exchanging halves, the order that every lane agrees on.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <typename T> struct plus {
  PR_HD_METHOD T operator()(T A, T B) const { return A + B; }
};
template <typename T> struct greater {
  PR_HD_METHOD T operator()(T A, T B) const { return A < B ? B : A; }
};
template <typename T> struct less {
  PR_HD_METHOD T operator()(T A, T B) const { return B < A ? B : A; }
};
template <typename GroupT, typename T, typename OpT> PR_D T reduce(const GroupT &Group, T Value, OpT Op) {
  for (int Step = (int)Group.size() / 2; Step > 0; Step /= 2)
    Value = Op(Value, Group.shfl_xor(Value, Step));
  return Value;
}

} // namespace cooperative_groups
