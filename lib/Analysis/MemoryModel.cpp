#include "Analysis/MemoryModel.h"
#include "Analysis/Captures.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace clang;

namespace pipeline_rewrite {

void addRoots(RootSet &To, const RootSet &From) {
  for (const Root &R : From)
    if (!llvm::is_contained(To, R))
      To.push_back(R);
}

bool isBuiltinIndex(const ValueDecl *D) {
  if (!D || !D->getDeclName().isIdentifier())
    return false;
  llvm::StringRef Name = D->getName();
  return (Name == "threadIdx" || Name == "blockIdx" || Name == "blockDim" ||
          Name == "gridDim" || Name == "warpSize") &&
         !D->getDeclContext()->isFunctionOrMethod();
}

bool isNamedConstant(const ValueDecl *D) {
  const auto *Var = dyn_cast<VarDecl>(D);
  // Clang marks a constexpr variable that device code uses as __constant__.
  auto InMemory = [](const Attr *A) { return A && !A->isImplicit(); };
  if (!Var || isa<ParmVarDecl>(Var) || InMemory(D->getAttr<CUDAConstantAttr>()) ||
      InMemory(D->getAttr<CUDADeviceAttr>()) || D->getType()->isDependentType())
    return false;
  bool Scalar = D->getType()->isArithmeticType() || D->getType()->isEnumeralType();
  return Scalar && Var->getInit() && !Var->isLocalVarDecl() &&
         (Var->isConstexpr() || Var->getType().isConstQualified());
}

/// Gathers what each variable of a function is assigned from.
class SourceCollector : public RecursiveASTVisitor<SourceCollector> {
public:
  explicit SourceCollector(MemoryModel &Model) : Model(Model) {}
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitVarDecl(VarDecl *D) {
    const Expr *Init = D->getInit();
    if (!Init)
      return true;
    Model.Sources[D].push_back(Init);
    if (D->getType()->isReferenceType())
      taken(Init);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef &&
          !onlyReads(Lambda->getLambdaClass(), Capture.getCapturedVar()))
        Model.AddressTaken.insert(storageOf(Capture.getCapturedVar()));
    return true;
  }
  bool VisitInitListExpr(InitListExpr *List) {
    const auto *Class = List->getType()->getAsCXXRecordDecl();
    if (!Class || !Class->hasDefinition() || Class->isUnion())
      return true;
    unsigned At = Class->getNumBases();
    for (const FieldDecl *Field : Class->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      if (At < List->getNumInits() && Field->getType()->isReferenceType())
        taken(List->getInit(At));
      ++At;
    }
    return true;
  }
  /// A constructor may keep what it is given by reference.
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    const CXXConstructorDecl *Callee = Construct->getConstructor();
    for (unsigned I = 0; I < Construct->getNumArgs() && I < Callee->getNumParams(); ++I)
      if (Callee->getParamDecl(I)->getType()->isReferenceType() &&
          !Callee->isCopyOrMoveConstructor())
        taken(Construct->getArg(I));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) {
    if (Op->isAssignmentOp())
      assigned(Op->getLHS(), Op->getRHS(), Op->isCompoundAssignmentOp());
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) {
    for (const Expr *Output : Asm->outputs())
      assigned(Output, nullptr, true);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    if (Op->isIncrementDecrementOp())
      assigned(Op->getSubExpr(), nullptr, true);
    if (Op->getOpcode() == UO_AddrOf)
      taken(Op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Op) {
    if (Op->isAssignmentOp() && Op->getNumArgs() == 2)
      assigned(Op->getArg(0), Op->getArg(1), false);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee)
      return true;
    unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      QualType Type = Callee->getParamDecl(I)->getType();
      bool MutableReference =
          Type->isReferenceType() && !Type.getNonReferenceType().isConstQualified();
      if (MutableReference && I + Skip < Call->getNumArgs())
        assigned(Call->getArg(I + Skip), nullptr, true);
    }
    return true;
  }

private:
  void taken(const Expr *E) {
    if (const BindingDecl *Binding = namedBinding(E))
      Model.AddressTaken.insert(storageOf(Binding));
    if (const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E)))
      Model.AddressTaken.insert(Ref->getDecl());
  }
  void assigned(const Expr *Target, const Expr *Value, bool Compound) {
    const Expr *Base = stripCasts(Target);
    while (const auto *Member = dyn_cast<MemberExpr>(Base)) {
      if (Member->isArrow())
        return;
      Base = stripCasts(Member->getBase());
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Base)) {
      Base = stripCasts(Subscript->getBase());
      while (const auto *Inner = dyn_cast<ArraySubscriptExpr>(Base))
        Base = stripCasts(Inner->getBase());
      const auto *Array = dyn_cast<DeclRefExpr>(Base);
      if (!Array || Array->getDecl()->getType()->isPointerType())
        return;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Base)) {
      Model.Modified.insert(Ref->getDecl());
      if (Value && !Compound) // p += n: still what it pointed to
        Model.Sources[Ref->getDecl()].push_back(Value);
    }
  }

  MemoryModel &Model;
};

MemoryModel::MemoryModel(const ASTContext &Context, const FunctionDecl *F)
    : Context(Context), F(F) {
  SourceCollector(*this).TraverseStmt(F->getBody());
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  std::function<void(const Stmt *)> Visit = [&](const Stmt *S) {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S); E && isOpenType(E))
      OpenTypes.insert({E->getBeginLoc().getRawEncoding(),
                        E->getEndLoc().getRawEncoding()});
    for (const Stmt *Child : S->children())
      Visit(Child);
    if (const auto *Decls = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Visit(Var->getInit());
  };
  if (Pattern)
    Visit(Pattern->getBody());
}

llvm::ArrayRef<const Expr *> MemoryModel::sources(const ValueDecl *D) const {
  auto It = Sources.find(D);
  return It == Sources.end() ? llvm::ArrayRef<const Expr *>() : It->second;
}

Root MemoryModel::variableRoot(const ValueDecl *D) const {
  if (auto Part = Parts.find(D); Part != Parts.end() && D->hasAttr<CUDASharedAttr>())
    return Part->second;
  if (D->hasAttr<CUDASharedAttr>())
    return {Root::Kind::Shared, D, "", false};
  const auto *Var = dyn_cast<VarDecl>(D);
  if (Var && Var->hasGlobalStorage() && !Var->isLocalVarDecl() &&
      !isBuiltinIndex(D)) {
    bool Constant = D->hasAttr<CUDAConstantAttr>() ||
                    D->getType().isConstQualified() ||
                    Context.getBaseElementType(D->getType()).isConstQualified();
    return {Constant ? Root::Kind::Constant : Root::Kind::Global, D, "", false};
  }
  return {Root::Kind::Private, D, "", false};
}

RootSet MemoryModel::variablePointees(const ValueDecl *D) {
  if (auto Part = Parts.find(D); Part != Parts.end())
    return {Part->second};
  if (isa<ParmVarDecl>(D) && D->getDeclContext() == F && !isModified(D))
    return {Root{Root::Kind::Global, D, "", true}};
  RootSet Result;
  if (isa<ParmVarDecl>(D))
    Result.push_back(Root{Root::Kind::Global, D, "", true});
  if (!InProgress.insert(D).second)
    return Result; // A += BK: adds nothing new.
  for (const Expr *Source : sources(D))
    addRoots(Result, pointerRoots(Source));
  InProgress.erase(D);
  if (Result.empty() && !isa<ParmVarDecl>(D) && sources(D).empty())
    Result.push_back({variableRoot(D).Where == Root::Kind::Private
                          ? Root::Kind::Unknown
                          : Root::Kind::Global,
                      D, "", true});
  return Result;
}

RootSet MemoryModel::memberPointees(const Expr *Base, llvm::StringRef Field) {
  Base = stripCasts(Base);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Base)) {
    const ValueDecl *D = Ref->getDecl();
    bool External = isa<ParmVarDecl>(D) || sources(D).empty();
    RootSet Result;
    if (External)
      Result.push_back({Root::Kind::Global, D, Field.str(), true});
    if (!InProgress.insert(D).second)
      return Result;
    for (const Expr *Source : sources(D)) {
      const Expr *Value = stripCasts(Source);
      // A struct copied, returned by a helper, or a member assigned on its own.
      if (Value->getType()->isPointerType())
        addRoots(Result, pointerRoots(Value));
      else if (const auto *Call = dyn_cast<CallExpr>(Value)) {
        for (const Expr *Argument : Call->arguments())
          if (Argument->getType()->isRecordType())
            addRoots(Result, memberPointees(Argument, Field));
      } else if (const auto *List = dyn_cast<InitListExpr>(Value)) {
        for (const Expr *Init : List->inits())
          if (Init->getType()->isPointerType())
            addRoots(Result, pointerRoots(Init));
      } else if (Value->getType()->isRecordType())
        addRoots(Result, memberPointees(Value, Field));
    }
    InProgress.erase(D);
    return Result;
  }
  return {Root{}};
}

RootSet MemoryModel::callRoots(const CallExpr *Call) {
  RootSet Result;
  for (const Expr *Argument : Call->arguments()) {
    QualType Type = Argument->getType();
    if (Type->isPointerType() || Type->isArrayType())
      addRoots(Result, pointerRoots(Argument));
    else if (Argument->isLValue() && Call->isLValue())
      addRoots(Result, lvalueRoots(Argument));
  }
  if (Result.empty())
    Result = returnedRoots(Call->getDirectCallee());
  if (Result.empty())
    Result.push_back(Root{});
  return Result;
}

/// What a helper without pointer arguments hands out: shared memory behind a
/// conversion operator, say.
RootSet MemoryModel::returnedRoots(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !Callee->hasBody(Definition) || Definition == F ||
      !Callee->getReturnType()->isPointerType())
    return {};
  MemoryModel Inner(Context, Definition);
  RootSet Result;
  std::function<void(const Stmt *)> Visit = [&](const Stmt *S) {
    if (!S)
      return;
    if (const auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getRetValue())
      addRoots(Result, Inner.pointerRoots(Return->getRetValue()));
    for (const Stmt *Child : S->children())
      Visit(Child);
  };
  Visit(Definition->getBody());
  for (const Root &R : Result)
    if (R.Where != Root::Kind::Shared)
      return {};
  return Result;
}

RootSet MemoryModel::pointerRoots(const Expr *E) {
  E = stripCasts(E);
  if (E->getType()->isArrayType() || E->getType()->isFunctionType())
    return lvalueRoots(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return variablePointees(Ref->getDecl());
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_AddrOf)
      return lvalueRoots(Op->getSubExpr());
    if (Op->isIncrementDecrementOp())
      return pointerRoots(Op->getSubExpr());
    return {Root{}};
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp() && !Op->isCompoundAssignmentOp())
      return pointerRoots(Op->getRHS());
    if (Op->isAdditiveOp() || Op->isCompoundAssignmentOp()) {
      bool LeftIsPointer = Op->getLHS()->getType()->isPointerType() ||
                           Op->getLHS()->getType()->isArrayType();
      bool RightIsPointer = Op->getRHS()->getType()->isPointerType() ||
                            Op->getRHS()->getType()->isArrayType();
      if (LeftIsPointer || !RightIsPointer)
        return pointerRoots(Op->getLHS());
      return pointerRoots(Op->getRHS());
    }
    return {Root{}};
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    RootSet Result = pointerRoots(Choice->getTrueExpr());
    addRoots(Result, pointerRoots(Choice->getFalseExpr()));
    return Result;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && !Member->isArrow() &&
      Member->getMemberDecl()->getDeclName().isIdentifier())
    return memberPointees(Member->getBase(), Member->getMemberDecl()->getName());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return callRoots(Call);
  // The caller looks at the object that a method is called on.
  if (isa<CXXThisExpr>(E))
    return {Root{Root::Kind::Private, nullptr, "", false}};
  if (isa<GNUNullExpr, CXXNullPtrLiteralExpr, IntegerLiteral>(E))
    return {};
  return {Root{}};
}

RootSet MemoryModel::lvalueRoots(const Expr *E) {
  E = stripCasts(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const ValueDecl *D = Ref->getDecl();
    if (D->getType()->isReferenceType() && !ownsTemporary(D)) {
      if (isa<ParmVarDecl>(D))
        return {Root{Root::Kind::Global, D, "", true}};
      RootSet Result;
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->getInit())
        addRoots(Result, lvalueRoots(Var->getInit()));
      return Result.empty() ? RootSet{Root{}} : Result;
    }
    return {variableRoot(D)};
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = stripCasts(Subscript->getBase());
    return Base->getType()->isArrayType() ? lvalueRoots(Base)
                                          : pointerRoots(Base);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return pointerRoots(Op->getSubExpr());
    if (Op->isIncrementDecrementOp())
      return lvalueRoots(Op->getSubExpr());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    // Whatever it was bound to.
    if (Member->getMemberDecl()->getType()->isReferenceType())
      return {Root{}};
    return Member->isArrow() ? pointerRoots(Member->getBase())
                             : lvalueRoots(Member->getBase());
  }
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E);
      Member && !Member->isImplicitAccess())
    return Member->isArrow() ? pointerRoots(Member->getBase())
                             : lvalueRoots(Member->getBase());
  if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E)) {
    // A view class may hand out whatever its pointer names.
    const auto *Class = Op->getArg(0)->getType()->getAsCXXRecordDecl();
    if (Op->getOperator() == OO_Subscript && Class && Class->hasDefinition() &&
        llvm::any_of(Class->fields(), [](const FieldDecl *Field) {
          return Field->getType()->isAnyPointerType() ||
                 Field->getType()->isReferenceType();
        }))
      return {Root{}};
    if (Op->getOperator() == OO_Subscript || Op->isAssignmentOp())
      return Op->getArg(0)->getType()->isPointerType()
                 ? pointerRoots(Op->getArg(0))
                 : lvalueRoots(Op->getArg(0));
    if (Op->getOperator() == OO_Star && Op->getNumArgs() == 1)
      return pointerRoots(Op->getArg(0));
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      return lvalueRoots(Op->getLHS());
    if (Op->getOpcode() == BO_Comma)
      return lvalueRoots(Op->getRHS());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    RootSet Result = lvalueRoots(Choice->getTrueExpr());
    addRoots(Result, lvalueRoots(Choice->getFalseExpr()));
    return Result;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->isLValue())
    return callRoots(Call);
  if (E->isPRValue())
    return {Root{Root::Kind::Private, nullptr, "", false}}; // a temporary
  return {Root{}};
}

} // namespace pipeline_rewrite
