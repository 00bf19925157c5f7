// Running totals over a group, in the order of its ranks.
#pragma once

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <typename GroupT, typename PrT, typename OpT> PR_D PrT inclusive_scan(const GroupT &Group, PrT Value, OpT Op) {
  PrT Total = Group.shfl(Value, 0);
  for (unsigned int PrI = 1; PrI < Group.size(); ++PrI) {
    PrT Next = Group.shfl(Value, (int)PrI);
    if (PrI <= Group.thread_rank())
      Total = Op(Total, Next);
  }
  return Total;
}
template <typename GroupT, typename PrT> PR_D PrT inclusive_scan(const GroupT &Group, PrT Value) {
  return inclusive_scan(Group, Value, plus<PrT>());
}
// The first thread gets a value-initialised total.
template <typename GroupT, typename PrT, typename OpT> PR_D PrT exclusive_scan(const GroupT &Group, PrT Value, OpT Op) {
  PrT Before = Group.shfl_up(inclusive_scan(Group, Value, Op), 1);
  return Group.thread_rank() == 0 ? PrT() : Before;
}
template <typename GroupT, typename PrT> PR_D PrT exclusive_scan(const GroupT &Group, PrT Value) {
  return exclusive_scan(Group, Value, plus<PrT>());
}

} // namespace cooperative_groups
