// What the machine that runs kernels on a CPU offers to device code. The names stay unresolved where a file
// is only parsed. `Site` stands for "the line of the kernel that asked"; the lowering of lib/Verify puts it
// in place of pr_site().
#pragma once

#include "pr/attributes.h"

#define PR_ABI extern "C" __attribute__((device))

PR_ABI unsigned int pr_site();
PR_ABI void pr_unsupported(const char *What, unsigned int Site);

// Asynchronous copies of one thread.
PR_ABI void pr_cp_async(void *Shared, const void *Global, unsigned long Bytes, unsigned long ZeroFill,
                        unsigned int Site);
PR_ABI void pr_cp_async_commit(unsigned int Site);
PR_ABI void pr_cp_async_wait(unsigned int Pending, unsigned int Site);
PR_ABI void pr_cp_async_bind(const void *Barrier);
PR_ABI void pr_barrier_wait(const void *Barrier, unsigned int Site);
PR_ABI void pr_pipeline_acquire(void *Shared, unsigned int Site);
PR_ABI void pr_pipeline_wait(void *Shared, unsigned int Pending, unsigned int Site);

// Barriers and warps.
PR_ABI void pr_named_barrier(unsigned int Name, unsigned int Threads, unsigned int Site);
PR_ABI int pr_barrier_reduce(int Kind, int Value, unsigned int Site);
PR_ABI void pr_syncwarp(unsigned int Mask, unsigned int Site);
PR_ABI unsigned long pr_shuffle(unsigned int Mask, unsigned long Value, unsigned int From, int Width, int Kind,
                                unsigned int Site);
PR_ABI unsigned int pr_ballot(unsigned int Mask, int Predicate, unsigned int Site);
PR_ABI unsigned int pr_match(unsigned int Mask, unsigned long Value, unsigned int Site);
PR_ABI unsigned int pr_activemask();
PR_ABI unsigned int pr_reduce_sync(unsigned int Mask, unsigned int Value, int Kind, unsigned int Site);
PR_ABI unsigned int pr_lane();

// Matrix fragments: every lane hands over its registers, the last one computes. Kind holds the element types, a
// nibble each from the lowest: A and B, C, D. Shape holds m, n, k, a byte each, and then one bit each for "A is row
// major" and "B is row major".
PR_ABI void pr_wmma_check(const void *Pointer, unsigned long RowBytes, unsigned int Site);
PR_ABI void pr_wmma_mma(void *PrD, const void *PrA, const void *PrB, const void *PrC, int Kind, int Shape,
                        unsigned int Site);

// Address spaces.
PR_ABI unsigned long pr_shared_offset(const void *Generic);
PR_ABI void *pr_shared_pointer(unsigned long Offset);
PR_ABI int pr_is_shared(const void *Generic);

PR_ABI long long pr_clock();
PR_ABI void pr_trap(unsigned int Site);
