// Buffers of a launch: their data on the host, their memory on the card with guard zones around it, and
// comparisons of their bytes.
#pragma once

#include "support.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>

namespace pr {

using Bytes = std::vector<unsigned char>;

inline unsigned scalarBytes(int kind) {
  switch (kind) {
  case PrF64: case PrI64: case PrU64: return 8;
  case PrF32: case PrI32: case PrU32: return 4;
  case PrF16: case PrBf16: case PrI16: case PrU16: return 2;
  default: return 1;
  }
}

inline bool isFloating(int kind) { return kind >= PrF64 && kind <= PrBf16; }

// Float to half, nearest even; what lies above its range becomes infinity.
inline uint16_t toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  uint16_t sign = (uint16_t)((bits >> 16) & 0x8000);
  uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return sign | 0x7e00;
  if (magnitude >= 0x477ff000)
    return sign | 0x7c00;
  if (magnitude < 0x38800000) { // Subnormal: a multiple of 2^-24.
    float scaled = std::nearbyint(std::fabs(value) * 16777216.0f);
    return sign | (uint16_t)scaled;
  }
  uint32_t rounded = magnitude + 0xfff + ((magnitude >> 13) & 1);
  return sign | (uint16_t)((rounded - 0x38000000) >> 13);
}

inline float fromHalf(uint16_t bits) {
  int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  float value = exponent == 31   ? (mantissa ? NAN : INFINITY)
                : exponent == 0 ? std::ldexp((float)mantissa, -24)
                                : std::ldexp((float)(mantissa + 1024), exponent - 25);
  return bits & 0x8000 ? -value : value;
}

inline uint16_t toBf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  if (value != value)
    return 0x7fc0;
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

template <class T> void put(unsigned char *at, T value) { std::memcpy(at, &value, sizeof value); }
template <class T> T take(const unsigned char *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

inline void store(unsigned char *at, int kind, double value) {
  switch (kind) {
  case PrF64: return put(at, value);
  case PrF32: return put(at, (float)value);
  case PrF16: return put(at, toHalf((float)value));
  case PrBf16: return put(at, toBf16((float)value));
  case PrI16: case PrU16: return put(at, (int16_t)value);
  case PrI32: return put(at, (int32_t)value);
  case PrU32: return put(at, (uint32_t)(int64_t)value);
  case PrI64: case PrU64: return put(at, (int64_t)value);
  case PrBool: return put(at, (unsigned char)(value > 0));
  default: return put(at, (int8_t)value);
  }
}

inline double load(const unsigned char *at, int kind) {
  switch (kind) {
  case PrF64: return take<double>(at);
  case PrF32: return take<float>(at);
  case PrF16: return fromHalf(take<uint16_t>(at));
  case PrBf16: {
    uint32_t bits = (uint32_t)take<uint16_t>(at) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
  }
  case PrI8: return take<int8_t>(at);
  case PrI16: return take<int16_t>(at);
  case PrU16: return take<uint16_t>(at);
  case PrI32: return take<int32_t>(at);
  case PrU32: return take<uint32_t>(at);
  case PrI64: return (double)take<int64_t>(at);
  case PrU64: return (double)take<uint64_t>(at);
  default: return take<unsigned char>(at);
  }
}

// The same sequence as the proof on the CPU has (runtime/include/pr/driver.h).
struct Numbers {
  unsigned long long state;
  explicit Numbers(unsigned long long seed) : state(seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull) {}
  double next() { // [0, 1)
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 0x2545f4914f6cdd1dull) >> 40) / 16777216.0;
  }
};

// A NaN that no arithmetic makes; `turn` picks one of two, so that none equals a result by chance in both runs.
inline void poison(unsigned char *at, int kind, unsigned turn) {
  switch (scalarBytes(kind)) {
  case 8: return put<uint64_t>(at, 0x7ff8dead5eed0001ull + turn);
  case 4: return put<uint32_t>(at, 0x7fc5eed1u + turn);
  case 2: return put<uint16_t>(at, (uint16_t)(kind == PrBf16 ? 0x7fdeu + turn : 0x7feau + turn));
  default: return put<unsigned char>(at, (unsigned char)(0xa5u ^ (turn * 0xffu)));
  }
}

inline size_t bytesOf(const PrBuffer &buffer) { return (size_t)buffer.count * buffer.bytes; }

// What a buffer holds before a launch.
Bytes contentsOf(const PrBuffer &buffer, unsigned long long seed, unsigned turn, bool hostile);

// How far two results may lie apart; all zero: not at all.
struct Tolerance {
  double absolute = 0, relative = 0;
  unsigned long long ulps = 0;
  bool bitwise() const { return absolute == 0 && relative == 0 && ulps == 0; }
};

// The first element that differs, in words; empty where none does.
std::string difference(const PrBuffer &buffer, const Bytes &expected, const Bytes &found, const Tolerance &tolerance);

// Memory on the card with zones before and behind that nobody may write.
class GuardedMemory {
public:
  static constexpr size_t Zone = 4096;

  explicit GuardedMemory(size_t bytes);
  GuardedMemory(const GuardedMemory &) = delete;
  ~GuardedMemory();

  void *pointer() const { return base + Zone; }
  void upload(const Bytes &bytes);
  Bytes download() const;
  // Where a guard byte changed, in words; empty where none did.
  std::string damage() const;

private:
  unsigned char *base = nullptr;
  size_t size;
};

using Memories = std::vector<std::unique_ptr<GuardedMemory>>;

// Memory for all buffers. Taken before their data is made: what the card cannot hold must not fill the host first.
Memories memoryFor(const std::vector<PrBuffer> &buffers);

} // namespace pr
