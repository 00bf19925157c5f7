#include "Matrix.h"

#include <cstring>

namespace pr {

namespace {

enum Code { F16 = 1, BF16, S8, U8, TF32, F32, F64, S32 };

float halfToFloat(uint16_t Bits) {
  _Float16 H;
  std::memcpy(&H, &Bits, 2);
  return static_cast<float>(H);
}
uint16_t floatToHalf(float F) {
  _Float16 H = static_cast<_Float16>(F);
  uint16_t Bits;
  std::memcpy(&Bits, &H, 2);
  return Bits;
}
float floatFromBits(uint32_t Bits) {
  float F;
  std::memcpy(&F, &Bits, 4);
  return F;
}
/// A tensor core ignores the low 13 bits of a tf32 operand.
float tf32(uint32_t Bits) { return floatFromBits(Bits & 0xffffe000u); }

uint32_t bytesOf(uint32_t Type) {
  return Type == S8 || Type == U8      ? 1
         : Type == F16 || Type == BF16 ? 2
         : Type == F64                 ? 8
                                       : 4;
}

double element(const void *P, uint32_t Index, uint32_t Type) {
  const char *At = static_cast<const char *>(P) + size_t(Index) * bytesOf(Type);
  uint64_t Bits = 0;
  std::memcpy(&Bits, At, bytesOf(Type));
  switch (Type) {
  case F16:
    return halfToFloat(static_cast<uint16_t>(Bits));
  case BF16:
    return floatFromBits(static_cast<uint32_t>(Bits) << 16);
  case S8:
    return static_cast<int8_t>(Bits);
  case U8:
    return static_cast<uint8_t>(Bits);
  case TF32:
    return tf32(static_cast<uint32_t>(Bits));
  case F32:
    return floatFromBits(static_cast<uint32_t>(Bits));
  case S32:
    return static_cast<int32_t>(Bits);
  default: {
    double D;
    std::memcpy(&D, &Bits, 8);
    return D;
  }
  }
}

void setElement(void *P, uint32_t Index, uint32_t Type, double V) {
  char *At = static_cast<char *>(P) + size_t(Index) * bytesOf(Type);
  if (Type == F16) {
    uint16_t H = floatToHalf(static_cast<float>(V));
    std::memcpy(At, &H, 2);
  } else if (Type == F32) {
    float F = static_cast<float>(V);
    std::memcpy(At, &F, 4);
  } else if (Type == S32) {
    int32_t I = static_cast<int32_t>(V);
    std::memcpy(At, &I, 4);
  } else {
    std::memcpy(At, &V, 8);
  }
}

/// One step of a sum in the type of the accumulator. Products of halves are
/// exact in float; integers are exact in double.
double accumulate(double Sum, double A, double B, bool Wide) {
  if (Wide)
    return Sum + A * B;
  return static_cast<float>(Sum) +
         static_cast<float>(A) * static_cast<float>(B);
}

} // namespace

bool wmmaCompute(WarpOperand *const (&Lanes)[32], uint32_t Types,
                 uint32_t Shape) {
  uint32_t In = Types & 15, TypeC = Types >> 4 & 15, TypeD = Types >> 8 & 15;
  uint32_t M = Shape & 255, N = Shape >> 8 & 255, K = Shape >> 16 & 255;
  bool RowA = Shape >> 24 & 1, RowB = Shape >> 25 & 1;
  bool Wide = TypeC == F64 || TypeC == S32;
  if (M * K > 1024 || K * N > 1024 || M * N > 1024 || M * K % 32 ||
      K * N % 32 || M * N % 32)
    return false;
  std::vector<double> A(M * K), B(K * N), C(M * N);
  uint32_t PerA = M * K / 32, PerB = K * N / 32, PerC = M * N / 32;
  for (uint32_t Lane = 0; Lane < 32; ++Lane) {
    for (uint32_t I = 0; I < PerA; ++I) {
      uint32_t E = Lane * PerA + I;
      uint32_t Row = RowA ? E / K : E % M, Column = RowA ? E % K : E / M;
      A[Row * K + Column] = element(Lanes[Lane]->Pointers[1], I, In);
    }
    for (uint32_t I = 0; I < PerB; ++I) {
      uint32_t E = Lane * PerB + I;
      uint32_t Row = RowB ? E / N : E % K, Column = RowB ? E % N : E / K;
      B[Row * N + Column] = element(Lanes[Lane]->Pointers[2], I, In);
    }
    for (uint32_t I = 0; I < PerC; ++I)
      C[Lane * PerC + I] = element(Lanes[Lane]->Pointers[3], I, TypeC);
  }
  for (uint32_t Row = 0; Row < M; ++Row)
    for (uint32_t Column = 0; Column < N; ++Column)
      for (uint32_t I = 0; I < K; ++I)
        C[Row * N + Column] = accumulate(C[Row * N + Column], A[Row * K + I],
                                         B[I * N + Column], Wide);
  for (uint32_t Lane = 0; Lane < 32; ++Lane)
    for (uint32_t I = 0; I < PerC; ++I)
      setElement(const_cast<void *>(Lanes[Lane]->Pointers[0]), I, TypeD,
                 C[Lane * PerC + I]);
  return true;
}

namespace {

/// Reads element \p Index of a lane's packed 32-bit registers.
double packed(const void *Registers, uint32_t Index, uint32_t Type) {
  static const Code Codes[] = {F16, BF16, TF32, S8, F16};
  return element(Registers, Index, Codes[Type]);
}

} // namespace

void mmaCompute(WarpOperand *const (&Lanes)[32], uint32_t Type, uint32_t K) {
  // Elements that one register holds, and so how a lane's registers tile A and
  // B.
  uint32_t Pack = Type == 2 ? 1 : Type == 3 ? 4 : 2;
  std::vector<double> A(16 * K), B(K * 8);
  double C[16 * 8];
  bool HalfSums = Type == 4;
  for (uint32_t Lane = 0; Lane < 32; ++Lane) {
    uint32_t Group = Lane / 4, Position = Lane % 4;
    const WarpOperand &L = *Lanes[Lane];
    for (uint32_t Chunk = 0; Chunk < K / (4 * Pack); ++Chunk)
      for (uint32_t E = 0; E < Pack; ++E) {
        uint32_t Depth = Chunk * 4 * Pack + Position * Pack + E;
        for (uint32_t Half = 0; Half < 2; ++Half)
          A[(Group + 8 * Half) * K + Depth] =
              packed(L.Pointers[1], (Chunk * 2 + Half) * Pack + E, Type);
        B[Depth * 8 + Group] = packed(L.Pointers[2], Chunk * Pack + E, Type);
      }
    for (uint32_t I = 0; I < 4; ++I) {
      uint32_t At = (Group + 8 * (I / 2)) * 8 + Position * 2 + I % 2;
      C[At] = element(L.Pointers[3], I, HalfSums ? F16 : Type == 3 ? S32 : F32);
    }
  }
  for (uint32_t Row = 0; Row < 16; ++Row)
    for (uint32_t Column = 0; Column < 8; ++Column)
      for (uint32_t I = 0; I < K; ++I)
        C[Row * 8 + Column] = accumulate(C[Row * 8 + Column], A[Row * K + I],
                                         B[I * 8 + Column], Type == 3);
  for (uint32_t Lane = 0; Lane < 32; ++Lane)
    for (uint32_t I = 0; I < 4; ++I) {
      uint32_t At = (Lane / 4 + 8 * (I / 2)) * 8 + Lane % 4 * 2 + I % 2;
      setElement(const_cast<void *>(Lanes[Lane]->Pointers[0]), I,
                 HalfSums    ? F16
                 : Type == 3 ? S32
                             : F32,
                 C[At]);
    }
}

} // namespace pr
