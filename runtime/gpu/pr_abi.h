// What one version of a kernel (a shared object of its own, so that two versions never share a name)
// offers to the runner. Plain C types only: the file is included before the author's source.
#pragma once

enum { PR_ABI = 1 };

// The scalar that a buffer's elements are made of.
enum PrKind { PrUnknown, PrF64, PrF32, PrF16, PrBf16, PrI8, PrU8, PrI16, PrU16, PrI32, PrU32, PrI64, PrU64, PrBool };

enum PrFill { PrUniform, PrNormal, PrIntegers, PrIota, PrZero, PrNan };

struct PrBuffer {
  const char *name, *type;
  double count;      // Elements; as a double, so that a wrong formula is seen and not wrapped.
  unsigned bytes;    // Of one element.
  int kind;          // PrKind.
  int fill;          // PrFill.
  unsigned long long seed;
  int output;        // The launch file says that the kernel writes it.
};

// Of the kernel as it was loaded on this card.
struct PrResources {
  int registers;                   // A thread's.
  unsigned long long local_bytes;  // A thread's: spills and arrays.
  unsigned long long static_shared, dynamic_shared; // A block's, in bytes.
  int blocks_per_sm, threads;
  int binary, ptx;                 // 90: built for sm_90.
};

// A CUDA call that failed.
struct PrFailure {
  int code;
  const char *call, *file;
  int line;
};

struct PrVersion {
  int abi;
  const char *kernel;
  int sizes; // Names in the sweep; every `const long long *` below holds as many values.
  const char *const *size_names;
  int cases, bench_cases;
  const long long *case_values, *bench_values;
  int buffers;
  void (*describe)(const long long *sizes, struct PrBuffer *buffers);
  // Both return 0, or the error's code with *failure filled in.
  int (*launch)(const long long *sizes, void *const *pointers, struct PrFailure *failure);
  int (*resources)(const long long *sizes, struct PrResources *resources, struct PrFailure *failure);
  void (*reference)(const long long *sizes, void *const *host_pointers); // Or null.
  double reference_absolute, reference_relative;
  double (*flops)(const long long *sizes); // Operations of one launch, or null.
  double (*bytes)(const long long *sizes); // Bytes that one launch has to move, or null.
};

// Each version exports one function.
#define PR_ENTRY "pr_version"
