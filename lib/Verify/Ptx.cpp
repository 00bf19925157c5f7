#include "Verify/Ptx.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace pipeline_rewrite {

bool PtxInstruction::has(StringRef Part) const {
  return any_of(Parts, [&](const std::string &P) {
    // A part may carry a state space's window: shared::cta.
    return P == Part || StringRef(P).starts_with(Part.str() + "::");
  });
}

/// LLVM escapes what means something in its own asm templates, and PTX may
/// hold comments.
static std::string plainText(StringRef Text) {
  std::string Plain;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text.substr(I).starts_with("//")) {
      I = std::min(Text.find('\n', I), Text.size());
      continue;
    }
    if (Text.substr(I).starts_with("/*")) {
      size_t End = Text.find("*/", I + 2);
      I = End == StringRef::npos ? Text.size() : End + 1;
      continue;
    }
    if (Text[I] == '$' && I + 1 < Text.size() &&
        StringRef("()|$").contains(Text[I + 1])) {
      char Next = Text[++I];
      Plain += Next == '(' ? '{' : Next == ')' ? '}' : Next;
      continue;
    }
    // ${0:x} is operand 0 with a modifier that PTX does not need.
    if (Text.substr(I).starts_with("${")) {
      size_t End = Text.find('}', I);
      StringRef Inside = Text.slice(I + 2, End);
      Plain += "$" + Inside.split(':').first.str();
      I = End;
      continue;
    }
    Plain += isspace(static_cast<unsigned char>(Text[I])) ? ' ' : Text[I];
  }
  return Plain;
}

static PtxInstruction parseOne(StringRef Text) {
  PtxInstruction I;
  I.Text = Text.str();
  if (Text.consume_front("@")) {
    I.PredicateNegated = Text.consume_front("!");
    auto [Predicate, Rest] = Text.split(' ');
    I.Predicate = Predicate.str();
    Text = Rest.ltrim();
  }
  auto [Head, Tail] = Text.split(' ');
  if (Head.starts_with(".")) {
    I.Name = Head.str();
    return I;
  }
  SmallVector<StringRef, 8> Parts;
  Head.split(Parts, '.');
  I.Name = Parts.front().str();
  for (StringRef Part : drop_begin(Parts))
    I.Parts.push_back(Part.str());
  SmallVector<StringRef, 16> Operands;
  Tail.split(Operands, ',', -1, false);
  for (StringRef Operand : Operands) {
    Operand = Operand.trim(" {}");
    if (!Operand.empty())
      I.Operands.push_back(Operand.str());
  }
  return I;
}

std::vector<PtxInstruction> parsePtx(StringRef Text) {
  std::string Plain = plainText(Text);
  std::vector<PtxInstruction> Result;
  SmallVector<StringRef, 8> Statements;
  StringRef(Plain).split(Statements, ';');
  for (StringRef Statement : Statements) {
    Statement = Statement.trim();
    // A brace before the first word opens a scope, one after the last closes
    // it.
    Statement = Statement.ltrim("{ ");
    if (Statement.trim(" }").empty())
      continue;
    while (Statement.starts_with("}"))
      Statement = Statement.drop_front().ltrim();
    Result.push_back(parseOne(Statement.rtrim()));
  }
  return Result;
}

std::optional<MmaShape> mmaShape(const PtxInstruction &I) {
  if (!I.has("sync") || !I.has("row") || !I.has("col"))
    return std::nullopt;
  // The types stand at the end: D, A, B, C.
  size_t N = I.Parts.size();
  if (N < 4)
    return std::nullopt;
  size_t End = I.Parts[N - 1] == "satfinite" ? N - 1 : N;
  StringRef D = I.Parts[End - 4], A = I.Parts[End - 3], B = I.Parts[End - 2],
            C = I.Parts[End - 1];
  if (A != B || D != C || I.has("satfinite"))
    return std::nullopt;
  bool K8 = I.has("m16n8k8"), K16 = I.has("m16n8k16"), K32 = I.has("m16n8k32"),
       K4 = I.has("m16n8k4");
  if (A == "f16" && D == "f32" && (K8 || K16))
    return MmaShape{4, K16 ? 4u : 2u, K16 ? 2u : 1u, K16 ? 16u : 8u, 0};
  if (A == "bf16" && D == "f32" && (K8 || K16))
    return MmaShape{4, K16 ? 4u : 2u, K16 ? 2u : 1u, K16 ? 16u : 8u, 1};
  if (A == "tf32" && D == "f32" && (K4 || K8))
    return MmaShape{4, K8 ? 4u : 2u, K8 ? 2u : 1u, K8 ? 8u : 4u, 2};
  if (A == "s8" && D == "s32" && (K16 || K32))
    return MmaShape{4, K32 ? 4u : 2u, K32 ? 2u : 1u, K32 ? 32u : 16u, 3};
  if (A == "f16" && D == "f16" && (K8 || K16))
    return MmaShape{2, K16 ? 4u : 2u, K16 ? 2u : 1u, K16 ? 16u : 8u, 4};
  return std::nullopt;
}

} // namespace pipeline_rewrite
