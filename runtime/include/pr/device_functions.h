// Built-in variables, fences, atomics, warp functions and cached loads.
#pragma once

#include "pr/abi.h"
#include "pr/vector_types.h"

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
static const int warpSize = 32;

PR_D void __threadfence_block() { __asm__ volatile("membar.cta;" ::: "memory"); }
PR_D void __threadfence() { __asm__ volatile("membar.gl;" ::: "memory"); }
PR_D void __threadfence_system() { __asm__ volatile("membar.sys;" ::: "memory"); }
PR_D int __syncthreads_count(int PrP) { return pr_barrier_reduce(0, PrP, pr_site()); }
PR_D int __syncthreads_and(int PrP) { return pr_barrier_reduce(1, PrP, pr_site()); }
PR_D int __syncthreads_or(int PrP) { return pr_barrier_reduce(2, PrP, pr_site()); }
PR_D void __syncwarp(unsigned int Mask = 0xffffffffu) { pr_syncwarp(Mask, pr_site()); }
PR_D unsigned int __activemask() { return pr_activemask(); }
PR_D unsigned int __ballot_sync(unsigned int PrM, int PrP) { return pr_ballot(PrM, PrP, pr_site()); }
PR_D int __any_sync(unsigned int PrM, int PrP) { return pr_ballot(PrM, PrP, pr_site()) != 0; }
PR_D int __all_sync(unsigned int PrM, int PrP) { return pr_ballot(PrM, !PrP, pr_site()) == 0; }
PR_D unsigned int __match_any_sync(unsigned int PrM, unsigned int PrV) { return pr_match(PrM, PrV, pr_site()); }
PR_D unsigned int __match_all_sync(unsigned int PrM, unsigned int PrV, int *Same) {
  unsigned int Equal = pr_match(PrM, PrV, pr_site());
  *Same = Equal == PrM;
  return Equal == PrM ? PrM : 0;
}
PR_D void __barrier_sync(unsigned int Name) { pr_named_barrier(Name, 0, pr_site()); }
PR_D void __barrier_sync_count(unsigned int Name, unsigned int Threads) { pr_named_barrier(Name, Threads, pr_site()); }
PR_D unsigned int __lane_id() { return pr_lane(); }

// A shuffle carries the bytes of any trivially copyable value of at most eight bytes.
#define PR_SHUFFLE(NAME, KIND, INDEX) \
  template <typename PrT> PR_D PrT NAME(unsigned int Mask, PrT Value, INDEX Index, int Width = 32) { \
    static_assert(sizeof(PrT) <= 8, "a shuffle carries at most eight bytes"); \
    unsigned long Bits = 0; \
    __builtin_memcpy(&Bits, &Value, sizeof(PrT)); \
    Bits = pr_shuffle(Mask, Bits, (unsigned int)Index, Width, KIND, pr_site()); \
    __builtin_memcpy(&Value, &Bits, sizeof(PrT)); \
    return Value; \
  }
PR_SHUFFLE(__shfl_sync, 0, int)
PR_SHUFFLE(__shfl_up_sync, 1, unsigned int)
PR_SHUFFLE(__shfl_down_sync, 2, unsigned int)
PR_SHUFFLE(__shfl_xor_sync, 3, int)
#undef PR_SHUFFLE

PR_D unsigned int __reduce_add_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 0, pr_site()); }
PR_D int __reduce_add_sync(unsigned int PrM, int PrV) { return (int)pr_reduce_sync(PrM, (unsigned int)PrV, 0, pr_site()); }
PR_D unsigned int __reduce_min_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 1, pr_site()); }
PR_D unsigned int __reduce_max_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 2, pr_site()); }
PR_D int __reduce_min_sync(unsigned int PrM, int PrV) { return (int)pr_reduce_sync(PrM, (unsigned int)PrV, 3, pr_site()); }
PR_D int __reduce_max_sync(unsigned int PrM, int PrV) { return (int)pr_reduce_sync(PrM, (unsigned int)PrV, 4, pr_site()); }
PR_D unsigned int __reduce_and_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 5, pr_site()); }
PR_D unsigned int __reduce_or_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 6, pr_site()); }
PR_D unsigned int __reduce_xor_sync(unsigned int PrM, unsigned int PrV) { return pr_reduce_sync(PrM, PrV, 7, pr_site()); }

// Atomics: the compiler's own, so that the machine sees each as one access.
#define PR_ATOMIC(NAME, BUILTIN, TYPE) \
  PR_D TYPE NAME(TYPE *PrP, TYPE PrV) { return BUILTIN(PrP, PrV, __ATOMIC_RELAXED); } \
  PR_D TYPE NAME##_block(TYPE *PrP, TYPE PrV) { return BUILTIN(PrP, PrV, __ATOMIC_RELAXED); } \
  PR_D TYPE NAME##_system(TYPE *PrP, TYPE PrV) { return BUILTIN(PrP, PrV, __ATOMIC_RELAXED); }
#define PR_ATOMIC_INTEGERS(NAME, BUILTIN) \
  PR_ATOMIC(NAME, BUILTIN, int) \
  PR_ATOMIC(NAME, BUILTIN, unsigned int) \
  PR_ATOMIC(NAME, BUILTIN, long long) \
  PR_ATOMIC(NAME, BUILTIN, unsigned long long)
PR_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add)
PR_ATOMIC(atomicAdd, __atomic_fetch_add, float)
PR_ATOMIC(atomicAdd, __atomic_fetch_add, double)
PR_ATOMIC_INTEGERS(atomicSub, __atomic_fetch_sub)
PR_ATOMIC_INTEGERS(atomicMin, __atomic_fetch_min)
PR_ATOMIC_INTEGERS(atomicMax, __atomic_fetch_max)
PR_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and)
PR_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or)
PR_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor)
PR_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n)
#undef PR_ATOMIC_INTEGERS
#undef PR_ATOMIC
PR_D float atomicExch(float *PrP, float PrV) {
  unsigned int Old = __atomic_exchange_n((unsigned int *)PrP, __builtin_bit_cast(unsigned int, PrV), __ATOMIC_RELAXED);
  return __builtin_bit_cast(float, Old);
}
#define PR_ATOMIC_CAS(TYPE) \
  PR_D TYPE atomicCAS(TYPE *PrP, TYPE Compare, TYPE PrV) { \
    __atomic_compare_exchange_n(PrP, &Compare, PrV, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return Compare; \
  }
PR_ATOMIC_CAS(int)
PR_ATOMIC_CAS(unsigned int)
PR_ATOMIC_CAS(unsigned long long)
PR_ATOMIC_CAS(unsigned short)
#undef PR_ATOMIC_CAS
PR_D unsigned int atomicInc(unsigned int *PrP, unsigned int Limit) {
  unsigned int Old = __atomic_load_n(PrP, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(PrP, &Old, Old >= Limit ? 0 : Old + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return Old;
}
PR_D unsigned int atomicDec(unsigned int *PrP, unsigned int Limit) {
  unsigned int Old = __atomic_load_n(PrP, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(PrP, &Old, Old == 0 || Old > Limit ? Limit : Old - 1, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return Old;
}

// Cache hints change no value.
#define PR_LOAD(NAME) \
  template <typename PrT> PR_D PrT NAME(const PrT *PrP) { return *PrP; }
PR_LOAD(__ldg)
PR_LOAD(__ldca)
PR_LOAD(__ldcg)
PR_LOAD(__ldcs)
PR_LOAD(__ldlu)
PR_LOAD(__ldcv)
#undef PR_LOAD
#define PR_STORE(NAME) \
  template <typename PrT, typename PrU> PR_D void NAME(PrT *PrP, PrU PrV) { *PrP = PrV; }
PR_STORE(__stcg)
PR_STORE(__stcs)
PR_STORE(__stwb)
PR_STORE(__stwt)
#undef PR_STORE

PR_D unsigned long __cvta_generic_to_shared(const void *PrP) { return pr_shared_offset(PrP); }
PR_D void *__cvta_shared_to_generic(unsigned long Offset) { return pr_shared_pointer(Offset); }
PR_D unsigned long __cvta_generic_to_global(const void *PrP) { return (unsigned long)PrP; }
PR_D unsigned int __isShared(const void *PrP) { return (unsigned int)pr_is_shared(PrP); }
PR_D unsigned int __isGlobal(const void *PrP) { return !pr_is_shared(PrP); }

PR_D long long clock64() { return pr_clock(); }
PR_D int clock() { return (int)pr_clock(); }
PR_D void __nanosleep(unsigned int) {}
PR_D void __trap() { pr_trap(pr_site()); }
PR_D void __brkpt() {}
PR_D void __prof_trigger(int) {}
