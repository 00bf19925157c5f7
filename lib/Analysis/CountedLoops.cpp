#include "Analysis/CountedLoops.h"
#include "Analysis/CountingParts.h"
#include "Analysis/SpelledNames.h"
#include "Support/Words.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

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

/// \p E as a constant expression in the author's words: local variables that
/// never change are replaced by what they were initialised with. Empty if that
/// does not make it one.
std::string constantText(const Expr *E, const TreeContext &Tree,
                         unsigned Depth = 0) {
  if (isConstant(E, Tree.Context))
    return spelledAtom(E, Tree.Text);
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

/// Does a counter of \p Type start with the value of \p Init itself, whose words tell
/// its rounds?
bool startsUnchanged(const Expr *Init, QualType Type, const TreeContext &Tree) {
  const Expr *Plain = Init->IgnoreParenImpCasts();
  if (Type->isDependentType() || Plain->isTypeDependent())
    return true;
  if (!Plain->getType()->isIntegerType() || !Type->isIntegerType())
    return false;
  unsigned Bits = Tree.Context.getTypeSize(Type) - Type->isSignedIntegerType();
  if (std::optional<int64_t> Value = constantValue(Plain, Tree))
    return *Value >= 0 && (Bits >= 63 || *Value < int64_t(1) << Bits);
  return Tree.Context.getTypeSize(Plain->getType()) <= Tree.Context.getTypeSize(Type);
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

/// Are the counter's values the start and whole steps on it, as numbers are?
bool keepsCount(QualType Type, std::optional<int64_t> Bound, const CountedLoop &Loop,
                bool AtLeastOnce, const ASTContext &Context) {
  if (Type->isDependentType())
    return true;
  // Nobody asks whether the first step is one too far.
  if (AtLeastOnce && Context.getTypeSize(Type) < 32)
    return false;
  std::optional<int64_t> Step = Loop.StepValue;
  // Close to the end of the type a step forward is one back.
  if (Step && (*Step == 0 || *Step > std::numeric_limits<int32_t>::max()))
    return false;
  if (Bound && Step)
    return staysInRange(Type, *Bound, Loop.Inclusive, *Step, Context);
  return Context.getTypeSize(Type) >= 32;
}

/// How far \p Loop counts, where that is known.
void setExtent(CountedLoop &Loop, std::optional<int64_t> First, std::optional<int64_t> Bound,
               bool StartKnown, bool AtLeastOnce) {
  std::optional<int64_t> Step = Loop.StepValue;
  bool Forward = !Step || *Step > 0;
  int64_t Start = First.value_or(0);
  std::optional<int64_t> Last;
  if (Bound)
    Last = Loop.Inclusive ? *Bound : *Bound - 1;
  // Where nobody asks before the first round, it may start behind the end.
  bool Asked = !AtLeastOnce || (Last && Start <= *Last);
  if (Last && Forward && Asked && (First || (StartKnown && !AtLeastOnce))) {
    Loop.Least = Start;
    Loop.Most = *Last;
  }
  Loop.ConstantExtent = StartKnown && Forward && Asked && !Loop.Init.empty() &&
                        !Loop.Bound.empty() && !Loop.Step.empty();
  if (Loop.ConstantExtent && Last && Step) {
    int64_t Length = *Last - Start + 1;
    Loop.Trips = Length <= 0 ? 0 : (Length + *Step - 1) / *Step;
  }
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

std::optional<CountedLoop> recogniseCountedLoop(const Stmt *Loop,
                                                const TreeContext &Tree) {
  std::optional<CountingParts> Parts = countingParts(Loop, Tree);
  if (!Parts)
    return std::nullopt;
  const VarDecl *Var = Parts->Var;
  std::optional<Limit> Test = limitOf(Parts->Condition, Var, Tree);
  const Expr *Step = nullptr;
  if (!Test || !recogniseStep(Parts->Increment, Var, Step, Tree.Context))
    return std::nullopt;

  CountedLoop Found;
  Found.Var = Tree.Tables.variable(Var);
  Found.Inclusive = Test->Inclusive;
  Found.Bound = Test->text(Tree);
  Found.Step = Step ? constantText(Step, Tree) : "1";
  Found.Init = constantText(Parts->Init, Tree);
  Found.InitConstant = !Found.Init.empty();
  if (!Found.InitConstant)
    Found.Init = spelledAtom(Parts->Init, Tree.Text);
  Found.StartOpen = !Parts->StartFixed;
  bool Restarts = false; ///< what it starts with may be another value by now
  for (const VarDecl *Use : Parts->StartUses) {
    Found.StartUses.push_back(Tree.Tables.variable(Use));
    Restarts |= Tree.Model.isModified(Use) || Tree.Model.isAddressTaken(Use);
  }
  std::optional<int64_t> First = constantValue(Parts->Init, Tree);
  std::optional<int64_t> Bound = Test->value(Tree);
  Found.StepValue = Step ? constantValue(Step, Tree) : std::optional<int64_t>(1);
  if (!keepsCount(Var->getType(), Bound, Found, Parts->AtLeastOnce, Tree.Context))
    return std::nullopt;
  Found.InitIsZero = First == 0;
  Found.StepIsOne = Found.StepValue == 1 && (!Step || !Step->isValueDependent());
  bool StartKnown = Found.InitConstant || Tree.Uniform.isNonNegative(Parts->Init);
  setExtent(Found, First, Bound, StartKnown, Parts->AtLeastOnce);
  Found.ConstantExtent &= Found.InitConstant || (Parts->StartFixed && !Restarts);
  Found.ConstantExtent &= startsUnchanged(Parts->Init, Var->getType(), Tree);
  // The rounds are told by the words of its start and its step, in its body.
  for (const Expr *Part : {Parts->Init, Test->Bound, Test->Ahead, Step})
    Found.ConstantExtent &=
        !Part || meansTheSameAt(Part, Loop, Tree.Model.function());
  return Found;
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
  std::string Bound = spelledAtom(Test->Bound, Tree.Text);
  TilesLeft Left;
  Left.Counter = Tree.Tables.variable(Counter->Var);
  Left.Rest = parenthesised(Bound) + " - " + Counter->Var->getName().str();
  Left.Step = Counter->Step ? spelledAtom(Counter->Step, Tree.Text) : "1";
  Left.StepValue = *Step;
  Left.Inclusive = Test->Inclusive;
  return Bound.empty() || Left.Step.empty() ? std::nullopt : std::optional(Left);
}

} // namespace pipeline_rewrite
