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
    for (size_t I = Group.thread_rank(); I < Bytes; I += Group.size())
      ((char *)To)[I] = ((const char *)From)[I];
    return;
  }
  for (size_t I = Group.thread_rank() * Width; I < Bytes; I += Group.size() * Width)
    __pipeline_memcpy_async((char *)To + I, (const char *)From + I, Width);
}
template <typename GroupT, typename T>
PR_D void memcpy_async(const GroupT &Group, T *To, const T *From, size_t Bytes) {
  pr_group_copy(Group, To, From, Bytes);
  pr_cp_async_commit(pr_site());
}
template <typename GroupT, typename T>
PR_D void memcpy_async(const GroupT &Group, T *To, size_t ToCount, const T *From, size_t FromCount) {
  pr_group_copy(Group, To, From, (ToCount < FromCount ? ToCount : FromCount) * sizeof(T));
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
