#pragma once
#include <cstring>
inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0) {
  std::memcpy(to, from, bytes - zeros);
  std::memset((char *)to + bytes - zeros, 0, zeros);
}
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(unsigned) {}
