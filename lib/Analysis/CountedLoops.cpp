#include "Analysis/CountedLoops.h"
#include "Support/Words.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// True if \p E is a constant expression in every instantiation: it has a
/// value now, or is made of template parameters and constants only.
class ConstantCheck : public RecursiveASTVisitor<ConstantCheck> {
public:
  bool Constant = true;
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const ValueDecl *D = Ref->getDecl();
    if (isa<NonTypeTemplateParmDecl, EnumConstantDecl>(D))
      return true;
    const auto *Var = dyn_cast<VarDecl>(D);
    if (Var && (Var->isConstexpr() || Var->getType().isConstQualified()) &&
        Var->getInit() && !isa<ParmVarDecl>(Var))
      return TraverseStmt(const_cast<Expr *>(Var->getInit()));
    return Constant = false;
  }
  bool VisitCallExpr(CallExpr *) { return Constant = false; }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *) { return Constant = false; }
  bool VisitMSPropertyRefExpr(MSPropertyRefExpr *) { return Constant = false; }
};

std::optional<int64_t> valueOf(const Expr *E, const ASTContext &Context) {
  if (E->isValueDependent())
    return std::nullopt;
  Expr::EvalResult Result;
  if (!E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

bool isConstant(const Expr *E, const ASTContext &Context) {
  if (valueOf(E, Context))
    return true;
  ConstantCheck Check;
  Check.TraverseStmt(const_cast<Expr *>(E));
  return Check.Constant && E->isValueDependent();
}

bool refersTo(const Expr *E, const ValueDecl *D) {
  const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E));
  return Ref && Ref->getDecl() == D;
}

/// Looks through what leaves a number as it is for a variable of \p Type: casts
/// to integers that are as wide at least. `(short)(k + 32)` starts anew.
const Expr *stripWidening(const Expr *E, QualType Type, const ASTContext &Context) {
  for (;;) {
    const Expr *Inner = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(Inner))
      Inner = Full->getSubExpr();
    if (const auto *Cast = dyn_cast<CastExpr>(Inner)) {
      QualType To = Cast->getType();
      bool Kept = Cast->getCastKind() == CK_LValueToRValue ||
                  Cast->getCastKind() == CK_NoOp ||
                  Context.hasSameUnqualifiedType(To, Type);
      if (!Kept && Cast->getCastKind() == CK_IntegralCast &&
          !Type->isDependentType() && !To->isBooleanType())
        Kept = Context.getTypeSize(To) >= Context.getTypeSize(Type);
      if (Cast->isGLValue())
        Kept = Cast->getCastKind() == CK_NoOp;
      if (!Kept)
        return Inner;
      Inner = Cast->getSubExpr();
    }
    if (Inner == E)
      return E;
    E = Inner;
  }
}

/// Is \p E the value of \p D, unchanged?
bool isValueOf(const Expr *E, const ValueDecl *D, const ASTContext &Context) {
  const auto *Ref = dyn_cast<DeclRefExpr>(stripWidening(E, D->getType(), Context));
  return Ref && Ref->getDecl() == D;
}

/// The step of `v += Step`, `v = v + Step`, `++v` and `v++`; null for one.
bool recogniseStep(const Expr *Inc, const ValueDecl *Var, const Expr *&Step,
                   const ASTContext &Context) {
  Inc = Inc->IgnoreParenImpCasts();
  Step = nullptr;
  auto Is = [&](const Expr *E) { return isValueOf(E, Var, Context); };
  if (const auto *Op = dyn_cast<UnaryOperator>(Inc))
    return Op->isIncrementOp() && Is(Op->getSubExpr());
  const auto *Op = dyn_cast<BinaryOperator>(Inc);
  if (!Op || !Is(Op->getLHS()))
    return false;
  if (Op->getOpcode() == BO_AddAssign) {
    Step = Op->getRHS();
    return true;
  }
  const auto *Sum = dyn_cast<BinaryOperator>(
      stripWidening(Op->getRHS(), Var->getType(), Context));
  if (Op->getOpcode() != BO_Assign || !Sum || Sum->getOpcode() != BO_Add)
    return false;
  Step = Is(Sum->getLHS()) ? Sum->getRHS() : Sum->getLHS();
  return Is(Sum->getLHS()) || Is(Sum->getRHS());
}

/// Does `v < Bound` hold the counter back before v + Step wraps?
bool staysInRange(QualType Type, int64_t Bound, bool Inclusive, int64_t Step,
                  const ASTContext &Context) {
  if (!Type->isIntegerType() || Type->isBooleanType())
    return false;
  unsigned Bits = Context.getTypeSize(Type) - Type->isSignedIntegerType();
  if (Bits >= 63)
    return true;
  int64_t Most = (int64_t(1) << Bits) - 1;
  int64_t Last = Inclusive ? Bound : Bound - 1;
  return Step <= Most && Last <= Most - Step;
}

class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  explicit WriteFinder(const ValueDecl *D) : D(D) {}
  bool Found = false;
  bool VisitBinaryOperator(BinaryOperator *Op) {
    Found |= Op->isAssignmentOp() && refersTo(Op->getLHS(), D);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    Found |= (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf) &&
             refersTo(Op->getSubExpr(), D);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      // What a method is called on comes first among an operator's arguments.
      unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa_and_nonnull<CXXMethodDecl>(Callee);
      QualType Taken = Callee && I >= Skip && I - Skip < Callee->getNumParams()
                           ? Callee->getParamDecl(I - Skip)->getType()
                           : QualType();
      Found |= !Taken.isNull() && Taken->isLValueReferenceType() &&
               !Taken.getNonReferenceType().isConstQualified() &&
               refersTo(Call->getArg(I), D);
    }
    return true;
  }

private:
  const ValueDecl *D;
};

/// \p E as a constant expression in the author's words: local variables that
/// never change are replaced by what they were initialised with. Empty if that
/// does not make it one.
std::string constantText(const Expr *E, const TreeContext &Tree,
                         unsigned Depth = 0) {
  if (isConstant(E, Tree.Context))
    return Tree.Text.spelled(E->getSourceRange());
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Depth > 4 || !Var || isa<ParmVarDecl>(Var) || !Var->getInit() ||
        !Var->getType()->isIntegerType() || Tree.Model.isModified(Var) ||
        Tree.Model.isAddressTaken(Var))
      return "";
    std::string Text = constantText(Var->getInit(), Tree, Depth + 1);
    return Text.empty() ? Text : "(" + Text + ")";
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(Inner)) {
    if (!Op->isMultiplicativeOp() && !Op->isAdditiveOp())
      return "";
    std::string Left = constantText(Op->getLHS(), Tree, Depth + 1);
    std::string Right = constantText(Op->getRHS(), Tree, Depth + 1);
    if (Left.empty() || Right.empty())
      return "";
    return "(" + Left + " " + Op->getOpcodeStr().str() + " " + Right + ")";
  }
  return "";
}

std::optional<int64_t> constantValue(const Expr *E, const TreeContext &Tree,
                                     unsigned Depth = 0) {
  if (std::optional<int64_t> Value = valueOf(E, Tree.Context))
    return Value;
  const Expr *Inner = E->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Inner)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    bool Fixed = Depth <= 4 && Var && !isa<ParmVarDecl>(Var) && Var->getInit() &&
                 !Tree.Model.isModified(Var) && !Tree.Model.isAddressTaken(Var);
    return Fixed ? constantValue(Var->getInit(), Tree, Depth + 1) : std::nullopt;
  }
  const auto *Op = dyn_cast<BinaryOperator>(Inner);
  if (!Op)
    return std::nullopt;
  std::optional<int64_t> Left = constantValue(Op->getLHS(), Tree, Depth + 1);
  std::optional<int64_t> Right = constantValue(Op->getRHS(), Tree, Depth + 1);
  if (!Left || !Right)
    return std::nullopt;
  switch (Op->getOpcode()) {
  case BO_Add:
    return *Left + *Right;
  case BO_Sub:
    return *Left - *Right;
  case BO_Mul:
    return *Left * *Right;
  case BO_Div:
    return *Right ? std::optional<int64_t>(*Left / *Right) : std::nullopt;
  case BO_Rem:
    return *Right ? std::optional<int64_t>(*Left % *Right) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// `v < Bound`, or `v + Ahead < Bound` as loops with a remainder spell it.
struct Limit {
  const Expr *Bound = nullptr, *Ahead = nullptr;
  bool Inclusive = false;

  /// What v itself stays below, in the author's words.
  std::string text(const TreeContext &Tree) const {
    std::string Right = constantText(Bound, Tree);
    std::string Less = Ahead ? constantText(Ahead, Tree) : "";
    if (!Ahead || Right.empty() || Less.empty())
      return Ahead ? "" : Right;
    return "((" + Right + ") - (" + Less + "))";
  }
  std::optional<int64_t> value(const TreeContext &Tree) const {
    std::optional<int64_t> Right = constantValue(Bound, Tree);
    std::optional<int64_t> Less =
        Ahead ? constantValue(Ahead, Tree) : std::optional<int64_t>(0);
    return Right && Less ? std::optional<int64_t>(*Right - *Less) : std::nullopt;
  }
};

std::optional<Limit> limitOf(const Expr *Condition, const ValueDecl *Var,
                             const TreeContext &Tree) {
  const auto *Test = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Test || (Test->getOpcode() != BO_LT && Test->getOpcode() != BO_LE))
    return std::nullopt;
  Limit Found;
  Found.Bound = Test->getRHS();
  Found.Inclusive = Test->getOpcode() == BO_LE;
  auto Is = [&](const Expr *E) { return isValueOf(E, Var, Tree.Context); };
  if (Is(Test->getLHS()))
    return Found;
  const auto *Sum = dyn_cast<BinaryOperator>(
      stripWidening(Test->getLHS(), Var->getType(), Tree.Context));
  if (!Sum || Sum->getOpcode() != BO_Add || Is(Sum->getLHS()) == Is(Sum->getRHS()))
    return std::nullopt;
  Found.Ahead = Is(Sum->getLHS()) ? Sum->getRHS() : Sum->getLHS();
  // Below zero the difference would wrap where the sum does not.
  std::optional<int64_t> Less = constantValue(Found.Ahead, Tree);
  std::optional<int64_t> Left = Found.value(Tree);
  if ((Less && *Less < 0) || (Left && *Left < 0))
    return std::nullopt;
  return Found;
}

/// Is \p E made of numbers and of variables that never change?
bool staysTheSame(const Expr *E, const TreeContext &Tree) {
  E = E->IgnoreParens();
  if (isa<IntegerLiteral, SubstNonTypeTemplateParmExpr>(E))
    return true;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return isConstant(Ref, Tree.Context) ||
           (Var && Var->isLocalVarDeclOrParm() && !Var->isStaticLocal() &&
            !Var->getType().isVolatileQualified() && !Var->getType()->isReferenceType() &&
            !Tree.Model.isModified(Var) && !Tree.Model.isAddressTaken(Var));
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return Cast->getType()->isIntegerType() && staysTheSame(Cast->getSubExpr(), Tree);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  return Op && (Op->isMultiplicativeOp() || Op->isAdditiveOp()) &&
         staysTheSame(Op->getLHS(), Tree) && staysTheSame(Op->getRHS(), Tree);
}

/// Is \p Type a signed integer that no arithmetic widens, so that leaving its
/// range is an error of the author's?
bool isSignedNumber(QualType Type, const ASTContext &Context) {
  return isAddressInteger(Type, Context) && Type->isSignedIntegerType();
}

/// Is the sum of a loop's third part worked out with a sign?
bool addsSigned(const Expr *Inc, const ASTContext &Context) {
  const auto *Op = dyn_cast<BinaryOperator>(Inc->IgnoreParenImpCasts());
  if (const auto *Compound = dyn_cast_or_null<CompoundAssignOperator>(Op))
    return isSignedNumber(Compound->getComputationResultType(), Context);
  return !Op || isSignedNumber(stripCasts(Op->getRHS())->getType(), Context);
}

} // namespace

bool isAddressInteger(QualType Type, const ASTContext &Context) {
  if (Type->isDependentType() || !Type->isIntegerType() || Type->isEnumeralType())
    return false;
  uint64_t Bits = Context.getTypeSize(Type);
  return Bits == 64 || (Bits == 32 && Type->isSignedIntegerType());
}

std::optional<LoopCounter> loopCounter(const ForStmt *For,
                                       const ASTContext &Context) {
  const Expr *Inc = For->getInc();
  if (!Inc)
    return std::nullopt;
  const Expr *Plain = Inc->IgnoreParenImpCasts();
  const Expr *Target = nullptr;
  if (const auto *Op = dyn_cast<UnaryOperator>(Plain))
    Target = Op->getSubExpr();
  else if (const auto *Op = dyn_cast<BinaryOperator>(Plain))
    Target = Op->getLHS();
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Target ? stripCasts(Target) : nullptr);
  LoopCounter Counter;
  Counter.Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Counter.Var || !recogniseStep(Inc, Counter.Var, Counter.Step, Context) ||
      !isAddressInteger(Counter.Var->getType(), Context))
    return std::nullopt;
  const auto *Init = dyn_cast_or_null<DeclStmt>(For->getInit());
  Counter.OwnVariable = Init && llvm::is_contained(Init->decls(), Counter.Var);
  // `k += 32u` is done without a sign.
  if (const auto *Op = dyn_cast<CompoundAssignOperator>(Plain);
      Op && !isAddressInteger(Op->getComputationResultType(), Context))
    return std::nullopt;
  if (const auto *Op = dyn_cast<BinaryOperator>(Plain);
      Op && !Op->isCompoundAssignmentOp() &&
      !isAddressInteger(stripCasts(Op->getRHS())->getType(), Context))
    return std::nullopt;
  return Counter;
}

std::optional<CountedLoop> recogniseCountedLoop(const ForStmt *For,
                                                const TreeContext &Tree) {
  const auto *Decls = dyn_cast_or_null<DeclStmt>(For->getInit());
  const VarDecl *Var = Decls && Decls->isSingleDecl()
                           ? dyn_cast<VarDecl>(Decls->getSingleDecl())
                           : nullptr;
  if (!Var || !Var->getInit() || !For->getCond() || !For->getInc())
    return std::nullopt;
  std::optional<Limit> Test = limitOf(For->getCond(), Var, Tree);
  const Expr *Step = nullptr;
  if (!Test || !recogniseStep(For->getInc(), Var, Step, Tree.Context) ||
      Tree.Model.isAddressTaken(Var))
    return std::nullopt;
  WriteFinder Writes(Var);
  Writes.TraverseStmt(const_cast<Stmt *>(For->getBody()));
  if (Writes.Found)
    return std::nullopt;

  CountedLoop Loop;
  Loop.Var = Tree.Tables.variable(Var);
  Loop.Inclusive = Test->Inclusive;
  Loop.Bound = Test->text(Tree);
  Loop.Step = Step ? constantText(Step, Tree) : "1";
  Loop.Init = constantText(Var->getInit(), Tree);
  Loop.InitConstant = !Loop.Init.empty();
  if (!Loop.InitConstant)
    Loop.Init = Tree.Text.spelled(Var->getInit()->getSourceRange());
  std::optional<int64_t> First = constantValue(Var->getInit(), Tree);
  std::optional<int64_t> Bound = Test->value(Tree);
  std::optional<int64_t> StepValue =
      Step ? constantValue(Step, Tree) : std::optional<int64_t>(1);
  if (Bound && StepValue && !Var->getType()->isDependentType() &&
      !staysInRange(Var->getType(), *Bound, Loop.Inclusive, *StepValue, Tree.Context))
    return std::nullopt;
  Loop.InitIsZero = First == 0;
  Loop.StepValue = StepValue;
  Loop.StepIsOne = StepValue == 1 && (!Step || !Step->isValueDependent());
  bool StartKnown =
      Loop.InitConstant || Tree.Uniform.isNonNegative(Var->getInit());
  if (Bound && (First || StartKnown) && (!StepValue || *StepValue > 0)) {
    Loop.Least = First.value_or(0);
    Loop.Most = Loop.Inclusive ? *Bound : *Bound - 1;
  }
  Loop.ConstantExtent = StartKnown && (!StepValue || *StepValue > 0) &&
                        !Loop.Init.empty() && !Loop.Bound.empty() &&
                        !Loop.Step.empty();
  if (Loop.ConstantExtent && Bound && StepValue) {
    int64_t Length = *Bound - First.value_or(0) + (Loop.Inclusive ? 1 : 0);
    Loop.Trips = Length <= 0 ? 0 : (Length + *StepValue - 1) / *StepValue;
  }
  return Loop;
}

std::optional<TilesLeft> tilesLeft(const ForStmt *For, const TreeContext &Tree) {
  const ASTContext &Context = Tree.Context;
  std::optional<LoopCounter> Counter = loopCounter(For, Context);
  if (!Counter || !Counter->OwnVariable || !For->getCond() || !Counter->Var->getInit() ||
      !isSignedNumber(Counter->Var->getType(), Context) ||
      !addsSigned(For->getInc(), Context))
    return std::nullopt;
  std::optional<Limit> Test = limitOf(For->getCond(), Counter->Var, Tree);
  std::optional<int64_t> First = constantValue(Counter->Var->getInit(), Tree);
  std::optional<int64_t> Step =
      Counter->Step ? constantValue(Counter->Step, Tree) : std::optional<int64_t>(1);
  if (!Test || Test->Ahead || !First || *First < 0 || !Step || *Step <= 0 ||
      !Test->Bound->getType()->isIntegerType() || !staysTheSame(Test->Bound, Tree))
    return std::nullopt;
  std::string Bound = Tree.Text.spelled(Test->Bound->getSourceRange());
  TilesLeft Left;
  Left.Counter = Tree.Tables.variable(Counter->Var);
  Left.Rest = parenthesised(Bound) + " - " + Counter->Var->getName().str();
  Left.Step = Counter->Step ? Tree.Text.spelled(Counter->Step->getSourceRange()) : "1";
  Left.StepValue = *Step;
  Left.Inclusive = Test->Inclusive;
  return Bound.empty() || Left.Step.empty() ? std::nullopt : std::optional(Left);
}

} // namespace pipeline_rewrite
