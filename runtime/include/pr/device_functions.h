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
PR_D int __syncthreads_count(int P) { return pr_barrier_reduce(0, P, pr_site()); }
PR_D int __syncthreads_and(int P) { return pr_barrier_reduce(1, P, pr_site()); }
PR_D int __syncthreads_or(int P) { return pr_barrier_reduce(2, P, pr_site()); }
PR_D void __syncwarp(unsigned int Mask = 0xffffffffu) { pr_syncwarp(Mask, pr_site()); }
PR_D unsigned int __activemask() { return pr_activemask(); }
PR_D unsigned int __ballot_sync(unsigned int M, int P) { return pr_ballot(M, P, pr_site()); }
PR_D int __any_sync(unsigned int M, int P) { return pr_ballot(M, P, pr_site()) != 0; }
PR_D int __all_sync(unsigned int M, int P) { return pr_ballot(M, !P, pr_site()) == 0; }
PR_D unsigned int __match_any_sync(unsigned int M, unsigned int V) { return pr_match(M, V, pr_site()); }
PR_D unsigned int __lane_id() { return pr_lane(); }

// A shuffle carries the bytes of any trivially copyable value of at most eight bytes.
#define PR_SHUFFLE(NAME, KIND, INDEX) \
  template <typename T> PR_D T NAME(unsigned int Mask, T Value, INDEX Index, int Width = 32) { \
    static_assert(sizeof(T) <= 8, "a shuffle carries at most eight bytes"); \
    unsigned long Bits = 0; \
    __builtin_memcpy(&Bits, &Value, sizeof(T)); \
    Bits = pr_shuffle(Mask, Bits, (unsigned int)Index, Width, KIND, pr_site()); \
    __builtin_memcpy(&Value, &Bits, sizeof(T)); \
    return Value; \
  }
PR_SHUFFLE(__shfl_sync, 0, int)
PR_SHUFFLE(__shfl_up_sync, 1, unsigned int)
PR_SHUFFLE(__shfl_down_sync, 2, unsigned int)
PR_SHUFFLE(__shfl_xor_sync, 3, int)
#undef PR_SHUFFLE

PR_D unsigned int __reduce_add_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 0, pr_site()); }
PR_D int __reduce_add_sync(unsigned int M, int V) { return (int)pr_reduce_sync(M, (unsigned int)V, 0, pr_site()); }
PR_D unsigned int __reduce_min_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 1, pr_site()); }
PR_D unsigned int __reduce_max_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 2, pr_site()); }
PR_D int __reduce_min_sync(unsigned int M, int V) { return (int)pr_reduce_sync(M, (unsigned int)V, 3, pr_site()); }
PR_D int __reduce_max_sync(unsigned int M, int V) { return (int)pr_reduce_sync(M, (unsigned int)V, 4, pr_site()); }
PR_D unsigned int __reduce_and_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 5, pr_site()); }
PR_D unsigned int __reduce_or_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 6, pr_site()); }
PR_D unsigned int __reduce_xor_sync(unsigned int M, unsigned int V) { return pr_reduce_sync(M, V, 7, pr_site()); }

// Atomics: the compiler's own, so that the machine sees each as one access.
#define PR_ATOMIC(NAME, BUILTIN, TYPE) \
  PR_D TYPE NAME(TYPE *P, TYPE V) { return BUILTIN(P, V, __ATOMIC_RELAXED); } \
  PR_D TYPE NAME##_block(TYPE *P, TYPE V) { return BUILTIN(P, V, __ATOMIC_RELAXED); } \
  PR_D TYPE NAME##_system(TYPE *P, TYPE V) { return BUILTIN(P, V, __ATOMIC_RELAXED); }
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
PR_D float atomicExch(float *P, float V) {
  unsigned int Old = __atomic_exchange_n((unsigned int *)P, __builtin_bit_cast(unsigned int, V), __ATOMIC_RELAXED);
  return __builtin_bit_cast(float, Old);
}
#define PR_ATOMIC_CAS(TYPE) \
  PR_D TYPE atomicCAS(TYPE *P, TYPE Compare, TYPE V) { \
    __atomic_compare_exchange_n(P, &Compare, V, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return Compare; \
  }
PR_ATOMIC_CAS(int)
PR_ATOMIC_CAS(unsigned int)
PR_ATOMIC_CAS(unsigned long long)
PR_ATOMIC_CAS(unsigned short)
#undef PR_ATOMIC_CAS
PR_D unsigned int atomicInc(unsigned int *P, unsigned int Limit) {
  unsigned int Old = __atomic_load_n(P, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(P, &Old, Old >= Limit ? 0 : Old + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return Old;
}
PR_D unsigned int atomicDec(unsigned int *P, unsigned int Limit) {
  unsigned int Old = __atomic_load_n(P, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(P, &Old, Old == 0 || Old > Limit ? Limit : Old - 1, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
    ;
  return Old;
}

// Cache hints change no value.
#define PR_LOAD(NAME) \
  template <typename T> PR_D T NAME(const T *P) { return *P; }
PR_LOAD(__ldg)
PR_LOAD(__ldca)
PR_LOAD(__ldcg)
PR_LOAD(__ldcs)
PR_LOAD(__ldlu)
PR_LOAD(__ldcv)
#undef PR_LOAD
#define PR_STORE(NAME) \
  template <typename T, typename U> PR_D void NAME(T *P, U V) { *P = V; }
PR_STORE(__stcg)
PR_STORE(__stcs)
PR_STORE(__stwb)
PR_STORE(__stwt)
#undef PR_STORE

PR_D unsigned long __cvta_generic_to_shared(const void *P) { return pr_shared_offset(P); }
PR_D void *__cvta_shared_to_generic(unsigned long Offset) { return pr_shared_pointer(Offset); }
PR_D unsigned long __cvta_generic_to_global(const void *P) { return (unsigned long)P; }
PR_D unsigned int __isShared(const void *P) { return (unsigned int)pr_is_shared(P); }
PR_D unsigned int __isGlobal(const void *P) { return !pr_is_shared(P); }

PR_D long long clock64() { return pr_clock(); }
PR_D int clock() { return (int)pr_clock(); }
PR_D void __nanosleep(unsigned int) {}
PR_D void __trap() { pr_trap(pr_site()); }
PR_D void __brkpt() {}
PR_D void __prof_trigger(int) {}
