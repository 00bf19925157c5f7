#include "Analysis/StoreShape.h"
#include "Analysis/Effects.h"
#include "Analysis/KnownFunctions.h"
#include "Analysis/PlaceRanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace pipeline_rewrite {

namespace {

StoreShape openShape() {
  StoreShape Shape;
  Shape.Open = true;
  return Shape;
}

StoreShape joined(StoreShape A, const StoreShape &B) {
  A.add(B);
  return A;
}

/// Follows what each variable of a function is made of, in whatever order it
/// gets there, and gathers what its stores depend on.
class ShapeReader {
public:
  ShapeReader(const FunctionDecl *F, MemoryModel &Model,
              SummaryCache &Summaries, const ASTContext &Context)
      : F(F), Model(Model), Summaries(Summaries), Context(Context) {}

  StoreShape run() {
    // Each round carries what is known one assignment further.
    do {
      Changed = false;
      visit(F->getBody(), {});
    } while (Changed);
    return Shape;
  }

private:
  void visit(const Stmt *S, const StoreShape &Control);
  bool visitControl(const Stmt *S, const StoreShape &Control);
  void visitChildren(const Stmt *S, const StoreShape &Control);
  void visitCall(const CallExpr *Call, const StoreShape &Control);
  void visitSummarised(const CallExpr *Call, const FunctionDecl *Callee,
                       const StoreShape &Control);
  void write(const Expr *Target, StoreShape Value, const StoreShape &Control);
  void assign(const VarDecl *Var, const StoreShape &Value);
  bool assignRoots(const RootSet &Roots, const StoreShape &Value);
  void store(const StoreShape &Decides) { Shape.add(Decides); }
  const VarDecl *ownVariable(const Expr *Place) const;
  StoreShape value(const Stmt *S) const;
  StoreShape address(const Expr *Place) const;
  StoreShape variable(const ValueDecl *D) const;
  StoreShape element(const Expr *Place) const;
  StoreShape callValue(const CallExpr *Call) const;
  StoreShape valuesBelow(const Stmt *S) const {
    StoreShape All;
    for (const Stmt *Child : S->children())
      if (Child)
        All.add(value(Child));
    return All;
  }

  const FunctionDecl *F;
  MemoryModel &Model;
  SummaryCache &Summaries;
  const ASTContext &Context;
  std::map<const VarDecl *, StoreShape> MadeOf;
  StoreShape Shape;
  bool Changed = false;
};

void ShapeReader::assign(const VarDecl *Var, const StoreShape &Value) {
  StoreShape &Known = MadeOf[Var];
  StoreShape Before = Known;
  Known.add(Value);
  Changed |= Known != Before;
}

/// Gives \p Value to the private variables among \p Roots. \returns true if that is
/// all of them.
bool ShapeReader::assignRoots(const RootSet &Roots, const StoreShape &Value) {
  bool All = !Roots.empty();
  for (const Root &R : Roots) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    All &= R.Where == Root::Kind::Private;
    // Without a name it is the object of a method.
    if (R.Where == Root::Kind::Private)
      assign(Var, Value);
  }
  return All;
}

/// The private variable that \p Place is all or a part of, or null.
const VarDecl *ShapeReader::ownVariable(const Expr *Place) const {
  const Expr *E = stripCasts(Place);
  for (;;) {
    if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow())
      E = stripCasts(Member->getBase());
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E);
             Subscript && stripCasts(Subscript->getBase())->getType()->isArrayType())
      E = stripCasts(Subscript->getBase());
    else
      break;
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  bool Own = Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
             !Var->hasAttr<CUDASharedAttr>();
  return Own ? Var : nullptr;
}

/// \p Value and \p Control make up what a private variable is given. What is given
/// to memory is nobody's concern, only whether and where.
void ShapeReader::write(const Expr *Target, StoreShape Value, const StoreShape &Control) {
  Value.add(Control);
  const VarDecl *Var = ownVariable(Target);
  if (!Var) {
    if (!assignRoots(Model.lvalueRoots(Target), joined(address(Target), Value)))
      store(joined(address(Target), Control));
    return;
  }
  if (!isa<DeclRefExpr>(stripCasts(Target)))
    Value.add(address(Target));
  assign(Var, Value);
}

/// Statements that decide whether others run. \returns false for all others.
bool ShapeReader::visitControl(const Stmt *S, const StoreShape &Control) {
  const Expr *Condition = nullptr;
  if (const auto *If = dyn_cast<IfStmt>(S))
    Condition = If->getCond();
  else if (const auto *For = dyn_cast<ForStmt>(S))
    Condition = For->getCond();
  else if (const auto *While = dyn_cast<WhileStmt>(S))
    Condition = While->getCond();
  else if (const auto *Do = dyn_cast<DoStmt>(S))
    Condition = Do->getCond();
  else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    Condition = Switch->getCond();
  else if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
    Condition = Choice->getCond();
  else if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp())
    Condition = Op->getLHS();
  else if (!isa<CXXForRangeStmt, CXXTryStmt>(S))
    return false;
  StoreShape Inner = Control;
  if (Condition)
    Inner.add(value(Condition));
  else if (!isa<ForStmt>(S))
    Inner.Open = true;
  visitChildren(S, Inner);
  return true;
}

void ShapeReader::visitChildren(const Stmt *S, const StoreShape &Control) {
  for (const Stmt *Child : S->children())
    visit(Child, Control);
}

void ShapeReader::visit(const Stmt *S, const StoreShape &Control) {
  if (!S || visitControl(S, Control))
    return;
  // What is left out behind a jump depends on whether it is made.
  if (isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(S))
    store(Control);
  if (isa<LambdaExpr, StmtExpr, IndirectGotoStmt, LabelStmt>(S))
    return store(openShape());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(S))
    return visit(Pseudo->getSyntacticForm(), Control);
  if (const auto *Call = dyn_cast<CallExpr>(S))
    visitCall(Call, Control);
  if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->getInit()) {
        visit(Var->getInit(), Control);
        assign(Var, joined(value(Var->getInit()), Control));
      }
    return;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isAssignmentOp())
    write(Op->getLHS(), value(Op->getRHS()), Control);
  if (const auto *Op = dyn_cast<UnaryOperator>(S); Op && Op->isIncrementDecrementOp())
    write(Op->getSubExpr(), {}, Control);
  if (const auto *Asm = dyn_cast<GCCAsmStmt>(S))
    for (const Expr *Output : Asm->outputs())
      write(Output, openShape(), Control);
  visitChildren(S, Control);
}

void ShapeReader::visitCall(const CallExpr *Call, const StoreShape &Control) {
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (Operator && Operator->isAssignmentOp() && Call->getNumArgs() == 2) {
    if (Callee && mayLeaveOut(Callee, Context))
      store(openShape());
    return write(Call->getArg(0), value(Call->getArg(1)), Control);
  }
  if (Operator && !Callee) {
    if (Operator->getOperator() == OO_PlusPlus || Operator->getOperator() == OO_MinusMinus)
      write(Call->getArg(0), {}, Control);
    return;
  }
  if (!Callee)
    return store(openShape());
  if (auto Known = lookUpFunction(Callee->getQualifiedNameAsString(), Call)) {
    switch (Known->Behaviour) {
    case KnownBehaviour::StorePointer:
    case KnownBehaviour::AtomicPointer:
    case KnownBehaviour::MatrixStore:
      return store(joined(value(Call->getArg(0)), Control));
    case KnownBehaviour::MatrixLoad:
    case KnownBehaviour::MatrixMultiply:
      return write(Call->getArg(0), openShape(), Control);
    case KnownBehaviour::AsyncCopy:
    case KnownBehaviour::Opaque:
      return store(openShape());
    default:
      return;
    }
  }
  visitSummarised(Call, Callee, Control);
}

void ShapeReader::visitSummarised(const CallExpr *Call, const FunctionDecl *Callee,
                                  const StoreShape &Control) {
  unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
      Member && !(Member->getMethodDecl() && Member->getMethodDecl()->isConst()))
    write(Member->getImplicitObjectArgument(), openShape(), Control);
  for (unsigned I = 0; I + Skip < Call->getNumArgs() && I < Callee->getNumParams(); ++I) {
    QualType Type = Callee->getParamDecl(I)->getType();
    const Expr *Argument = Call->getArg(I + Skip);
    if (Type->isLValueReferenceType() && !Type.getNonReferenceType().isConstQualified())
      if (const VarDecl *Var = ownVariable(Argument))
        assign(Var, openShape());
    if (Type->isPointerType())
      assignRoots(Model.pointerRoots(Argument), openShape());
  }
  const FunctionDecl *Definition = nullptr;
  if (!Callee->hasBody(Definition))
    return;
  const FunctionSummary &Summary = Summaries.of(Callee, Context);
  bool Stores = llvm::any_of(Summary.Effects, [](const SummaryEffect &E) {
    return E.Kind != EffectKind::Read;
  });
  if (!Stores && !Summary.InProgress)
    return;
  StoreShape Decides = Control;
  Decides.Open |= Summary.Shape.Open;
  if (Summary.Shape.OfObject) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(Call);
    Decides.add(Member ? value(Member->getImplicitObjectArgument()) : openShape());
  }
  for (const VarDecl *Use : Summary.Shape.Uses) {
    const auto *Parameter = dyn_cast<ParmVarDecl>(Use);
    unsigned At = Parameter ? Parameter->getFunctionScopeIndex() + Skip : 0;
    bool Own = Parameter && Parameter->getDeclContext() == Definition;
    if (Own && At < Call->getNumArgs())
      Decides.add(value(Call->getArg(At)));
    else if (!Own)
      Decides.Uses.insert(Use);
  }
  store(Decides);
}

/// What decides which object \p Place is.
StoreShape ShapeReader::address(const Expr *Place) const {
  const Expr *E = stripCasts(Place);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = stripCasts(Subscript->getBase());
    bool Row = Base->getType()->isArrayType();
    return joined(Row ? address(Base) : value(Base), value(Subscript->getIdx()));
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref ? value(Op->getSubExpr()) : openShape();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? value(Member->getBase()) : address(Member->getBase());
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return openShape();
  if (!Var->getType()->isReferenceType())
    return {};
  if (isa<ParmVarDecl>(Var) && Var->getDeclContext() == F) {
    StoreShape Own;
    Own.Uses.insert(Var);
    return Own;
  }
  return Var->getInit() && Var->isLocalVarDecl() ? address(Var->getInit()) : openShape();
}

StoreShape ShapeReader::element(const Expr *Place) const {
  if (const VarDecl *Var = ownVariable(Place))
    return joined(variable(Var), address(Place));
  const auto *Member = dyn_cast<MemberExpr>(stripCasts(Place));
  while (Member && !Member->isArrow())
    Member = dyn_cast<MemberExpr>(stripCasts(Member->getBase()));
  bool OfThis = Member && isa<CXXThisExpr>(stripCasts(Member->getBase())) &&
                !Member->getType()->isReferenceType();
  return OfThis ? value(Member->getBase()) : openShape();
}

StoreShape ShapeReader::variable(const ValueDecl *D) const {
  const auto *Var = dyn_cast<VarDecl>(D);
  if (!Var)
    return isa<BindingDecl>(D) ? openShape() : StoreShape();
  if (isNamedConstant(Var) || isBuiltinIndex(Var))
    return {};
  // What a lambda computes where it is made is no variable of the caller's.
  if (Var->isInitCapture())
    return openShape();
  QualType Type = Var->getType();
  bool Constant = Type->isReferenceType() && Type.getNonReferenceType().isConstQualified();
  bool Parameter = isa<ParmVarDecl>(Var) && (!Type->isReferenceType() || Constant);
  if (!Var->hasLocalStorage() || Var->hasAttr<CUDASharedAttr>())
    return Type->isArrayType() ? StoreShape() : openShape();
  if (Model.isAddressTaken(Var) || (Type->isReferenceType() && !Parameter))
    return openShape();
  StoreShape Found;
  // What a lambda captures is the caller's to look at.
  if (Parameter || Var->getDeclContext() != F)
    Found.Uses.insert(Var);
  auto Known = MadeOf.find(Var);
  return Known == MadeOf.end() ? Found : joined(Found, Known->second);
}

StoreShape ShapeReader::callValue(const CallExpr *Call) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Call))
    return openShape();
  auto Known = lookUpFunction(Callee->getQualifiedNameAsString(), Call);
  if (Known && Known->Behaviour == KnownBehaviour::SharedAddress)
    return value(Call->getArg(0));
  const SourceManager &SM = Context.getSourceManager();
  bool System = Callee->getBuiltinID() != 0 ||
                SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation()));
  bool Pure = Known ? Known->Behaviour == KnownBehaviour::Pure ||
                          Known->Behaviour == KnownBehaviour::ThreadValue
                    : System;
  StoreShape All;
  All.Open = !Pure;
  for (const Expr *Argument : Call->arguments()) {
    All.Open |= Argument->getType()->isPointerType();
    All.add(value(Argument));
  }
  return All;
}

StoreShape ShapeReader::value(const Stmt *S) const {
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return openShape();
  if (builtinIndexName(E) || isa<UnaryExprOrTypeTraitExpr>(E))
    return {};
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return value(Pseudo->getSyntacticForm());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? value(Opaque->getSourceExpr()) : openShape();
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return value(Default->getExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return callValue(Call);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return variable(Ref->getDecl());
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
    return isa<StringLiteral>(stripCasts(E)) ? StoreShape() : address(Cast->getSubExpr());
  if (isa<ArraySubscriptExpr, MemberExpr>(E))
    return element(E);
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return openShape();
    if (Op->getOpcode() == UO_AddrOf)
      return address(Op->getSubExpr());
  }
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && !Construct->getConstructor()->isTrivial() &&
      !Construct->getConstructor()->isCopyOrMoveConstructor())
    return openShape();
  if (isa<CXXThisExpr>(E)) {
    auto Known = MadeOf.find(nullptr);
    StoreShape Object = Known == MadeOf.end() ? StoreShape() : Known->second;
    Object.OfObject = true;
    return Object;
  }
  if (isa<LambdaExpr, StmtExpr, CXXDependentScopeMemberExpr,
          DependentScopeDeclRefExpr, OverloadExpr, RecoveryExpr, CXXNewExpr>(E))
    return openShape();
  return valuesBelow(E);
}

} // namespace

StoreShape storeShape(const FunctionDecl *Definition, MemoryModel &Model,
                      SummaryCache &Summaries, const ASTContext &Context) {
  return ShapeReader(Definition, Model, Summaries, Context).run();
}

static bool mayLeaveOut(const FunctionDecl *Assignment, const ASTContext &Context,
                        unsigned Depth);

/// Does \p S hold what might skip a part of what stands in it?
static bool mayLeaveOut(const Stmt *S, const ASTContext &Context, unsigned Depth) {
  if (!S)
    return false;
  if (Depth > 16)
    return true;
  if (isa<IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CXXForRangeStmt, GotoStmt,
          AbstractConditionalOperator, LambdaExpr, AsmStmt>(S))
    return true;
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp())
    return true;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || (Callee->getBuiltinID() == 0 && mayLeaveOut(Callee, Context, Depth + 1)))
      return true;
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return mayLeaveOut(Child, Context, Depth); });
}

static bool mayLeaveOut(const FunctionDecl *Assignment, const ASTContext &Context,
                        unsigned Depth) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Assignment);
  const SourceManager &SM = Context.getSourceManager();
  if ((Method && Method->isTrivial()) ||
      SM.isInSystemHeader(SM.getExpansionLoc(Assignment->getLocation())))
    return false;
  return !Assignment->hasBody() || mayLeaveOut(Assignment->getBody(), Context, Depth);
}

bool mayLeaveOut(const FunctionDecl *Assignment, const ASTContext &Context) {
  return mayLeaveOut(Assignment, Context, 0);
}

} // namespace pipeline_rewrite
