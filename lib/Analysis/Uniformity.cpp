#include "Analysis/Uniformity.h"
#include "Analysis/KnownFunctions.h"
#include "Analysis/LoopFinder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <set>

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

bool containsJump(const Stmt *S) {
  if (!S)
    return false;
  if (isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(S))
    return true;
  if (isLoop(S)) // its own jumps stay in it
    return false;
  return llvm::any_of(S->children(), containsJump);
}

/// May \p Pointer point to a local variable? A kernel's parameters do not, and
/// what a function is handed belongs to its caller.
bool mayPointToLocal(const Expr *Pointer) {
  Pointer = stripCasts(Pointer);
  while (const auto *Op = dyn_cast<BinaryOperator>(Pointer)) {
    if (!Op->isAdditiveOp())
      return true;
    bool Left = Op->getLHS()->getType()->isPointerType();
    Pointer = stripCasts(Left ? Op->getLHS() : Op->getRHS());
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(Pointer);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return !Var || !(isa<ParmVarDecl>(Var) || Var->hasGlobalStorage());
}

/// Is \p Target reached through a pointer that may point to a local variable?
bool writesThroughPointer(const Expr *Target) {
  while (true) {
    Target = stripCasts(Target);
    if (const auto *Member = dyn_cast<MemberExpr>(Target)) {
      if (Member->isArrow())
        return mayPointToLocal(Member->getBase());
      Target = Member->getBase();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target)) {
      const Expr *Base = stripCasts(Subscript->getBase());
      if (!Base->getType()->isArrayType())
        return mayPointToLocal(Base);
      Target = Base;
    } else if (const auto *Op = dyn_cast<UnaryOperator>(Target)) {
      return Op->getOpcode() == UO_Deref && mayPointToLocal(Op->getSubExpr());
    } else {
      return false;
    }
  }
}

/// The expression that \p S stands for and that its children do not show, or null.
const Expr *standsFor(const Stmt *S) {
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(S))
    return Pseudo->getSyntacticForm();
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(S))
    return Property->getBaseExpr();
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(S))
    return Opaque->getSourceExpr();
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
    return Default->getExpr();
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(S))
    return Default->getExpr();
  return nullptr;
}

/// Does the body of \p F look at which thread it runs on?
bool namesThreads(const FunctionDecl *F, unsigned Depth);

bool namesThreads(const Stmt *S, unsigned Depth) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S); E && namesThreadIndex(E))
    return true;
  if (isa<AsmStmt>(S))
    return true;
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S);
      Construct && namesThreads(Construct->getConstructor(), Depth + 1))
    return true;
  if (const Expr *Meant = standsFor(S))
    return namesThreads(Meant, Depth);
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (yieldsThreadValue(Call) || (Callee && namesThreads(Callee, Depth + 1)))
      return true;
  }
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return namesThreads(Child, Depth);
  });
}

bool namesThreads(const FunctionDecl *F, unsigned Depth) {
  constexpr unsigned MaxDepth = 8; // recursion is taken as divergent
  const FunctionDecl *Definition = nullptr;
  const SourceManager &SM = F->getASTContext().getSourceManager();
  if (F->getBuiltinID() || SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation())))
    return false;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(F)) {
    for (const CXXCtorInitializer *Init : Constructor->inits())
      if (namesThreads(Init->getInit(), Depth))
        return true;
    if (!Constructor->isUserProvided())
      return false;
  }
  if (!F->hasBody(Definition))
    return true; // nobody can tell
  return Depth > MaxDepth || namesThreads(Definition->getBody(), Depth);
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
  if (const Expr *Meant = standsFor(E))
    return isThreadDependent(Meant);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && namesThreads(Construct->getConstructor(), 0))
    return true;
  if (const BindingDecl *Binding = namedBinding(E))
    return !Binding->getBinding() || isThreadDependent(Binding->getBinding());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return Tainted.contains(Ref->getDecl()) || mayBePointedTo(Ref->getDecl());
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && isDivergentCall(Call))
    return true;
  if (isa<LambdaExpr>(E))
    return false;
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child);
        Sub && isThreadDependent(Sub))
      return true;
  return false;
}

/// Was something that differs written through a pointer, which may be to \p D?
bool Uniformity::mayBePointedTo(const ValueDecl *D) const {
  const auto *Var = dyn_cast<VarDecl>(D);
  return PointeesTainted && Var && Var->isLocalVarDecl() && !Var->hasGlobalStorage() &&
         (Model.isAddressTaken(Var) || Var->getType()->isArrayType());
}

bool Uniformity::taintTarget(const Expr *Target) {
  bool Changed = taint(assignedVariable(Target));
  return taintPointees(writesThroughPointer(Target)) || Changed;
}

bool Uniformity::taintPointees(bool Written) {
  bool New = Written && !PointeesTainted;
  PointeesTainted |= Written;
  return New;
}

/// Threads that took different branches meet again behind it: what they
/// assigned to variables from outside differs then. Inside, the threads that
/// are there agree.
bool Uniformity::spreadBranch(const Stmt *Branch, const Stmt *S) {
  if (!S)
    return false;
  bool Changed = false;
  auto Assigned = [&](const Expr *Target) {
    const ValueDecl *D = assignedVariable(Target);
    const SourceRange Range = Branch->getSourceRange();
    bool Inside = D && Range.getBegin() <= D->getLocation() &&
                  D->getLocation() <= Range.getEnd();
    if (!Inside)
      Changed |= taintTarget(Target);
  };
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
    Assigned(Op->getLHS());
  else if (const auto *Op = dyn_cast<UnaryOperator>(S);
           Op && Op->isIncrementDecrementOp())
    Assigned(Op->getSubExpr());
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
           Op && Op->isAssignmentOp())
    Assigned(Op->getArg(0));
  else if (const auto *Call = dyn_cast<CallExpr>(S))
    Changed |= spreadCall(Call, true);
  for (const Stmt *Child : S->children())
    Changed |= spreadBranch(Branch, Child);
  return Changed;
}

bool Uniformity::taint(const ValueDecl *D) {
  D = storageOf(D);
  if (!D || D->hasAttr<CUDASharedAttr>() || !Tainted.insert(D).second)
    return false;
  // What is written through a reference is written where it refers to.
  const auto *Var = dyn_cast<VarDecl>(D);
  if (Var && Var->getType()->isReferenceType() && Var->getInit())
    taint(assignedVariable(Var->getInit()));
  return true;
}

/// A call whose result, or what it writes through its arguments, may differ
/// between threads.
bool Uniformity::isDivergentCall(const CallExpr *Call) const {
  if (yieldsThreadValue(Call))
    return true;
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && namesThreads(Callee, 0);
}

bool Uniformity::spreadCall(const CallExpr *Call, bool UnderDivergence) {
  bool Divergent = UnderDivergence || isDivergentCall(Call);
  for (const Expr *Argument : Call->arguments())
    Divergent |= isThreadDependent(Argument);
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Divergent || !Callee)
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  unsigned Skip = isa<CXXOperatorCallExpr>(Call) && Method;
  bool Changed = false;
  if (Method && Method->isInstance() && !Method->isConst()) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    const Expr *Object = Member ? Member->getImplicitObjectArgument()
                         : Skip ? Call->getArg(0)
                                : nullptr;
    if (Object && Object->getType()->isPointerType())
      Changed |= taintPointees(mayPointToLocal(Object));
    else if (Object)
      Changed |= taintTarget(Object);
  }
  for (unsigned I = 0; I + Skip < Call->getNumArgs(); ++I) {
    const Expr *Argument = stripCasts(Call->getArg(I + Skip));
    bool Out = I < Callee->getNumParams() &&
               Callee->getParamDecl(I)->getType()->isReferenceType();
    if (const auto *Op = dyn_cast<UnaryOperator>(Argument);
        Op && Op->getOpcode() == UO_AddrOf) {
      Out = true;
      Argument = Op->getSubExpr();
    }
    if (Out)
      Changed |= taintTarget(Argument);
    else if (Argument->getType()->isArrayType())
      Changed |= taint(assignedVariable(Argument));
    else if (Argument->getType()->isPointerType())
      Changed |= taintPointees(mayPointToLocal(Argument));
  }
  return Changed;
}

/// Does a thread-dependent condition below \p S leave or shorten a loop?
bool Uniformity::leavesDivergently(const Stmt *S) const {
  if (!S || isLoop(S))
    return false;
  if (const auto *If = dyn_cast<IfStmt>(S);
      If && isThreadDependent(If->getCond()) && containsJump(If))
    return true;
  if (const auto *Switch = dyn_cast<SwitchStmt>(S);
      Switch && isThreadDependent(Switch->getCond()) && containsJump(Switch))
    return true;
  for (const Stmt *Child : S->children())
    if (leavesDivergently(Child))
      return true;
  return false;
}

bool Uniformity::spreadAssignment(const Stmt *S, bool UnderDivergence) {
  bool Changed = false;
  if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->getInit() && isThreadDependent(Var->getInit()))
        Changed |= taint(Var);
  } else if (const auto *Op = dyn_cast<BinaryOperator>(S);
             Op && Op->isAssignmentOp()) {
    if (UnderDivergence || isThreadDependent(Op->getRHS()))
      Changed |= taintTarget(Op->getLHS());
  } else if (const auto *Op = dyn_cast<UnaryOperator>(S);
             Op && Op->isIncrementDecrementOp()) {
    if (UnderDivergence)
      Changed |= taintTarget(Op->getSubExpr());
  } else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(S);
             Op && Op->isAssignmentOp() && Op->getNumArgs() == 2) {
    if (UnderDivergence || isThreadDependent(Op->getArg(1)))
      Changed |= taintTarget(Op->getArg(0));
  } else if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) {
    // %tid and its like hide in the text.
    for (const Expr *Output : Asm->outputs())
      Changed |= taintTarget(Output);
  }
  return Changed;
}

/// One pass over the assignments below \p S; true if anything new was tainted.
bool Uniformity::spread(const Stmt *S, bool UnderDivergence) {
  if (!S)
    return false;
  bool Changed = spreadAssignment(S, UnderDivergence);
  if (const auto *Call = dyn_cast<CallExpr>(S))
    Changed |= spreadCall(Call, UnderDivergence);
  bool Divergent = UnderDivergence;
  if (const auto *If = dyn_cast<IfStmt>(S); If && isThreadDependent(If->getCond()))
    Changed |= spreadBranch(If, If);
  if (const auto *For = dyn_cast<ForStmt>(S))
    Divergent |= (For->getCond() && isThreadDependent(For->getCond()) &&
                  !hasUniformTrips(For)) ||
                 leavesDivergently(For->getBody());
  else if (const auto *While = dyn_cast<WhileStmt>(S))
    Divergent |= isThreadDependent(While->getCond()) ||
                 leavesDivergently(While->getBody());
  else if (const auto *Do = dyn_cast<DoStmt>(S))
    Divergent |= isThreadDependent(Do->getCond()) ||
                 leavesDivergently(Do->getBody());
  else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    Divergent |= isThreadDependent(Switch->getCond());
  else if (const auto *Choice = dyn_cast<ConditionalOperator>(S))
    Divergent |= isThreadDependent(Choice->getCond());
  else if (const auto *Logical = dyn_cast<BinaryOperator>(S);
           Logical && Logical->isLogicalOp())
    Divergent |= isThreadDependent(Logical->getLHS());
  for (const Stmt *Child : S->children())
    Changed |= spread(Child, Divergent);
  return Changed;
}

namespace {

/// Do all names in \p E always mean the same?
bool isFixed(const Expr *E, const MemoryModel &Model) {
  if (namedBinding(E))
    return false;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return !Model.isModified(Ref->getDecl());
  return llvm::all_of(E->children(), [&](const Stmt *Child) {
    return !isa_and_nonnull<Expr>(Child) || isFixed(cast<Expr>(Child), Model);
  });
}

/// Strips what leaves the value as it is.
const Expr *stripKeeping(const Expr *E, const ASTContext &Context) {
  while (true) {
    E = E->IgnoreParens();
    const auto *Cast = dyn_cast<CastExpr>(E);
    if (!Cast)
      return E;
    QualType To = Cast->getType(), From = Cast->getSubExpr()->getType();
    bool Keeps = Cast->getCastKind() == CK_LValueToRValue || Cast->getCastKind() == CK_NoOp ||
                 (Cast->getCastKind() == CK_IntegralCast && !To->isBooleanType() &&
                  Context.getTypeSize(To) >= Context.getTypeSize(From));
    if (!Keeps)
      return E;
    E = Cast->getSubExpr();
  }
}

/// The terms of a sum with their signs, as written.
void addTerms(const Expr *E, bool Negative, const MemoryModel &Model,
              const ASTContext &Context,
              std::vector<std::pair<const Expr *, bool>> &Terms,
              unsigned Depth = 0) {
  E = stripKeeping(E, Context);
  // A constant of the function stands for its initialiser.
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (Var && !isa<ParmVarDecl>(Var) && Var->isLocalVarDecl() && Var->getInit() &&
      !Model.isModified(Var) && !Model.isAddressTaken(Var) && Depth < 8 &&
      isFixed(Var->getInit(), Model))
    return addTerms(Var->getInit(), Negative, Model, Context, Terms, Depth + 1);
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op || (Op->getOpcode() != BO_Add && Op->getOpcode() != BO_Sub)) {
    Terms.push_back({E, Negative});
    return;
  }
  addTerms(Op->getLHS(), Negative, Model, Context, Terms, Depth);
  addTerms(Op->getRHS(), Negative != (Op->getOpcode() == BO_Sub), Model, Context, Terms,
           Depth);
}

} // namespace

bool Uniformity::hasUniformTrips(const ForStmt *For) const {
  const auto *Decls = dyn_cast_or_null<DeclStmt>(For->getInit());
  const auto *Test = dyn_cast_or_null<BinaryOperator>(
      For->getCond() ? For->getCond()->IgnoreParenImpCasts() : nullptr);
  // Beside it, the header may declare the bound.
  const auto *Var = Test ? dyn_cast_or_null<VarDecl>(assignedVariable(Test->getLHS()))
                         : nullptr;
  if (!Var || !Decls || !llvm::is_contained(Decls->decls(), Var) || !Var->getInit() ||
      !Test->isRelationalOp() || !For->getInc())
    return false;
  const Expr *Step = nullptr;
  const Expr *Inc = For->getInc()->IgnoreParenImpCasts();
  if (const auto *Op = dyn_cast<BinaryOperator>(Inc)) {
    if (Op->getOpcode() != BO_AddAssign && Op->getOpcode() != BO_SubAssign)
      return false;
    Step = Op->getRHS();
  } else if (!isa<UnaryOperator>(Inc)) {
    return false;
  }
  if (Step && isThreadDependent(Step))
    return false;
  // Nothing but the step may write the variable.
  std::function<bool(const Stmt *)> Writes = [&](const Stmt *S) -> bool {
    if (!S)
      return false;
    const Expr *Target = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
      Target = Op->getLHS();
    if (const auto *Op = dyn_cast<UnaryOperator>(S);
        Op && (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf))
      Target = Op->getSubExpr();
    if (Target && assignedVariable(Target) == Var)
      return true;
    return llvm::any_of(S->children(), Writes);
  };
  if (Writes(For->getBody()) || Model.isAddressTaken(Var))
    return false;
  auto Varying = [&](const Expr *E) {
    std::vector<std::pair<const Expr *, bool>> Terms;
    addTerms(E, false, Model, Var->getASTContext(), Terms);
    std::multiset<std::string> Result;
    for (auto &[Term, Negative] : Terms) {
      if (!isThreadDependent(Term))
        continue;
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      Term->printPretty(OS, nullptr, PrintingPolicy(LangOptions()));
      // A cast that may change the value is no part of what is printed.
      std::string Cast = isa<CastExpr>(Term) ? Term->getType().getAsString() : "";
      Result.insert((Negative ? "-" : "+") + Cast + OS.str());
    }
    return Result;
  };
  // The names mean the same in both only if nothing in between changes them.
  return Varying(Var->getInit()) == Varying(Test->getRHS()) &&
         isFixed(Var->getInit(), Model) && isFixed(Test->getRHS(), Model);
}

bool Uniformity::isNonNegative(const Expr *E) const {
  if (!E)
    return false;
  E = stripCasts(E);
  if (const Expr *Meant = standsFor(E))
    return isNonNegative(Meant);
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
