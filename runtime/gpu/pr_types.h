// Included behind the author's source, by the program written from a launch file. No header is included and
// every name is ours: whatever macros the source leaves behind must not matter.
#pragma once

template <class PrT> struct PrKindOf { enum { value = PrUnknown }; };
#define PR_KIND(PR_TYPE, PR_VALUE) \
  template <> struct PrKindOf<PR_TYPE> { enum { value = PR_VALUE }; };
PR_KIND(double, PrF64)
PR_KIND(float, PrF32)
PR_KIND(bool, PrBool)
PR_KIND(char, PrI8)
PR_KIND(signed char, PrI8)
PR_KIND(unsigned char, PrU8)
PR_KIND(short, PrI16)
PR_KIND(unsigned short, PrU16)
PR_KIND(int, PrI32)
PR_KIND(unsigned int, PrU32)
PR_KIND(long, sizeof(long) == 8 ? PrI64 : PrI32)
PR_KIND(unsigned long, sizeof(long) == 8 ? PrU64 : PrU32)
PR_KIND(long long, PrI64)
PR_KIND(unsigned long long, PrU64)
#define PR_VECTORS(PR_STEM, PR_VALUE) \
  PR_KIND(PR_STEM##1, PR_VALUE) \
  PR_KIND(PR_STEM##2, PR_VALUE) \
  PR_KIND(PR_STEM##3, PR_VALUE) \
  PR_KIND(PR_STEM##4, PR_VALUE)
PR_VECTORS(float, PrF32)
PR_VECTORS(char, PrI8)
PR_VECTORS(uchar, PrU8)
PR_VECTORS(short, PrI16)
PR_VECTORS(ushort, PrU16)
PR_VECTORS(int, PrI32)
PR_VECTORS(uint, PrU32)
PR_KIND(double1, PrF64)
PR_KIND(double2, PrF64)
#ifdef __CUDA_FP16_H__
PR_KIND(__half, PrF16)
PR_KIND(__half2, PrF16)
#endif
#ifdef __CUDA_BF16_H__
PR_KIND(__nv_bfloat16, PrBf16)
PR_KIND(__nv_bfloat162, PrBf16)
#endif
#undef PR_VECTORS
#undef PR_KIND

// Remembers the first call that failed.
static inline int pr_failed(cudaError_t pr_code, const char *pr_call, const char *pr_file, int pr_line,
                            PrFailure *pr_failure) {
  if (pr_code != cudaSuccess) {
    pr_failure->code = (int)pr_code;
    pr_failure->call = pr_call;
    pr_failure->file = pr_file;
    pr_failure->line = pr_line;
  }
  return (int)pr_code;
}

#ifndef PR_NO_ADDRESS
// More than 48 KB a block have to be asked for.
template <class PrF>
static int pr_ask_for_shared(PrF *pr_kernel, unsigned long long pr_bytes, PrFailure *pr_failure, const char *pr_file,
                             int pr_line) {
  if (pr_bytes <= 48 * 1024)
    return 0;
  cudaError_t pr_code =
      cudaFuncSetAttribute(pr_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)pr_bytes);
  return pr_failed(pr_code, "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)", pr_file, pr_line, pr_failure);
}

template <class PrF>
static int pr_resources_of(PrF *pr_kernel, dim3 pr_block, unsigned long long pr_bytes, PrResources *pr_out,
                           PrFailure *pr_failure, const char *pr_file, int pr_line) {
  cudaFuncAttributes pr_attributes;
  int pr_code = pr_failed(cudaFuncGetAttributes(&pr_attributes, pr_kernel), "cudaFuncGetAttributes", pr_file,
                          pr_line, pr_failure);
  if (pr_code == 0)
    pr_code = pr_ask_for_shared(pr_kernel, pr_bytes, pr_failure, pr_file, pr_line);
  if (pr_code != 0)
    return pr_code;
  pr_out->registers = pr_attributes.numRegs;
  pr_out->local_bytes = pr_attributes.localSizeBytes;
  pr_out->static_shared = pr_attributes.sharedSizeBytes;
  pr_out->dynamic_shared = pr_bytes;
  pr_out->threads = (int)(pr_block.x * pr_block.y * pr_block.z);
  pr_out->binary = pr_attributes.binaryVersion;
  pr_out->ptx = pr_attributes.ptxVersion;
  return pr_failed(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&pr_out->blocks_per_sm, pr_kernel,
                                                                 pr_out->threads, (size_t)pr_bytes),
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor", pr_file, pr_line, pr_failure);
}
#endif
