#include "Analysis/PlaceRanges.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/bit.h"

using namespace clang;

namespace pipeline_rewrite {

std::optional<int64_t> constantIndex(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType() ||
      !E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
    return std::nullopt;
  llvm::APSInt Value = Result.Val.getInt();
  // What is larger is no index.
  if (Value.getSignificantBits() > 40)
    return std::nullopt;
  return Value.getExtValue();
}

std::optional<int64_t> knownBytes(QualType Type, const ASTContext &Context) {
  if (Type->isDependentType() || Type->isIncompleteType() || Type->isFunctionType() ||
      Type->isVariableArrayType())
    return std::nullopt;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

std::optional<std::string> builtinIndexName(const Expr *E) {
  const Expr *Base = nullptr;
  std::string Axis;
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E)) {
    Base = Property->getBaseExpr();
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
      Base = Opaque->getSourceExpr();
    Axis = Property->getPropertyDecl()->getNameAsString();
  } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    Base = Member->getBase();
    Axis = Member->getMemberDecl()->getNameAsString();
  }
  const auto *Ref = Base ? dyn_cast<DeclRefExpr>(stripCasts(Base)) : nullptr;
  if (!Ref || !isBuiltinIndex(Ref->getDecl()))
    return std::nullopt;
  return Ref->getDecl()->getNameAsString() + "." + Axis;
}

std::optional<IndexRange> indexRange(const Expr *E, const ASTContext &Context,
                                     const MemoryModel &Model) {
  auto range = [&](const Expr *Inner) { return indexRange(Inner, Context, Model); };
  if (std::optional<int64_t> Number = constantIndex(E, Context))
    return IndexRange{*Number, *Number};
  E = withoutBraces(E->IgnoreParens());
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    std::optional<int64_t> Size = knownBytes(Cast->getType(), Context);
    bool Kept = Cast->getCastKind() == CK_LValueToRValue ||
                Cast->getCastKind() == CK_NoOp ||
                (Cast->getCastKind() == CK_IntegralCast && Size && *Size >= 4);
    return Kept ? range(Cast->getSubExpr()) : std::nullopt;
  }
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    E = Pseudo->getSyntacticForm();
  if (std::optional<std::string> Name = builtinIndexName(E))
    return llvm::StringRef(*Name).starts_with("threadIdx")
               ? std::optional<IndexRange>(IndexRange{0, MaxThreadIndex})
               : std::nullopt;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    bool Fixed = Var && Var->isLocalVarDecl() && Var->getInit() &&
                 Var->getType()->isIntegerType() && knownBytes(Var->getType(), Context) >= 4 &&
                 !Model.isModified(Var) && !Model.isAddressTaken(Var);
    return Fixed ? range(Var->getInit()) : std::nullopt;
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
  std::optional<int64_t> By = constantIndex(Op->getRHS(), Context);
  std::optional<IndexRange> Left = range(Op->getLHS());
  bool NotNegative = (Left && Left->Least >= 0) ||
                     Op->getLHS()->getType()->isUnsignedIntegerType();
  switch (Op->getOpcode()) {
  case BO_And:
    return By && *By >= 0 ? std::optional<IndexRange>(IndexRange{0, *By}) : std::nullopt;
  case BO_Rem:
    if (!By || *By <= 0)
      return std::nullopt;
    return IndexRange{NotNegative ? 0 : 1 - *By, *By - 1};
  case BO_Div:
    return By && *By > 0 && Left && Left->Least >= 0
               ? std::optional<IndexRange>(IndexRange{Left->Least / *By, Left->Most / *By})
               : std::nullopt;
  case BO_Shr:
    return By && *By >= 0 && *By < 32 && Left && Left->Least >= 0
               ? std::optional<IndexRange>(IndexRange{Left->Least >> *By, Left->Most >> *By})
               : std::nullopt;
  case BO_Xor: {
    std::optional<IndexRange> Right = range(Op->getRHS());
    if (!Left || !Right || Left->Least < 0 || Right->Least < 0)
      return std::nullopt;
    return IndexRange{0, int64_t(llvm::bit_ceil(uint64_t(std::max(Left->Most, Right->Most)) + 1)) - 1};
  }
  default:
    return std::nullopt;
  }
}

} // namespace pipeline_rewrite
