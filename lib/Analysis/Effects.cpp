#include "Analysis/Effects.h"
#include "Analysis/AddressSteps.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

bool isRead(EffectWalker::Use U) { return U != EffectWalker::Use::Write; }
bool isWrite(EffectWalker::Use U) {
  return U == EffectWalker::Use::Write || U == EffectWalker::Use::ReadWrite;
}

} // namespace

bool isChainExpression(const Expr *E) {
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref;
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E))
    return !Member->isImplicitAccess();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return !isa<CXXMethodDecl>(Member->getMemberDecl());
  return isa<ArraySubscriptExpr, DeclRefExpr>(E);
}

/// The alignment that an access of \p Type relies on, in bytes.
unsigned EffectWalker::alignmentOf(QualType Type) const {
  Type = Context.getBaseElementType(Type.getNonReferenceType());
  if (Type.isNull() || Type->isDependentType() || Type->isIncompleteType())
    return 0;
  return Context.getTypeAlignInChars(Type).getQuantity();
}

unsigned EffectWalker::bytesOf(QualType Type) const {
  Type = Type.getNonReferenceType();
  if (Type.isNull() || Type->isDependentType() || Type->isIncompleteType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

bool EffectWalker::isGlobalLike(const RootSet &Roots) const {
  return llvm::any_of(Roots, [](const Root &R) {
    return R.Where == Root::Kind::Global || R.Where == Root::Kind::Constant ||
           R.Where == Root::Kind::Unknown;
  });
}

void EffectWalker::effect(EffectKind Kind, const Root &R, const Expr *Site,
                          unsigned Alignment, std::vector<VarId> IndexVars,
                          bool NonCoherent) {
  Effect E;
  E.Kind = Kind;
  E.Object = Tables.object(R);
  E.Range = Text.covering(Site->getSourceRange());
  std::tie(E.Line, E.Column) = Text.lineColumn(Site->getBeginLoc());
  E.IndexVars = std::move(IndexVars);
  E.Alignment = Alignment;
  E.NonCoherent = NonCoherent;
  Out.Effects.push_back(std::move(E));
}

void EffectWalker::opaque(const Stmt *S, std::string What) {
  Effect E;
  E.Kind = EffectKind::Opaque;
  E.Range = Text.covering(S->getSourceRange());
  std::tie(E.Line, E.Column) = Text.lineColumn(S->getBeginLoc());
  E.What = std::move(What);
  Out.Effects.push_back(std::move(E));
}

void EffectWalker::mention(const DeclRefExpr *Ref, Use U, bool Partial) {
  const ValueDecl *D = Ref->getDecl();
  if (!isa<VarDecl>(D) || isBuiltinIndex(D))
    return;
  if (Model.variableRoot(D).Where != Root::Kind::Private)
    return;
  VarRef R;
  R.Var = Tables.variable(D);
  R.Read = isRead(U) || Partial;
  R.Write = isWrite(U);
  R.Partial = Partial;
  if (std::optional<TextRange> Token = Text.token(Ref->getLocation())) {
    R.Range = *Token;
  } else {
    R.Range = Text.covering(Ref->getSourceRange());
    R.InMacro = true;
  }
  if (U == Use::Address && !D->getType()->isArrayType())
    R.Write = true;
  Out.Refs.push_back(R);
}

/// A private variable touched through a pointer or a callee, at no token.
void EffectWalker::mentionPrivate(const ValueDecl *D, Use U) {
  if (!D)
    return;
  D = storageOf(D);
  VarRef R;
  R.Var = Tables.variable(D);
  R.Read = isRead(U);
  R.Write = isWrite(U);
  R.Partial = true;
  R.InMacro = true;
  Out.Refs.push_back(R);
}

/// A structured binding is a part of a variable without a name: what is said of
/// the one is said of the other, and nothing can be renamed.
void EffectWalker::mentionBinding(const Expr *Name, const BindingDecl *Binding,
                                  Use U) {
  if (!Binding->getBinding() || Binding->getHoldingVar())
    return opaque(Name, "a structured binding that is no plain member or element");
  size_t First = Out.Refs.size();
  walkChain(Binding->getBinding(), U, true);
  for (VarRef &R : llvm::drop_begin(Out.Refs, First)) {
    R.Range = Text.covering(Name->getSourceRange());
    R.InMacro = true;
  }
}

/// The subscripts and pointers that an lvalue is reached through.
void EffectWalker::walkChain(const Expr *E, Use U, bool Partial) {
  if (const BindingDecl *Binding = namedBinding(E))
    return mentionBinding(E, Binding, U);
  E = stripCasts(E);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    ++AddressDepth;
    walk(Subscript->getIdx());
    --AddressDepth;
    const Expr *Base = stripCasts(Subscript->getBase());
    if (Base->getType()->isArrayType())
      return walkChain(Base, U, true);
    return walkPointer(Base);
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    return walkPointer(Op->getSubExpr());
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() ? walkPointer(Member->getBase())
                             : walkChain(Member->getBase(), U, true);
  if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(E);
      Member && !Member->isImplicitAccess())
    return Member->isArrow() ? walkPointer(Member->getBase())
                             : walkChain(Member->getBase(), U, true);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    // What a local reference is bound to is read where it is used.
    bool Alias = Var && Var->getType()->isReferenceType() && Var->getInit() &&
                 !ownsTemporary(Var);
    if (Alias)
      for (const Root &R : Model.lvalueRoots(Ref))
        if (R.Where == Root::Kind::Private && R.Decl != Var)
          mentionPrivate(R.Decl, U);
    return mention(Ref, Alias ? Use::Value : U, Partial);
  }
  ++AddressDepth;
  walk(E);
  --AddressDepth;
}

/// The value of a pointer that is about to be dereferenced.
void EffectWalker::walkPointer(const Expr *E) {
  E = stripCasts(E);
  ++AddressDepth;
  auto Restore = llvm::make_scope_exit([&] { --AddressDepth; });
  if (E->getType()->isArrayType())
    return walkChain(E, Use::Value, true);
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_AddrOf)
    return walkChain(Op->getSubExpr(), Use::Value, true);
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAdditiveOp()) {
    const bool LeftIsPointer = Op->getLHS()->getType()->isPointerType() ||
                               Op->getLHS()->getType()->isArrayType();
    walkPointer(LeftIsPointer ? Op->getLHS() : Op->getRHS());
    return walk(LeftIsPointer ? Op->getRHS() : Op->getLHS());
  }
  walk(E);
}

/// An lvalue that is read or written as a whole.
void EffectWalker::access(const Expr *E, Use U) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E));
      Ref && isNamedConstant(Ref->getDecl()))
    return;
  size_t FirstRef = Out.Refs.size();
  const Expr *Parentheses = Enclosing;
  walkChain(E, U, false);
  Enclosing = Parentheses;
  std::vector<VarId> IndexVars;
  for (size_t I = FirstRef; I < Out.Refs.size(); ++I)
    IndexVars.push_back(Out.Refs[I].Var);
  RootSet Roots = Model.lvalueRoots(E);
  const Expr *Stripped = stripCasts(E);
  for (const Root &R : Roots) {
    if (R.Where == Root::Kind::Private) {
      bool Direct = isa<DeclRefExpr>(Stripped) || Stripped->isPRValue();
      if (!Direct && isWrite(U))
        mentionPrivate(R.Decl, U);
      continue;
    }
    if (isWrite(U))
      effect(EffectKind::Write, R, E, alignmentOf(E->getType()), IndexVars);
    if (isRead(U))
      effect(EffectKind::Read, R, E, alignmentOf(E->getType()), IndexVars);
  }
  if (E->getType().isVolatileQualified())
    opaque(E, "an access to a volatile object");
  if (U == Use::Value && isGlobalLike(Roots) && AddressDepth == 0)
    recordLoad(E, Roots, true, FirstRef);
}

void EffectWalker::recordLoad(const Expr *E, const RootSet &Roots,
                              bool Addressable, size_t FirstRef) {
  GlobalLoad L;
  std::optional<TextRange> Exact = Text.editable(E->getSourceRange());
  if (!Exact && Enclosing)
    Exact = Text.editable(Enclosing->getSourceRange());
  L.RangeIsEditable = Exact.has_value();
  L.Range = Exact ? *Exact : Text.covering(E->getSourceRange());
  L.Address = L.Range;
  L.Addressable = Addressable;
  QualType Type = E->getType().getNonReferenceType();
  // A type that other instantiations do not share has no name here, unless it
  // is a parameter of the template.
  bool Open = Model.isTypeOpen(E) && !Tables.isOwnParameter(Type);
  L.TypeOpen = Model.isTypeOpen(E);
  L.TypeOfLoop = Tables.isOfLoop(Type);
  L.Type = Open || L.TypeOfLoop ? "" : Tables.spell(Type);
  L.Assignable = isAssignable(Type);
  L.EmptyInit = hasEmptyInit(Type);
  L.Bytes = bytesOf(Type);
  L.Volatile = Type.isVolatileQualified();
  L.TriviallyCopyable =
      Type->isDependentType() || Type.isTriviallyCopyableType(Context);
  for (const Root &R : Roots)
    if (R.Where != Root::Kind::Private)
      L.Objects.push_back(Tables.object(R));
  L.Refs.assign(Out.Refs.begin() + FirstRef, Out.Refs.end());
  for (auto &[Range, Polarity] : Conditions) {
    L.Conditions.push_back(Range);
    L.ConditionPolarity.push_back(Polarity);
  }
  if (!L.TypeOfLoop)
    L.Step = addressStep(E, Context, Model, Text, Tables);
  Out.Loads.push_back(std::move(L));
}

/// The address of an object used as a value: whoever gets it may keep it.
void EffectWalker::addressUse(const Expr *E, unsigned Alignment) {
  for (const Root &R : Model.lvalueRoots(E)) {
    if (R.Where == Root::Kind::Private)
      continue;
    Effect Taken;
    Taken.Kind = EffectKind::Read;
    Taken.Object = Tables.object(R);
    Taken.Range = Text.covering(E->getSourceRange());
    std::tie(Taken.Line, Taken.Column) = Text.lineColumn(E->getBeginLoc());
    Taken.What = "address";
    Taken.Alignment = Alignment;
    Out.Effects.push_back(std::move(Taken));
  }
}

void EffectWalker::declare(const VarDecl *D) {
  VarId Id = Tables.variable(D);
  Out.Declares.push_back(Id);
  const Expr *Init = D->getInit();
  if (const auto *Parts = dyn_cast<DecompositionDecl>(D))
    for (const BindingDecl *Binding : Parts->bindings())
      if (Init && (!Binding->getBinding() || Binding->getHoldingVar()))
        return opaque(Init, "structured bindings that are no plain members");
  if (!Init)
    return;
  if (D->getType()->isReferenceType() && !ownsTemporary(D)) {
    walkChain(Init, Use::Value, true);
    return addressUse(Init);
  }
  walk(Init);
  if (D->needsDestruction(Context))
    opaque(Init, "a destructor");
  Out.Refs.push_back({Id, {}, false, true, false, false});
  Definition Def;
  Def.Var = Id;
  const ValueDecl *Source = nullptr;
  Def.Kind = classify(Init, D->getType(), Def.Guard, Def.GuardNegated, Source);
  Out.Definitions.push_back(Def);
}

void EffectWalker::assembly(const AsmStmt *S) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(S);
  if (!Gcc)
    return opaque(S, "inline assembly");
  bool ClobbersMemory = false;
  for (unsigned I = 0; I < Gcc->getNumClobbers(); ++I)
    ClobbersMemory |= Gcc->getClobber(I) == "memory";
  KnownFunction Known =
      classifyAssembly(Gcc->getAsmString()->getString(), ClobbersMemory);
  if (Known.Behaviour == KnownBehaviour::AsyncCopy) {
    opaque(S, Known.What);
    Out.Effects.back().Kind = EffectKind::AsyncCopy;
  } else if (Known.Behaviour == KnownBehaviour::Opaque) {
    opaque(S, Known.What);
  }
  for (unsigned I = 0; I < Gcc->getNumOutputs(); ++I)
    walk(Gcc->getOutputExpr(I),
         Gcc->getOutputConstraint(I).contains('+') ? Use::ReadWrite : Use::Write);
  for (unsigned I = 0; I < Gcc->getNumInputs(); ++I)
    walk(Gcc->getInputExpr(I));
}

void EffectWalker::walkStatement(const Stmt *S) {
  if (!S)
    return;
  if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        declare(Var);
    return;
  }
  if (const auto *Asm = dyn_cast<AsmStmt>(S))
    return assembly(Asm);
  if (const auto *E = dyn_cast<Expr>(S))
    return walk(E);
  for (const Stmt *Child : S->children())
    walkStatement(Child);
}

ValueKind EffectWalker::classify(const Expr *Value, QualType Target,
                                 TextRange &Guard, bool &Negated,
                                 const ValueDecl *&Source) {
  auto SameType = [&](const Expr *E) {
    return Context.hasSameUnqualifiedType(E->getType().getNonReferenceType(),
                                          Target.getNonReferenceType());
  };
  // Implicit conversions that change bits show as a difference of types; an
  // explicit cast to the type and back is not looked through.
  const Expr *E = Value->IgnoreParenImpCasts();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
      Construct && Construct->getNumArgs() == 1 &&
      Construct->getConstructor()->isCopyOrMoveConstructor())
    E = Construct->getArg(0)->IgnoreParenImpCasts();
  if (isZeroValue(E))
    return ValueKind::Zero;
  if (!SameType(E))
    return ValueKind::Other;
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    const Expr *True = Choice->getTrueExpr(), *False = Choice->getFalseExpr();
    Negated = isZeroValue(True);
    const Expr *Load = Negated ? False : True;
    if (!isZeroValue(Negated ? True : False))
      return ValueKind::Other;
    TextRange Inner;
    bool InnerNegated = false;
    if (classify(Load, Target, Inner, InnerNegated, Source) != ValueKind::Load)
      return ValueKind::Other;
    std::optional<TextRange> Condition =
        Text.editable(Choice->getCond()->getSourceRange());
    if (!Condition)
      return ValueKind::Other;
    Guard = *Condition;
    return ValueKind::GuardedLoad;
  }
  if (!isChainExpression(E))
    return ValueKind::Other;
  RootSet Roots = Model.lvalueRoots(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E);
      Ref && isa<VarDecl>(Ref->getDecl()) &&
      Model.variableRoot(Ref->getDecl()).Where == Root::Kind::Private) {
    Source = Ref->getDecl();
    return ValueKind::Temporary;
  }
  bool AllGlobal = llvm::all_of(Roots, [](const Root &R) {
    return R.Where == Root::Kind::Global || R.Where == Root::Kind::Constant;
  });
  return AllGlobal && !Roots.empty() ? ValueKind::Load : ValueKind::Other;
}

} // namespace pipeline_rewrite
