// A group copies together: each thread takes every size()-th chunk of the widest width that fits.
#pragma once

#include "cooperative_groups.h"
#include "pr/pipeline.h"

namespace cooperative_groups {

template <typename GroupT>
PR_D void pr_group_copy(const GroupT &Group, void *To, const void *From, size_t Bytes) {
  size_t Both = (size_t)To | (size_t)From | Bytes;
  size_t Width = Both % 16 == 0 ? 16 : Both % 8 == 0 ? 8 : 4;
  if (Both % 4 != 0) {
    for (size_t PrI = Group.thread_rank(); PrI < Bytes; PrI += Group.size())
      ((char *)To)[PrI] = ((const char *)From)[PrI];
    return;
  }
  for (size_t PrI = Group.thread_rank() * Width; PrI < Bytes; PrI += Group.size() * Width)
    __pipeline_memcpy_async((char *)To + PrI, (const char *)From + PrI, Width);
}
template <typename GroupT, typename PrT>
PR_D void memcpy_async(const GroupT &Group, PrT *To, const PrT *From, size_t Bytes) {
  pr_group_copy(Group, To, From, Bytes);
  pr_cp_async_commit(pr_site());
}
template <typename GroupT, typename PrT>
PR_D void memcpy_async(const GroupT &Group, PrT *To, size_t ToCount, const PrT *From, size_t FromCount) {
  pr_group_copy(Group, To, From, (ToCount < FromCount ? ToCount : FromCount) * sizeof(PrT));
  pr_cp_async_commit(pr_site());
}
template <typename GroupT> PR_D void wait(const GroupT &Group) {
  pr_cp_async_wait(0, pr_site());
  Group.sync();
}
template <unsigned int Pending, typename GroupT> PR_D void wait_prior(const GroupT &Group) {
  pr_cp_async_wait(Pending, pr_site());
  Group.sync();
}

} // namespace cooperative_groups
