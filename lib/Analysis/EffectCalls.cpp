#include "Analysis/Captures.h"
#include "Analysis/Effects.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace clang;

namespace pipeline_rewrite {

/// load_matrix_sync and store_matrix_sync want 256-bit aligned pointers (CUDA
/// C++ Programming Guide, warp matrix functions).
static constexpr unsigned MatrixAlignment = 32;

const FunctionSummary &SummaryCache::of(const FunctionDecl *F,
                                        const ASTContext &Context) {
  F = F->getCanonicalDecl();
  auto [It, New] = Done.try_emplace(F);
  FunctionSummary &Summary = It->second;
  const FunctionDecl *Definition = nullptr;
  if (!New || !F->hasBody(Definition))
    return Summary; // Recursion sees the empty start and adds nothing to it.
  Summary.InProgress = Summary.Shape.Open = true;
  LoopFacts Scratch;
  FactTables Tables(Scratch, Context, Definition);
  MemoryModel Model(Context, Definition);
  const SourceManager &SM = Context.getSourceManager();
  SourceText Text(SM, Context.getLangOpts(),
                  SM.getFileID(SM.getExpansionLoc(Definition->getLocation())));
  Node Body;
  EffectWalker Walker(Context, Model, Text, Tables, *this, Body);
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    for (const CXXCtorInitializer *Member : Constructor->inits())
      Walker.walk(Member->getInit());
  Walker.walkStatement(Definition->getBody());
  FunctionSummary Result;
  Result.Shape = storeShape(Definition, Model, *this, Context);
  Result.ConditionalBarrier = true;
  if (const auto *Statements = dyn_cast<CompoundStmt>(Definition->getBody()))
    for (const Stmt *S : Statements->body()) {
      const auto *Call = dyn_cast<CallExpr>(S);
      const FunctionDecl *Inner = Call ? Call->getDirectCallee() : nullptr;
      if (!Inner)
        continue;
      auto Known = lookUpFunction(Inner->getQualifiedNameAsString(), Call);
      bool Barrier = Known ? Known->Behaviour == KnownBehaviour::Barrier
                           : Inner->hasBody() && of(Inner, Context).HasBarrier &&
                                 !of(Inner, Context).ConditionalBarrier;
      Result.ConditionalBarrier &= !Barrier;
    }
  for (const Effect &E : Body.Effects) {
    if (E.Kind == EffectKind::Barrier) {
      Result.HasBarrier = true;
      continue;
    }
    if (E.What == "address")
      continue;
    Root Object = E.Object ? Tables.roots()[*E.Object] : Root{};
    Result.Effects.push_back(
        {E.Kind, Object, E.What, E.Alignment, E.NonCoherent});
  }
  Done[F] = std::move(Result);
  return Done[F];
}

void EffectWalker::argument(const Expr *Argument, QualType Parameter) {
  bool MutableReference =
      Parameter->isReferenceType() &&
      !Parameter.getNonReferenceType().isConstQualified() &&
      Argument->isLValue();
  if (!MutableReference)
    return walk(Argument);
  access(Argument, Use::ReadWrite);
}

void EffectWalker::pointerArgument(const Expr *Pointer, EffectKind Kind,
                                   const Expr *Site, bool NonCoherent,
                                   unsigned Alignment) {
  const Expr *E = stripCasts(Pointer);
  size_t FirstRef = Out.Refs.size();
  walkPointer(E);
  std::vector<VarId> IndexVars;
  for (size_t I = FirstRef; I < Out.Refs.size(); ++I)
    IndexVars.push_back(Out.Refs[I].Var);
  QualType Type = Pointer->getType();
  if (Type->isPointerType() && !Alignment)
    Alignment = alignmentOf(Type->getPointeeType());
  for (const Root &R : Model.pointerRoots(E)) {
    if (R.Where == Root::Kind::Private)
      mentionPrivate(R.Decl, Kind == EffectKind::Read ? Use::Value
                                                      : Use::ReadWrite);
    else
      effect(Kind, R, Site, Alignment, IndexVars, NonCoherent);
  }
}

void EffectWalker::knownCall(const CallExpr *Call, const KnownFunction &Known) {
  auto Rest = [&](unsigned From) {
    for (unsigned I = From; I < Call->getNumArgs(); ++I)
      walk(Call->getArg(I));
  };
  switch (Known.Behaviour) {
  case KnownBehaviour::SharedAddress:
    // For ldmatrix and its like, which take rows of 16 bytes.
    walkPointer(Call->getArg(0));
    for (const Root &R : Model.pointerRoots(Call->getArg(0)))
      if (R.Where != Root::Kind::Private) {
        effect(EffectKind::Read, R, Call, 16);
        Out.Effects.back().What = "address";
      }
    return Rest(1);
  case KnownBehaviour::Pure:
  case KnownBehaviour::ThreadValue:
    return Rest(0);
  case KnownBehaviour::Barrier:
    opaque(Call, "");
    Out.Effects.back().Kind = EffectKind::Barrier;
    return;
  case KnownBehaviour::AsyncCopy:
    opaque(Call, Known.What);
    Out.Effects.back().Kind = EffectKind::AsyncCopy;
    return Rest(0);
  case KnownBehaviour::Opaque:
    opaque(Call, Known.What);
    return Rest(0);
  case KnownBehaviour::LoadPointer:
  case KnownBehaviour::LoadReadOnly: {
    size_t FirstRef = Out.Refs.size();
    bool ReadOnly = Known.Behaviour == KnownBehaviour::LoadReadOnly;
    pointerArgument(Call->getArg(0), EffectKind::Read, Call, ReadOnly);
    RootSet Roots = Model.pointerRoots(Call->getArg(0));
    if (AddressDepth == 0 && isGlobalLike(Roots))
      recordLoad(Call, Roots, false, FirstRef);
    return Rest(1);
  }
  case KnownBehaviour::StorePointer:
    pointerArgument(Call->getArg(0), EffectKind::Write, Call, false);
    return Rest(1);
  case KnownBehaviour::AtomicPointer:
    pointerArgument(Call->getArg(0), EffectKind::Atomic, Call, false);
    return Rest(1);
  case KnownBehaviour::MatrixLoad:
    access(Call->getArg(0), Use::ReadWrite);
    pointerArgument(Call->getArg(1), EffectKind::Read, Call, false,
                    MatrixAlignment);
    return Rest(2);
  case KnownBehaviour::MatrixStore:
    pointerArgument(Call->getArg(0), EffectKind::Write, Call, false,
                    MatrixAlignment);
    return Rest(1);
  case KnownBehaviour::MatrixMultiply:
    access(Call->getArg(0), Use::ReadWrite);
    return Rest(1);
  }
}

namespace {

/// What decides which elements a call writes.
struct StoreDecision {
  std::vector<VarId> Vars;
  bool Open = false; ///< memory does

  /// What \p N mentions from the reference \p First on.
  void addRefs(const Node &N, size_t First) {
    for (size_t R = First; R < N.Refs.size(); ++R)
      Vars.push_back(N.Refs[R].Var);
  }
};

using Arguments = llvm::DenseMap<const ValueDecl *, const Expr *>;

/// What the callee's \p Object is to the caller.
RootSet objectsOf(const Root &Object, const Arguments &ArgumentOf, MemoryModel &Model) {
  const Expr *Argument = Object.Pointee ? ArgumentOf.lookup(Object.Decl) : nullptr;
  if (!Argument)
    return {Object};
  if (Object.Field.empty())
    return Object.Decl->getType()->isPointerType() ? Model.pointerRoots(Argument)
                                                   : Model.lvalueRoots(Argument);
  const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Argument));
  return {Root{Root::Kind::Global, Ref ? Ref->getDecl() : nullptr, Object.Field, true}};
}

} // namespace

void EffectWalker::summarisedCall(const CallExpr *Call,
                                  const FunctionDecl *Callee) {
  const FunctionSummary &Summary = Summaries.of(Callee, Context);
  // The summary names the parameters of the definition.
  if (const FunctionDecl *Definition = nullptr; Callee->hasBody(Definition))
    Callee = Definition;
  unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
  size_t FirstOfObject = Out.Refs.size(), FirstEffectOfObject = Out.Effects.size();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    access(Member->getImplicitObjectArgument(),
           Member->getMethodDecl() && Member->getMethodDecl()->isConst()
               ? Use::Value
               : Use::ReadWrite);
  if (Skip)
    access(Call->getArg(0), cast<CXXMethodDecl>(Callee)->isConst()
                                ? Use::Value
                                : Use::ReadWrite);
  size_t FirstRef = Out.Refs.size();
  StoreDecision Decision;
  if (Summary.Shape.OfObject) {
    Decision.addRefs(Out, FirstOfObject);
    Decision.Open = Out.Effects.size() != FirstEffectOfObject;
  }
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
    reach(Member->getImplicitObjectArgument()->getType(), Call);
  for (const Expr *Argument : Call->arguments())
    reach(Argument->getType(), Call);
  Arguments ArgumentOf;
  for (unsigned I = 0; I + Skip < Call->getNumArgs(); ++I) {
    const Expr *Argument = Call->getArg(I + Skip);
    if (I >= Callee->getNumParams()) {
      walk(Argument);
      continue;
    }
    const ParmVarDecl *P = Callee->getParamDecl(I);
    ArgumentOf[P] = Argument;
    size_t FirstOfArgument = Out.Refs.size(), FirstEffect = Out.Effects.size();
    if (P->getType()->isPointerType())
      walkPointer(Argument);
    else
      argument(Argument, P->getType());
    if (!Summary.Shape.Uses.count(P))
      continue;
    Decision.addRefs(Out, FirstOfArgument);
    // An element that is handed over to be written is not read yet.
    bool Handed = P->getType()->isLValueReferenceType() &&
                  !P->getType().getNonReferenceType().isConstQualified();
    Decision.Open |= !Handed && Out.Effects.size() != FirstEffect;
  }
  for (const VarDecl *Use : Summary.Shape.Uses)
    if (!ArgumentOf.count(Use))
      Decision.Vars.push_back(Tables.variable(Use));
  if (Summary.HasBarrier) {
    opaque(Call, Summary.ConditionalBarrier ? "conditional" : "");
    Out.Effects.back().Kind = EffectKind::Barrier;
  }
  RootSet LoadedFrom;
  bool Writes = false;
  for (const SummaryEffect &E : Summary.Effects) {
    if (E.Kind == EffectKind::Opaque || E.Kind == EffectKind::AsyncCopy) {
      opaque(Call, E.What);
      Out.Effects.back().Kind = E.Kind;
      continue;
    }
    for (const Root &R : objectsOf(E.Object, ArgumentOf, Model)) {
      if (R.Where == Root::Kind::Private) {
        mentionPrivate(R.Decl, E.Kind == EffectKind::Read ? Use::Value
                                                          : Use::ReadWrite);
        continue;
      }
      effect(E.Kind, R, Call, E.Alignment, {}, E.NonCoherent);
      Out.Effects.back().What = E.What;
      if (E.Kind == EffectKind::Read) {
        addRoots(LoadedFrom, {R});
        continue;
      }
      Writes = true;
      Out.ConditionalCall |= Summary.Shape.Open || Decision.Open;
      Out.CallDecides.insert(Out.CallDecides.end(), Decision.Vars.begin(), Decision.Vars.end());
    }
  }
  // A helper that only reads global memory and returns a value is a load.
  if (!Writes && !LoadedFrom.empty() && isGlobalLike(LoadedFrom) &&
      AddressDepth == 0 && !Call->getType()->isVoidType() && !Call->isLValue() &&
      !Call->getType()->isPointerType())
    recordLoad(Call, LoadedFrom, false, FirstRef);
}

/// A constructor does more than to fill its object: it is not followed. What it
/// reads by reference was seen with its arguments.
void EffectWalker::construction(const CXXConstructExpr *Construct) {
  const CXXConstructorDecl *Callee = Construct->getConstructor();
  const SourceManager &SM = Context.getSourceManager();
  if (!Callee->isCopyOrMoveConstructor())
    for (const Expr *Argument : Construct->arguments())
      reach(Argument->getType(), Construct);
  if (Callee->isTrivial() || !Callee->hasBody() ||
      SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())))
    return;
  const FunctionSummary &Summary = Summaries.of(Callee, Context);
  auto Private = [](const SummaryEffect &E) {
    bool Argument = E.Kind == EffectKind::Read && E.Object.Pointee &&
                    E.Object.Decl && E.Object.Decl->getType()->isReferenceType();
    return Argument || (E.Kind != EffectKind::Opaque &&
                        E.Object.Where == Root::Kind::Private);
  };
  if (Summary.HasBarrier || !llvm::all_of(Summary.Effects, Private))
    opaque(Construct, "a constructor with further effects");
}

void EffectWalker::unresolvedCall(const CallExpr *Call) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  std::string Name;
  const FunctionDecl *Candidate = nullptr;
  if (const auto *Lookup = dyn_cast<OverloadExpr>(Callee)) {
    Name = Lookup->getName().getAsString();
    unsigned Bodies = 0;
    for (const NamedDecl *D : Lookup->decls()) {
      D = D->getUnderlyingDecl();
      if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
        D = Template->getTemplatedDecl();
      if (const auto *F = dyn_cast<FunctionDecl>(D); F && F->hasBody()) {
        Candidate = F;
        ++Bodies;
        Name = F->getQualifiedNameAsString();
      }
    }
    if (Bodies != 1)
      Candidate = nullptr;
  } else if (const auto *Member = dyn_cast<CXXDependentScopeMemberExpr>(Callee)) {
    Name = Member->getMember().getAsString();
  }
  if (std::optional<KnownFunction> Known = lookUpFunction(Name, Call))
    return knownCall(Call, *Known);
  if (Candidate && Candidate->getNumParams() == Call->getNumArgs())
    return summarisedCall(Call, Candidate);
  bool OnlyValues = llvm::all_of(Call->arguments(), [](const Expr *A) {
    return !A->getType()->isPointerType() && !A->getType()->isArrayType();
  });
  for (const Expr *Argument : Call->arguments())
    walk(Argument);
  static constexpr llvm::StringRef Values[] = {
      "min", "max", "fminf", "fmaxf", "fmaf", "fma", "abs", "sqrt", "sqrtf",
      "exp", "expf", "__expf", "pow", "powf", "static_cast", "float", "int"};
  if (OnlyValues && llvm::is_contained(Values, Name))
    return;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee))
    return opaque(Call, "a call through '" + Ref->getDecl()->getNameAsString() +
                            "', which may be any function");
  opaque(Call, "a call that cannot be resolved" +
                   (Name.empty() ? "" : " (" + Name + ")"));
}

void EffectWalker::call(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return unresolvedCall(Call);
  if (std::optional<KnownFunction> Known =
          lookUpFunction(Callee->getQualifiedNameAsString(), Call))
    return knownCall(Call, *Known);
  const SourceManager &SM = Context.getSourceManager();
  bool System = Callee->getBuiltinID() != 0 ||
                SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation()));
  bool OnlyValues = llvm::all_of(Callee->parameters(), [](const ParmVarDecl *P) {
    QualType T = P->getType();
    return !T->isPointerType() && (!T->isReferenceType() ||
                                   T.getNonReferenceType().isConstQualified() ||
                                   T->isRValueReferenceType());
  });
  if (System && llvm::any_of(Call->arguments(), [](const Expr *Argument) {
        return holdsLambda(Argument->getType());
      }))
    opaque(Call, "a library's function that is given a lambda");
  if (System && OnlyValues) {
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
      walk(Member->getImplicitObjectArgument());
    for (const Expr *Argument : Call->arguments())
      walk(Argument);
    return;
  }
  if (Callee->hasBody())
    return summarisedCall(Call, Callee);
  for (const Expr *Argument : Call->arguments())
    walk(Argument);
  opaque(Call, "a call to '" + Callee->getNameAsString() +
                   "', whose body is not visible");
}

void EffectWalker::operatorCall(const CXXOperatorCallExpr *Call) {
  if (Call->isAssignmentOp() && Call->getNumArgs() == 2) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    assignment(Call, Call->getArg(0), Call->getArg(1),
               Call->getOperator() != OO_Equal);
    if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
        Method && Method->isTrivial())
      return;
    Out.ConditionalCall |= Callee && mayLeaveOut(Callee, Context);
    if (!Callee || !Callee->hasBody() ||
        Context.getSourceManager().isInSystemHeader(Callee->getLocation()))
      return;
    for (const SummaryEffect &E : Summaries.of(Callee, Context).Effects)
      if (E.Kind == EffectKind::Opaque || !E.Object.Pointee)
        opaque(Call, "an overloaded operator with further effects");
    return;
  }
  if (!Call->getDirectCallee()) { // dependent: the operators mean what they say
    if (Call->getOperator() == OO_PlusPlus || Call->getOperator() == OO_MinusMinus)
      return access(Call->getArg(0), Use::ReadWrite);
    for (const Expr *Argument : Call->arguments())
      walk(Argument);
    return;
  }
  call(Call);
}

} // namespace pipeline_rewrite
