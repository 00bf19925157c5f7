#include "data.h"

namespace pr {

namespace {

constexpr unsigned char GuardByte = 0xc9;

bool isWhole(int kind) { return !isFloating(kind); }

double valueOf(Numbers &numbers, int kind, int fill, size_t index) {
  double value = 0;
  bool whole = isWhole(kind);
  if (fill == PrUniform)
    value = whole ? (double)(long)(numbers.next() * 255) - 127 : numbers.next() * 2 - 1;
  else if (fill == PrNormal) // The sum of twelve is close enough and needs no libm.
    for (int i = 0; i < 12; ++i)
      value += numbers.next() - 0.5;
  else if (fill == PrIntegers)
    value = (double)(long)(numbers.next() * 9) - 4;
  else if (fill == PrIota)
    value = (double)index;
  if (whole && fill == PrNormal)
    value *= 32;
  bool hasSign = kind != PrU8 && kind != PrU16 && kind != PrU32 && kind != PrU64 && kind != PrBool;
  return hasSign || value >= 0 ? value : -value;
}

std::string hex(const unsigned char *at, unsigned bytes) {
  std::string text = "0x";
  for (unsigned i = bytes; i-- > 0;) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", at[i]);
    text += two;
  }
  return text;
}

// Equal values have equal numbers, neighbours differ by one.
int64_t ordered(const unsigned char *at, unsigned bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, bytes);
  uint64_t sign = 1ull << (8 * bytes - 1);
  return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

bool close(const unsigned char *a, const unsigned char *b, int kind, const Tolerance &tolerance) {
  unsigned bytes = scalarBytes(kind);
  if (std::memcmp(a, b, bytes) == 0)
    return true;
  double x = load(a, kind), y = load(b, kind);
  if (x != x || y != y)
    return x != x && y != y;
  if (std::fabs(x - y) <= tolerance.absolute + tolerance.relative * std::fabs(x))
    return true;
  if (tolerance.ulps == 0 || !isFloating(kind))
    return false;
  double apart = std::fabs((double)ordered(a, bytes) - (double)ordered(b, bytes));
  return apart <= (double)tolerance.ulps;
}

bool isPoison(const unsigned char *at, int kind) {
  unsigned char pattern[8];
  for (unsigned turn = 0; turn < 2; ++turn) {
    poison(pattern, kind, turn);
    if (std::memcmp(at, pattern, scalarBytes(kind)) == 0)
      return true;
  }
  return false;
}

// The same bits; or both not a number, whose sign and payload depend on the order in which the compiler happens to put
// the operands of an addition.
bool same(const unsigned char *a, const unsigned char *b, int kind) {
  if (std::memcmp(a, b, scalarBytes(kind)) == 0)
    return true;
  if (!isFloating(kind) || isPoison(a, kind) || isPoison(b, kind))
    return false;
  double x = load(a, kind), y = load(b, kind);
  return x != x && y != y;
}

} // namespace

Bytes contentsOf(const PrBuffer &buffer, unsigned long long seed, unsigned turn, bool hostile) {
  Bytes bytes(bytesOf(buffer));
  unsigned each = scalarBytes(buffer.kind);
  size_t scalars = bytes.size() / each;
  Numbers numbers(seed);
  for (size_t i = 0; i < scalars; ++i) {
    unsigned char *at = bytes.data() + i * each;
    if (buffer.fill == PrNan)
      poison(at, buffer.kind, turn);
    else if (buffer.fill != PrZero)
      store(at, buffer.kind, valueOf(numbers, buffer.kind, buffer.fill, i));
  }
  // A guard that no longer keeps a value out shows.
  if (hostile && !buffer.output && isFloating(buffer.kind) && scalars > 1) {
    store(bytes.data(), buffer.kind, NAN);
    store(bytes.data() + (scalars - 1) * each, buffer.kind, INFINITY);
  }
  return bytes;
}

std::string difference(const PrBuffer &buffer, const Bytes &expected, const Bytes &found, const Tolerance &tolerance) {
  if (expected == found)
    return "";
  unsigned each = scalarBytes(buffer.kind), lanes = buffer.bytes / each ? buffer.bytes / each : 1;
  size_t scalars = expected.size() / each, wrong = 0, first = 0;
  for (size_t i = 0; i < scalars; ++i) {
    const unsigned char *a = expected.data() + i * each, *b = found.data() + i * each;
    bool fits = tolerance.bitwise() ? same(a, b, buffer.kind) : close(a, b, buffer.kind, tolerance);
    if (!fits && wrong++ == 0)
      first = i;
  }
  if (wrong == 0)
    return "";
  const unsigned char *a = expected.data() + first * each, *b = found.data() + first * each;
  char text[256];
  std::snprintf(text, sizeof text, "[%zu]%s is %.9g (", first / lanes,
                lanes > 1 ? ("." + std::string(1, "xyzw"[first % lanes % 4])).c_str() : "", load(b, buffer.kind));
  std::string out = buffer.name + std::string(text) + hex(b, each) + "), expected ";
  std::snprintf(text, sizeof text, "%.9g (", load(a, buffer.kind));
  out += text + hex(a, each) + "); ";
  return out + std::to_string(wrong) + " of " + std::to_string(scalars) + " values differ";
}

Memories memoryFor(const std::vector<PrBuffer> &buffers) {
  Memories memory;
  for (const PrBuffer &buffer : buffers)
    memory.push_back(std::make_unique<GuardedMemory>(bytesOf(buffer)));
  return memory;
}

GuardedMemory::GuardedMemory(size_t bytes) : size(bytes) {
  check(cudaMalloc((void **)&base, bytes + 2 * Zone), ("cudaMalloc of " + std::to_string(bytes + 2 * Zone) + " bytes").c_str(),
        __FILE__, __LINE__);
  PR_CHECK(cudaMemset(base, GuardByte, bytes + 2 * Zone));
}

GuardedMemory::~GuardedMemory() { cudaFree(base); }

void GuardedMemory::upload(const Bytes &bytes) {
  if (size)
    PR_CHECK(cudaMemcpy(pointer(), bytes.data(), size, cudaMemcpyHostToDevice));
}

Bytes GuardedMemory::download() const {
  Bytes bytes(size);
  if (size)
    PR_CHECK(cudaMemcpy(bytes.data(), pointer(), size, cudaMemcpyDeviceToHost));
  return bytes;
}

std::string GuardedMemory::damage() const {
  Bytes zones(2 * Zone);
  PR_CHECK(cudaMemcpy(zones.data(), base, Zone, cudaMemcpyDeviceToHost));
  PR_CHECK(cudaMemcpy(zones.data() + Zone, base + Zone + size, Zone, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < zones.size(); ++i)
    if (zones[i] != GuardByte)
      return i < Zone ? std::to_string(Zone - i) + " bytes before its begin"
                      : std::to_string(i - Zone) + " bytes behind its end";
  return "";
}

} // namespace pr
