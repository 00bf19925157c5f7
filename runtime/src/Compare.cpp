#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace pr {

Snapshot takeSnapshot() {
  Snapshot S;
  for (const Allocation &A : memory().all())
    S.emplace_back(A.Begin, A.Begin + A.Bytes);
  return S;
}

void restoreSnapshot(const Snapshot &S) {
  for (size_t I = 0; I < S.size(); ++I)
    std::memcpy(memory().all()[I].Begin, S[I].data(), S[I].size());
}

namespace {

/// How elements of a type are read for comparison and for messages.
struct ElementType {
  const char *Name;
  unsigned Bytes;
  char
      Kind; ///< 'f' float, 'h' half, 'b' bfloat16, 'd' double, 'i' signed, 'u'.
};

const ElementType *elementType(const std::string &Name) {
  static const ElementType Types[] = {
      {"float", 4, 'f'},         {"double", 8, 'd'},
      {"half", 2, 'h'},          {"__half", 2, 'h'},
      {"__nv_bfloat16", 2, 'b'}, {"nv_bfloat16", 2, 'b'},
      {"int8_t", 1, 'i'},        {"signed char", 1, 'i'},
      {"char", 1, 'i'},          {"uint8_t", 1, 'u'},
      {"unsigned char", 1, 'u'}, {"short", 2, 'i'},
      {"int", 4, 'i'},           {"int32_t", 4, 'i'},
      {"unsigned", 4, 'u'},      {"unsigned int", 4, 'u'},
      {"uint32_t", 4, 'u'},      {"long long", 8, 'i'},
      {"int64_t", 8, 'i'},       {"float2", 4, 'f'},
      {"float3", 4, 'f'},        {"float4", 4, 'f'},
      {"half2", 2, 'h'},         {"__half2", 2, 'h'}};
  for (const ElementType &T : Types)
    if (Name == T.Name)
      return &T;
  return nullptr;
}

double valueOf(const char *P, const ElementType &T) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, P, T.Bytes);
  if (T.Kind == 'f' || T.Kind == 'b') {
    uint32_t B = static_cast<uint32_t>(T.Kind == 'b' ? Bits << 16 : Bits);
    float F;
    std::memcpy(&F, &B, 4);
    return F;
  }
  if (T.Kind == 'h') {
    _Float16 H;
    std::memcpy(&H, &Bits, 2);
    return static_cast<double>(H);
  }
  if (T.Kind == 'd') {
    double D;
    std::memcpy(&D, &Bits, 8);
    return D;
  }
  unsigned Shift = 64 - 8 * T.Bytes;
  return T.Kind == 'i'
             ? static_cast<double>(static_cast<int64_t>(Bits << Shift) >> Shift)
             : static_cast<double>(Bits);
}

/// The number of representable values between two finite ones of equal sign.
uint64_t ulpDistance(const char *A, const char *B, const ElementType &T) {
  int64_t X = 0, Y = 0;
  std::memcpy(&X, A, T.Bytes);
  std::memcpy(&Y, B, T.Bytes);
  int64_t Sign = int64_t(1) << (8 * T.Bytes - 1);
  if (T.Kind != 'i' && T.Kind != 'u' && T.Bytes < 8) {
    X = X & Sign ? -(X & ~Sign) : X;
    Y = Y & Sign ? -(Y & ~Sign) : Y;
  }
  return static_cast<uint64_t>(X > Y ? X - Y : Y - X);
}

bool accepted(const char *A, const char *B, const ElementType &T,
              const Tolerance &Limit, uint64_t FillBits) {
  double X = valueOf(A, T), Y = valueOf(B, T);
  if (std::isnan(X) && std::isnan(Y)) {
    // Which operand's payload survives is the compiler's choice; a buffer that
    // was never written is another matter.
    uint64_t Left = 0, Right = 0;
    std::memcpy(&Left, A, T.Bytes);
    std::memcpy(&Right, B, T.Bytes);
    return Left != FillBits && Right != FillBits;
  }
  if (Limit.Bitwise)
    return false;
  if (Limit.Ulps)
    return ulpDistance(A, B, T) <= Limit.Ulps;
  return std::fabs(X - Y) <= Limit.Absolute + Limit.Relative * std::fabs(X);
}

std::string bits(const char *P, unsigned Bytes) {
  std::string Text = "0x";
  char Digits[3];
  for (unsigned I = Bytes; I-- > 0;) {
    std::snprintf(Digits, sizeof Digits, "%02x",
                  static_cast<unsigned char>(P[I]));
    Text += Digits;
  }
  return Text;
}

std::string number(double V) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "%.9g", V);
  return Text;
}

} // namespace

std::string firstDifference(const Snapshot &Expected, const Snapshot &Actual,
                            const Tolerance &Limit, const Writers &Who,
                            const char *&Check) {
  static const ElementType Byte = {"byte", 1, 'u'}, Float = {"float", 4, 'f'};
  for (size_t I = 0; I < Expected.size(); ++I) {
    const std::vector<char> &A = Expected[I], &B = Actual[I];
    if (A.size() == 0 || std::memcmp(A.data(), B.data(), A.size()) == 0)
      continue;
    const Allocation &Where = memory().all()[I];
    const ElementType *T =
        elementType(Where.Type.empty() ? Limit.Type : Where.Type);
    // Memory of an unknown type is shown as floats where it can be.
    bool Known = T != nullptr;
    if (!T)
      T = A.size() % 4 == 0 ? &Float : &Byte;
    for (size_t At = 0; At + T->Bytes <= A.size(); At += T->Bytes) {
      const char *X = A.data() + At, *Y = B.data() + At;
      if (std::memcmp(X, Y, T->Bytes) == 0 ||
          ((Known || !Limit.Bitwise) &&
           accepted(X, Y, *T, Limit, Where.FillBits)))
        continue;
      uint64_t Left = 0;
      std::memcpy(&Left, Y, T->Bytes);
      bool Unwritten = Where.FillBits && Left == Where.FillBits;
      Check = Unwritten ? "uninitialised-output" : "different-result";
      std::string Element =
          Where.Name + "[" + std::to_string(At / T->Bytes) + "]";
      std::string Expects = number(valueOf(X, *T)) + " (" + bits(X, T->Bytes) +
                            ") by " + Who.Expected;
      if (Unwritten)
        return Element + " is never written by " + Who.Actual +
               ", but set to " + Expects;
      return Element + " is set to " + number(valueOf(Y, *T)) + " (" +
             bits(Y, T->Bytes) + ") by " + Who.Actual + ", but to " + Expects;
    }
  }
  return "";
}

} // namespace pr
