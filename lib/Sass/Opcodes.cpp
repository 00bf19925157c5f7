#include "Sass/Opcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace pipeline_rewrite {

static bool usesScoreboardZero(const SassInstruction &I) {
  return !I.Operands.empty() && I.Operands[0] == "SB0";
}

SassKind kindOf(const SassInstruction &I) {
  SassKind Kind = StringSwitch<SassKind>(I.base())
                      .Cases("LDG", "LD", SassKind::GlobalLoad)
                      .Cases("LDGSTS", "UTMALDG", "UBLKCP", SassKind::AsyncCopy)
                      .Case("LDGDEPBAR", SassKind::AsyncCommit)
                      .Cases("LDS", "LDSM", SassKind::SharedLoad)
                      .Cases("STS", "STSM", SassKind::SharedStore)
                      .Case("LDL", SassKind::LocalLoad)
                      .Case("STL", SassKind::LocalStore)
                      .Default(SassKind::Other);
  if (I.base() == "BAR" && (I.has("SYNC") || I.has("RED")))
    return SassKind::Barrier;
  // The compiler waits for other things with the other scoreboards.
  if (I.base() == "DEPBAR" && I.has("LE") && usesScoreboardZero(I))
    return SassKind::AsyncWait;
  // `@!PT LDS RZ, [RZ]` fills a hole in front of LDGSTS; it never runs.
  if (I.Guard == "@!PT")
    return SassKind::Other;
  return Kind;
}

static bool isZero(StringRef Operand) {
  Operand.consume_front("-");
  Operand.consume_back(".H0_H0");
  return Operand == "RZ" || Operand == "URZ";
}

static bool isRegister(StringRef Operand) {
  Operand.consume_front("-");
  return Operand.starts_with("R") && !Operand.starts_with("RZ");
}

/// `IMAD R1, R2, R3, R4`: everything else is an address, a shift or a move.
static bool isPlainMultiplyAdd(const SassInstruction &I) {
  return (I.Opcode == "IMAD" || I.Opcode == "IMAD.U32") &&
         I.Operands.size() == 4 && isRegister(I.Operands[1]) &&
         isRegister(I.Operands[2]) && isRegister(I.Operands[3]);
}

SassMath mathOf(const SassInstruction &I) {
  StringRef Base = I.base();
  if (Base.ends_with("MMA")) // HMMA, IMMA, DMMA, HGMMA, QMMA, UTCHMMA, ...
    return SassMath::Tensor;
  bool Constant =
      I.Operands.size() > 2 && isZero(I.Operands[1]) && isZero(I.Operands[2]);
  if (Constant)
    return SassMath::None;
  if (Base == "IMAD")
    return isPlainMultiplyAdd(I) ? SassMath::Integer : SassMath::None;
  return StringSwitch<SassMath>(Base)
      .Cases("FFMA", "FFMA2", "DFMA", "HFMA2", "IDP", SassMath::Fused)
      .Cases("FADD", "FMUL", "DADD", "DMUL", "HADD2", "HMUL2", SassMath::Simple)
      .Cases("FADD2", "FMUL2", "FMNMX", "IMNMX", "VIMNMX", SassMath::Simple)
      .Cases("VIADDMNMX", "HMNMX2", "POPC", "VABSDIFF", SassMath::Simple)
      .Default(SassMath::None);
}

unsigned accessBytes(const SassInstruction &I) {
  if (I.base() == "LDGSTS" && !I.Operands.empty() && I.Operands.back() == "!PT")
    return 0;
  if (I.has("128"))
    return 16;
  if (I.has("64"))
    return 8;
  if (I.has("U16") || I.has("S16"))
    return 2;
  if (I.has("U8") || I.has("S8"))
    return 1;
  return 4;
}

std::optional<unsigned> pendingGroups(const SassInstruction &I) {
  unsigned Groups = 0;
  if (kindOf(I) != SassKind::AsyncWait || I.Operands.size() < 2 ||
      StringRef(I.Operands[1]).getAsInteger(0, Groups))
    return std::nullopt;
  return Groups;
}

/// The register of an operand such as `-R12.reuse` or `R4.64`; none for RZ,
/// predicates, constants, addresses and uniform registers.
static std::optional<unsigned> registerNumber(StringRef Operand) {
  Operand = Operand.ltrim("-|!~");
  unsigned Number = 0;
  if (!Operand.consume_front("R") || Operand.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// Registers that the result takes.
static unsigned resultRegisters(const SassInstruction &I) {
  StringRef Base = I.base();
  if (mathOf(I) == SassMath::Tensor)
    return I.has("F16") && !I.has("F32") ? 2 : 4;
  if (Base == "LDSM")
    return I.has("4") ? 4 : I.has("2") ? 2 : 1;
  if (I.has("128"))
    return 4;
  bool Wide = I.has("64") || I.has("WIDE") || I.has("F64") || Base == "DFMA" ||
              Base == "DADD" || Base == "DMUL" || Base == "CS2R" ||
              Base == "FFMA2" || Base == "FADD2" || Base == "FMUL2";
  return Wide ? 2 : 1;
}

RegisterUse registersOf(const SassInstruction &I) {
  RegisterUse Use;
  SassKind Kind = kindOf(I);
  bool Stores = Kind == SassKind::SharedStore || Kind == SassKind::LocalStore ||
                I.base() == "STG" || I.base() == "ST";
  bool Loads = Kind == SassKind::GlobalLoad || Kind == SassKind::SharedLoad ||
               Kind == SassKind::LocalLoad;
  unsigned Width = resultRegisters(I);
  for (const std::string &Operand : I.Operands) {
    std::optional<unsigned> Number = registerNumber(Operand);
    if (!Number)
      continue;
    // The first register is the result, behind predicates if there are any.
    if (!Stores && !Use.Result)
      Use.Result = RegisterRange{*Number, Width};
    else if (!Loads)
      Use.Values.push_back({*Number, Width});
  }
  return Use;
}

} // namespace pipeline_rewrite
