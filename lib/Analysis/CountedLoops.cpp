#include "Analysis/CountedLoops.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

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

/// The step of `v += Step`, `v = v + Step`, `++v` and `v++`; null for one.
bool recogniseStep(const Expr *Inc, const ValueDecl *Var, const Expr *&Step) {
  Inc = Inc->IgnoreParenImpCasts();
  Step = nullptr;
  if (const auto *Op = dyn_cast<UnaryOperator>(Inc))
    return Op->isIncrementOp() && refersTo(Op->getSubExpr(), Var);
  const auto *Op = dyn_cast<BinaryOperator>(Inc);
  if (!Op || !refersTo(Op->getLHS(), Var))
    return false;
  if (Op->getOpcode() == BO_AddAssign) {
    Step = Op->getRHS();
    return true;
  }
  const auto *Sum = dyn_cast<BinaryOperator>(stripCasts(Op->getRHS()));
  if (Op->getOpcode() != BO_Assign || !Sum || Sum->getOpcode() != BO_Add)
    return false;
  Step = refersTo(Sum->getLHS(), Var) ? Sum->getRHS() : Sum->getLHS();
  return refersTo(Sum->getLHS(), Var) || refersTo(Sum->getRHS(), Var);
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

private:
  const ValueDecl *D;
};

std::string spelled(const Expr *E, const SourceText &Text) {
  std::optional<TextRange> Range = Text.editable(E->getSourceRange());
  return Range ? Text.text(*Range).str() : std::string();
}

} // namespace

std::optional<CountedLoop> recogniseCountedLoop(const ForStmt *For,
                                                const TreeContext &Tree) {
  const auto *Decls = dyn_cast_or_null<DeclStmt>(For->getInit());
  const VarDecl *Var = Decls && Decls->isSingleDecl()
                           ? dyn_cast<VarDecl>(Decls->getSingleDecl())
                           : nullptr;
  if (!Var || !Var->getInit() || !For->getCond() || !For->getInc())
    return std::nullopt;
  const auto *Test = dyn_cast<BinaryOperator>(For->getCond()->IgnoreParenImpCasts());
  const Expr *Step = nullptr;
  if (!Test || !refersTo(Test->getLHS(), Var) ||
      (Test->getOpcode() != BO_LT && Test->getOpcode() != BO_LE) ||
      !recogniseStep(For->getInc(), Var, Step))
    return std::nullopt;
  WriteFinder Writes(Var);
  Writes.TraverseStmt(const_cast<Stmt *>(For->getBody()));
  if (Writes.Found)
    return std::nullopt;

  CountedLoop Loop;
  Loop.Var = Tree.Tables.variable(Var);
  Loop.Init = spelled(Var->getInit(), Tree.Text);
  Loop.Bound = spelled(Test->getRHS(), Tree.Text);
  Loop.Step = Step ? spelled(Step, Tree.Text) : "1";
  Loop.Inclusive = Test->getOpcode() == BO_LE;
  std::optional<int64_t> First = valueOf(Var->getInit(), Tree.Context);
  std::optional<int64_t> Bound = valueOf(Test->getRHS(), Tree.Context);
  std::optional<int64_t> StepValue =
      Step ? valueOf(Step, Tree.Context) : std::optional<int64_t>(1);
  Loop.InitIsZero = First == 0;
  Loop.StepIsOne = StepValue == 1 && (!Step || !Step->isValueDependent());
  Loop.InitConstant = First.has_value() || isConstant(Var->getInit(), Tree.Context);
  bool StartKnown =
      Loop.InitConstant || Tree.Uniform.isNonNegative(Var->getInit());
  Loop.ConstantExtent = StartKnown && isConstant(Test->getRHS(), Tree.Context) &&
                        (!Step || isConstant(Step, Tree.Context)) &&
                        (!StepValue || *StepValue > 0) && !Loop.Init.empty() &&
                        !Loop.Bound.empty() && !Loop.Step.empty();
  if (Loop.ConstantExtent && Bound && StepValue) {
    int64_t Length = *Bound - First.value_or(0) + (Loop.Inclusive ? 1 : 0);
    Loop.Trips = Length <= 0 ? 0 : (Length + *StepValue - 1) / *StepValue;
  }
  return Loop;
}

} // namespace pipeline_rewrite
