// The asynchronous-copy primitives of <cuda_pipeline_primitives.h>.
#pragma once

#include "pr_device_prelude.h"

typedef unsigned long long __mbarrier_t;

PR_D void __pipeline_memcpy_async(void *__restrict__ To, const void *__restrict__ From, size_t Bytes,
                                  size_t ZeroFill = 0) {
  pr_cp_async(To, From, Bytes, ZeroFill, pr_site());
}
PR_D void __pipeline_commit() { pr_cp_async_commit(pr_site()); }
PR_D void __pipeline_wait_prior(size_t Pending) { pr_cp_async_wait((unsigned int)Pending, pr_site()); }
