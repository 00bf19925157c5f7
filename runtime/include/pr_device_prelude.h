// Everything that nvcc includes into a .cu file by itself. Used two ways from one set of headers:
//  - to parse a CUDA file on a machine without a toolkit, and
//  - to compile it for the machine in runtime/src, which runs kernels on a CPU.
// Include it with -include, before the file.
#pragma once

#include "pr/attributes.h"
#include "pr/vector_types.h"
#include "pr/math_device.h"

extern "C" {
__attribute__((device)) int printf(const char *, ...);
__attribute__((device)) void *malloc(unsigned long);
__attribute__((device)) void free(void *);
__attribute__((device, noreturn)) void __assert_fail(const char *, const char *, unsigned int, const char *);
}
PR_D void *memcpy(void *To, const void *From, unsigned long Bytes) { return __builtin_memcpy(To, From, Bytes); }
PR_D void *memset(void *To, int Value, unsigned long Bytes) { return __builtin_memset(To, Value, Bytes); }

#include <math.h>
#include <cmath>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "pr/math_extra.h"
#include "pr/device_functions.h"
#include "pr/runtime_api.h"
