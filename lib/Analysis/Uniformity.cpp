#include "Analysis/Uniformity.h"
#include "Analysis/KnownFunctions.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

bool namesThreadIndex(const Expr *E) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return isBuiltinIndex(Ref->getDecl()) &&
           Ref->getDecl()->getName() == "threadIdx";
  return false;
}

bool yieldsThreadValue(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return false;
  std::optional<KnownFunction> Known =
      lookUpFunction(Callee->getQualifiedNameAsString(), Call);
  return Known && (Known->Behaviour == KnownBehaviour::ThreadValue ||
                   Known->Behaviour == KnownBehaviour::AtomicPointer);
}

const ValueDecl *assignedVariable(const Expr *Target) {
  const Expr *Base = stripCasts(Target);
  while (true) {
    if (const auto *Member = dyn_cast<MemberExpr>(Base))
      Base = stripCasts(Member->getBase());
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base))
      Base = stripCasts(Subscript->getBase());
    else
      break;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Base);
  return Ref ? Ref->getDecl() : nullptr;
}

} // namespace

Uniformity::Uniformity(const MemoryModel &Model, const FunctionDecl *F)
    : Model(Model) {
  while (spread(F->getBody(), false)) {
  }
}

bool Uniformity::isThreadDependent(const Expr *E) const {
  if (!E)
    return false;
  if (namesThreadIndex(E))
    return true;
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return isThreadDependent(Pseudo->getSyntacticForm());
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E))
    return isThreadDependent(Property->getBaseExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return isThreadDependent(Opaque->getSourceExpr());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return Tainted.contains(Ref->getDecl());
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && yieldsThreadValue(Call))
    return true;
  if (isa<LambdaExpr>(E))
    return false;
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child);
        Sub && isThreadDependent(Sub))
      return true;
  return false;
}

/// One pass over the assignments below \p S; true if anything new was tainted.
bool Uniformity::spread(const Stmt *S, bool UnderDivergence) {
  if (!S)
    return false;
  bool Changed = false;
  auto Taint = [&](const ValueDecl *D) {
    if (D && !D->hasAttr<CUDASharedAttr>())
      Changed |= Tainted.insert(D).second;
  };
  if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->getInit() && isThreadDependent(Var->getInit()))
        Taint(Var);
  } else if (const auto *Op = dyn_cast<BinaryOperator>(S);
             Op && Op->isAssignmentOp()) {
    if (UnderDivergence || isThreadDependent(Op->getRHS()))
      Taint(assignedVariable(Op->getLHS()));
  } else if (const auto *Op = dyn_cast<UnaryOperator>(S);
             Op && Op->isIncrementDecrementOp()) {
    if (UnderDivergence)
      Taint(assignedVariable(Op->getSubExpr()));
  } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
             Op && Op->isAssignmentOp() && Op->getNumArgs() == 2) {
    if (UnderDivergence || isThreadDependent(Op->getArg(1)))
      Taint(assignedVariable(Op->getArg(0)));
  }
  bool Divergent = UnderDivergence;
  if (const auto *If = dyn_cast<IfStmt>(S))
    Divergent |= isThreadDependent(If->getCond());
  else if (const auto *For = dyn_cast<ForStmt>(S))
    Divergent |= For->getCond() && isThreadDependent(For->getCond());
  else if (const auto *While = dyn_cast<WhileStmt>(S))
    Divergent |= isThreadDependent(While->getCond());
  for (const Stmt *Child : S->children())
    Changed |= spread(Child, Divergent);
  return Changed;
}

bool Uniformity::isNonNegative(const Expr *E) const {
  if (!E)
    return false;
  E = stripCasts(E);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return isNonNegative(Pseudo->getSyntacticForm());
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E))
    return isNonNegative(Property->getBaseExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return isNonNegative(Opaque->getSourceExpr());
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return !Literal->getValue().isNegative();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return isNonNegative(Member->getBase());
  if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return isNonNegative(Substituted->getReplacement());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = Ref->getDecl();
    if (isBuiltinIndex(D) || D->getType()->isUnsignedIntegerType())
      return true;
    if (const auto *Var = dyn_cast<VarDecl>(D); Var && !Model.isModified(D))
      return Var->getInit() && isNonNegative(Var->getInit());
    if (const auto *Parameter = dyn_cast<NonTypeTemplateParmDecl>(D))
      return Parameter->getType()->isUnsignedIntegerType();
    return false;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    switch (Op->getOpcode()) {
    case BO_Add:
    case BO_Mul:
    case BO_Div:
    case BO_Or:
      return isNonNegative(Op->getLHS()) && isNonNegative(Op->getRHS());
    case BO_Rem:
    case BO_Shr:
    case BO_Shl:
      return isNonNegative(Op->getLHS());
    case BO_And:
      return isNonNegative(Op->getLHS()) || isNonNegative(Op->getRHS());
    default:
      return false;
    }
  }
  return false;
}

} // namespace pipeline_rewrite
