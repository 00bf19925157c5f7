// A small generator behind cuRAND's device names, so that kernels that draw numbers parse and run. It is not
// cuRAND's sequence; both versions of a kernel draw the same numbers.
#pragma once

#include "pr_device_prelude.h"

struct curandStateXORWOW {
  unsigned long long Word;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandStatePhilox4_32_10_t;

PR_D void curand_init(unsigned long long Seed, unsigned long long Sequence, unsigned long long Offset,
                      curandState_t *State) {
  State->Word = (Seed + 0x9e3779b97f4a7c15ull * (Sequence + 1) + Offset) | 1;
}
PR_D unsigned int curand(curandState_t *State) {
  State->Word ^= State->Word >> 12;
  State->Word ^= State->Word << 25;
  State->Word ^= State->Word >> 27;
  return (unsigned int)((State->Word * 0x2545f4914f6cdd1dull) >> 32);
}
PR_D float curand_uniform(curandState_t *State) { return ((curand(State) >> 8) + 1) * (1.0f / 16777216.0f); }
PR_D double curand_uniform_double(curandState_t *State) { return ((double)curand(State) + 1) / 4294967296.0; }
PR_D float curand_normal(curandState_t *State) {
  float Radius = sqrtf(-2.0f * logf(curand_uniform(State)));
  return Radius * cosf(6.28318530717958647f * curand_uniform(State));
}
