// Cooperative groups: the block, tiles of a warp, and the group of active threads.
#pragma once

#include "pr_device_prelude.h"

namespace cooperative_groups {

class thread_block {
public:
  static PR_METHOD void sync() { __syncthreads(); }
  static PR_METHOD unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static PR_METHOD unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static PR_METHOD unsigned int num_threads() { return size(); }
  static PR_METHOD dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static PR_METHOD dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static PR_METHOD dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static PR_METHOD dim3 dim_threads() { return group_dim(); }
};
PR_D thread_block this_thread_block() { return thread_block(); }

// Some threads of one warp, numbered in the order of their lanes.
class coalesced_group {
protected:
  unsigned int Mask;

public:
  PR_METHOD explicit coalesced_group(unsigned int PrM) : Mask(PrM) {}
  PR_METHOD unsigned int pr_mask() const { return Mask; }
  PR_METHOD void sync() const { __syncwarp(Mask); }
  PR_METHOD unsigned int size() const { return __popc(Mask); }
  PR_METHOD unsigned int num_threads() const { return size(); }
  PR_METHOD unsigned int thread_rank() const { return __popc(Mask & ((1u << pr_lane()) - 1)); }
  PR_METHOD int any(int PrP) const { return __any_sync(Mask, PrP); }
  PR_METHOD int all(int PrP) const { return __all_sync(Mask, PrP); }
  PR_METHOD unsigned int ballot(int PrP) const {
    unsigned int Lanes = __ballot_sync(Mask, PrP), Ranks = 0;
    for (unsigned int PrI = 0; PrI < size(); ++PrI)
      Ranks |= ((Lanes >> lane(PrI)) & 1) << PrI;
    return Ranks;
  }
  template <typename PrT> PR_METHOD PrT shfl(PrT Value, unsigned int From) const {
    return __shfl_sync(Mask, Value, (int)lane(From % size()));
  }
  template <typename PrT> PR_METHOD PrT shfl_up(PrT Value, unsigned int PrD) const {
    unsigned int Rank = thread_rank();
    return shfl(Value, Rank >= PrD ? Rank - PrD : Rank);
  }
  template <typename PrT> PR_METHOD PrT shfl_down(PrT Value, unsigned int PrD) const {
    unsigned int Rank = thread_rank();
    return shfl(Value, Rank + PrD < size() ? Rank + PrD : Rank);
  }

private:
  // The lane of the thread with this rank.
  PR_METHOD unsigned int lane(unsigned int Rank) const {
    unsigned int Rest = Mask;
    for (unsigned int PrI = 0; PrI < Rank; ++PrI)
      Rest &= Rest - 1;
    return (unsigned int)__ffs((int)Rest) - 1;
  }
};
PR_D coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
// The threads of a group whose label is the same.
template <typename GroupT> PR_D coalesced_group labeled_partition(const GroupT &Group, int Label) {
  return coalesced_group(__match_any_sync(Group.pr_mask(), (unsigned int)Label));
}
template <typename GroupT> PR_D coalesced_group binary_partition(const GroupT &Group, bool Side) {
  return labeled_partition(Group, Side);
}

// How many threads the group that a tile was cut from has.
template <typename ParentT> struct pr_parent {
  static PR_METHOD unsigned int size() { return thread_block::size(); }
  static PR_METHOD unsigned int rank() { return thread_block::thread_rank(); }
};
template <unsigned int Size, typename ParentT = void> class thread_block_tile {
  static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0, "a tile is a power of two of at most a warp");
  static PR_METHOD unsigned int mask() {
    unsigned int All = Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1;
    return All << (pr_lane() & ~(Size - 1));
  }

public:
  thread_block_tile() = default;
  // Where a function takes a tile of any parent.
  template <typename OtherT> PR_METHOD thread_block_tile(const thread_block_tile<Size, OtherT> &) {}
  static PR_METHOD void sync() { __syncwarp(mask()); }
  static PR_METHOD constexpr unsigned int size() { return Size; }
  static PR_METHOD constexpr unsigned int num_threads() { return Size; }
  static PR_METHOD unsigned int thread_rank() { return pr_lane() & (Size - 1); }
  static PR_METHOD unsigned int meta_group_rank() { return pr_parent<ParentT>::rank() / Size; }
  static PR_METHOD unsigned int meta_group_size() { return (pr_parent<ParentT>::size() + Size - 1) / Size; }
  static PR_METHOD unsigned int pr_mask() { return mask(); }
  template <typename PrT> PR_METHOD PrT shfl(PrT PrV, int From) const { return __shfl_sync(mask(), PrV, From, Size); }
  template <typename PrT> PR_METHOD PrT shfl_up(PrT PrV, unsigned int PrD) const { return __shfl_up_sync(mask(), PrV, PrD, Size); }
  template <typename PrT> PR_METHOD PrT shfl_down(PrT PrV, unsigned int PrD) const {
    return __shfl_down_sync(mask(), PrV, PrD, Size);
  }
  template <typename PrT> PR_METHOD PrT shfl_xor(PrT PrV, int PrM) const { return __shfl_xor_sync(mask(), PrV, PrM, Size); }
  PR_METHOD int any(int PrP) const { return __any_sync(mask(), PrP); }
  PR_METHOD int all(int PrP) const { return __all_sync(mask(), PrP); }
  PR_METHOD unsigned int ballot(int PrP) const { return __ballot_sync(mask(), PrP) >> (pr_lane() & ~(Size - 1)); }
};
template <unsigned int Size, typename ParentT>
PR_D thread_block_tile<Size, ParentT> tiled_partition(const ParentT &) {
  return thread_block_tile<Size, ParentT>();
}

template <unsigned int Size, typename ParentT> struct pr_parent<thread_block_tile<Size, ParentT>> {
  static PR_METHOD unsigned int size() { return Size; }
  static PR_METHOD unsigned int rank() { return thread_block_tile<Size, ParentT>::thread_rank(); }
};
// A tile whose size is known when the kernel runs only.
template <typename ParentT> PR_D coalesced_group tiled_partition(const ParentT &Parent, unsigned int Size) {
  unsigned int First = pr_lane() - Parent.thread_rank() % Size;
  return coalesced_group((Size == 32 ? 0xffffffffu : (1u << Size) - 1) << First);
}

// A whole grid cannot wait for itself on this machine; the machine says so when it is tried.
class grid_group {
public:
  static PR_METHOD void sync() { pr_unsupported("a barrier over the whole grid", pr_site()); }
  static PR_METHOD unsigned long long thread_rank() {
    unsigned long long Block = (blockIdx.z * gridDim.y + blockIdx.y) * (unsigned long long)gridDim.x + blockIdx.x;
    return Block * thread_block::size() + thread_block::thread_rank();
  }
  static PR_METHOD unsigned long long size() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
  }
  static PR_METHOD bool is_valid() { return true; }
};
PR_D grid_group this_grid() { return grid_group(); }

template <typename GroupT> PR_D void sync(const GroupT &Group) { Group.sync(); }
template <typename GroupT> PR_D unsigned int thread_rank(const GroupT &Group) { return Group.thread_rank(); }
template <typename GroupT> PR_D unsigned int group_size(const GroupT &Group) { return Group.size(); }

} // namespace cooperative_groups
