#include "Analysis/KnownValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Initialisers that are followed from name to name.
constexpr unsigned MaxDepth = 8;

const ValueDecl *named(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Ref ? Ref->getDecl() : nullptr;
}

class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  explicit WriteFinder(const ValueDecl *D) : D(D) {}
  bool Found = false;
  bool VisitBinaryOperator(BinaryOperator *Op) {
    Found |= Op->isAssignmentOp() && named(Op->getLHS()) == D;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    Found |= (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf) &&
             named(Op->getSubExpr()) == D;
    return true;
  }

private:
  const ValueDecl *D;
};

std::optional<int64_t> combine(BinaryOperatorKind Opcode, int64_t A, int64_t B) {
  int64_t Result = 0;
  switch (Opcode) {
  case BO_Add:
    return __builtin_add_overflow(A, B, &Result) ? std::nullopt
                                                 : std::optional(Result);
  case BO_Sub:
    return __builtin_sub_overflow(A, B, &Result) ? std::nullopt
                                                 : std::optional(Result);
  case BO_Mul:
    return __builtin_mul_overflow(A, B, &Result) ? std::nullopt
                                                 : std::optional(Result);
  case BO_Div:
    return B > 0 ? std::optional(A / B) : std::nullopt;
  case BO_Rem:
    return B > 0 ? std::optional(A % B) : std::nullopt;
  case BO_Shl:
    return A >= 0 && A < (int64_t(1) << 32) && B >= 0 && B < 31
               ? std::optional(A << B)
               : std::nullopt;
  case BO_Shr:
    return B >= 0 && B < 63 ? std::optional(A >> B) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The step of a counter: `v += 2` is 2, `--v` is -1.
const Expr *stepOf(const Expr *Inc, const ValueDecl *Var, int &Sign) {
  Inc = Inc->IgnoreParenImpCasts();
  Sign = 0;
  if (const auto *Op = dyn_cast<UnaryOperator>(Inc)) {
    if (Op->isIncrementDecrementOp() && named(Op->getSubExpr()) == Var)
      Sign = Op->isIncrementOp() ? 1 : -1;
    return nullptr;
  }
  const auto *Op = dyn_cast<BinaryOperator>(Inc);
  if (!Op || named(Op->getLHS()) != Var)
    return nullptr;
  if (Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign) {
    Sign = Op->getOpcode() == BO_AddAssign ? 1 : -1;
    return Op->getRHS();
  }
  const auto *Sum = dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
  if (Op->getOpcode() != BO_Assign || !Sum || !Sum->isAdditiveOp() ||
      named(Sum->getLHS()) != Var)
    return nullptr;
  Sign = Sum->getOpcode() == BO_Add ? 1 : -1;
  return Sum->getRHS();
}

} // namespace

std::optional<int64_t> KnownValues::named(const std::string &Name) const {
  auto Known = Assumed.find(Name);
  return Known == Assumed.end() ? std::nullopt : std::optional(Known->second);
}

std::optional<int64_t> KnownValues::variable(const ValueDecl *D, IsFixed Fixed,
                                             unsigned Depth) const {
  const auto *Var = dyn_cast<VarDecl>(D);
  bool Keeps = Var && !isa<ParmVarDecl>(Var) && Var->getInit() &&
               (Var->isConstexpr() || Var->getType().isConstQualified() ||
                Fixed(Var));
  if (Keeps)
    if (std::optional<int64_t> Value = value(Var->getInit(), Fixed, Depth + 1))
      return Value;
  return named(D->getNameAsString());
}

std::optional<int64_t> KnownValues::value(const Expr *E, IsFixed Fixed,
                                          unsigned Depth) const {
  if (Depth > MaxDepth)
    return std::nullopt;
  Expr::EvalResult Result;
  if (!E->isValueDependent() && E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
    return Result.Val.getInt().getExtValue();
  E = E->IgnoreParenCasts();
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return Literal->getValue().getLimitedValue();
  if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return value(Substituted->getReplacement(), Fixed, Depth + 1);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return variable(Ref->getDecl(), Fixed, Depth);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return value(Pseudo->getSyntacticForm(), Fixed, Depth + 1);
  auto Member = [&](const Expr *Base, StringRef Name) -> std::optional<int64_t> {
    const auto *Ref = dyn_cast<DeclRefExpr>(Base->IgnoreParenCasts());
    return Ref ? named(Ref->getDecl()->getNameAsString() + "." + Name.str())
               : std::nullopt;
  };
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E))
    return Member(Property->getBaseExpr(), Property->getPropertyDecl()->getName());
  if (const auto *M = dyn_cast<MemberExpr>(E);
      M && M->getMemberDecl()->getDeclName().isIdentifier())
    return Member(M->getBase(), M->getMemberDecl()->getName());
  if (const auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Minus) {
    std::optional<int64_t> Inner = value(Op->getSubExpr(), Fixed, Depth + 1);
    return Inner ? combine(BO_Sub, 0, *Inner) : std::nullopt;
  }
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return std::nullopt;
  std::optional<int64_t> Left = value(Op->getLHS(), Fixed, Depth + 1);
  std::optional<int64_t> Right = value(Op->getRHS(), Fixed, Depth + 1);
  return Left && Right ? combine(Op->getOpcode(), *Left, *Right) : std::nullopt;
}

std::optional<int64_t> KnownValues::valueOf(const Expr *E, IsFixed Fixed) const {
  return E ? value(E, Fixed, 0) : std::nullopt;
}

std::optional<uint64_t> KnownValues::tripsOf(const ForStmt *For,
                                             IsFixed Fixed) const {
  const auto *Test =
      For->getCond()
          ? dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts())
          : nullptr;
  const ValueDecl *Var = Test ? pipeline_rewrite::named(Test->getLHS()) : nullptr;
  if (!Var || !For->getInc())
    return std::nullopt;
  const Expr *Init = nullptr;
  if (const auto *Decls = dyn_cast_or_null<DeclStmt>(For->getInit())) {
    for (const Decl *D : Decls->decls())
      if (D == Var)
        Init = cast<VarDecl>(D)->getInit();
  } else if (const auto *Set = dyn_cast_or_null<BinaryOperator>(For->getInit());
             Set && Set->getOpcode() == BO_Assign &&
             pipeline_rewrite::named(Set->getLHS()) == Var) {
    Init = Set->getRHS();
  }
  int Sign = 0;
  const Expr *StepExpr = stepOf(For->getInc(), Var, Sign);
  WriteFinder Writes(Var);
  Writes.TraverseStmt(const_cast<Stmt *>(For->getBody()));
  std::optional<int64_t> First = valueOf(Init, Fixed),
                         Bound = valueOf(Test->getRHS(), Fixed),
                         Step = StepExpr ? valueOf(StepExpr, Fixed) : 1;
  if (!Sign || Writes.Found || !First || !Bound || !Step || *Step <= 0)
    return std::nullopt;
  bool Up = Sign > 0;
  BinaryOperatorKind Opcode = Test->getOpcode();
  bool Strict = Opcode == (Up ? BO_LT : BO_GT) || Opcode == BO_NE;
  if (!Strict && Opcode != (Up ? BO_LE : BO_GE))
    return std::nullopt;
  int64_t Length = (Up ? *Bound - *First : *First - *Bound) + (Strict ? 0 : 1);
  if (Opcode == BO_NE && Length % *Step != 0)
    return std::nullopt; // it never ends there
  return Length <= 0 ? 0 : (Length + *Step - 1) / *Step;
}

std::optional<uint64_t> KnownValues::bytesOf(QualType Type) const {
  uint64_t Elements = 1;
  auto Never = [](const VarDecl *) { return false; };
  while (const ArrayType *Array = Context.getAsArrayType(Type)) {
    std::optional<int64_t> Extent;
    if (const auto *Constant = dyn_cast<ConstantArrayType>(Array))
      Extent = Constant->getSize().getLimitedValue();
    else if (const auto *Open = dyn_cast<DependentSizedArrayType>(Array))
      Extent = valueOf(Open->getSizeExpr(), Never);
    if (!Extent || *Extent <= 0 || *Extent > (int64_t(1) << 31))
      return std::nullopt;
    Elements *= *Extent;
    Type = Array->getElementType();
  }
  if (Type->isDependentType() || Type->isIncompleteType())
    return std::nullopt;
  return Elements * Context.getTypeSizeInChars(Type).getQuantity();
}

} // namespace pipeline_rewrite
