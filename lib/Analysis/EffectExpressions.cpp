#include "Analysis/PlaceReader.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

bool isZeroValue(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Literal = dyn_cast<IntegerLiteral>(E))
    return Literal->getValue() == 0;
  if (const auto *Literal = dyn_cast<FloatingLiteral>(E))
    return Literal->getValue().isPosZero();
  if (const auto *Literal = dyn_cast<CXXBoolLiteralExpr>(E))
    return !Literal->getValue();
  if (isa<CXXScalarValueInitExpr, ImplicitValueInitExpr, CXXNullPtrLiteralExpr>(E))
    return true;
  auto AllZero = [](auto &&Children) {
    return llvm::all_of(Children, [](const Stmt *Child) {
      return Child && isa<Expr>(Child) && isZeroValue(cast<Expr>(Child));
    });
  };
  if (const auto *List = dyn_cast<InitListExpr>(E))
    return AllZero(List->inits());
  if (const auto *Construct = dyn_cast<CXXUnresolvedConstructExpr>(E))
    return AllZero(Construct->arguments());
  if (const auto *Paren = dyn_cast<ParenListExpr>(E))
    return AllZero(const_cast<ParenListExpr *>(Paren)->children());
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return isZeroValue(Temporary->getSubExpr());
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return Construct->getNumArgs() == 1 && isZeroValue(Construct->getArg(0)) &&
           Construct->getConstructor()->isCopyOrMoveConstructor();
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return false;
    llvm::StringRef Name = Callee->getName();
    bool Builds = Name.starts_with("make_") || Name == "__float2half" ||
                  Name == "__float2half_rn" || Name == "__float2bfloat16";
    return Builds && AllZero(Call->arguments());
  }
  return false;
}

void EffectWalker::recordStore(const Expr *Target, const Expr *Value,
                               bool Compound, const RootSet &Roots,
                               size_t FirstEffect,
                               std::vector<VarRef> TargetRefs) {
  for (const Root &R : Roots) {
    if (R.Where != Root::Kind::Shared)
      continue;
    TileStore S;
    S.Tile = Tables.object(R);
    std::optional<TextRange> Destination =
        Text.editable(Target->getSourceRange());
    std::optional<TextRange> ValueRange = Text.editable(Value->getSourceRange());
    S.EditableDestination = Destination && ValueRange;
    S.Destination =
        Destination ? *Destination : Text.covering(Target->getSourceRange());
    S.Value = ValueRange ? *ValueRange : Text.covering(Value->getSourceRange());
    S.DestinationRefs = std::move(TargetRefs);
    S.Compound = Compound;
    S.Conditional = !Conditions.empty();
    S.Place = withoutSpaces(Text.text(S.Destination));
    S.Form = readPlace(Target, Context, Model, Text, Tables);
    S.Bytes = bytesOf(Target->getType());
    S.Type = Tables.spell(Target->getType());
    const auto *Record = Target->getType()->getAsRecordDecl();
    S.LocalType = Record && !Record->isDefinedOutsideFunctionOrMethod();
    const ValueDecl *Source = nullptr;
    S.Kind = Compound ? ValueKind::Other
                      : classify(Value, Target->getType(), S.Guard,
                                 S.GuardNegated, Source);
    if (S.Kind == ValueKind::Temporary)
      S.Source = Tables.variable(Source);
    for (size_t I = FirstEffect; I < Out.Effects.size(); ++I) {
      const Effect &E = Out.Effects[I];
      S.ReadsShared |= E.Kind == EffectKind::Read && E.What.empty() &&
                       Tables.roots()[*E.Object].Where == Root::Kind::Shared;
    }
    std::tie(S.Line, S.Column) = Text.lineColumn(Target->getBeginLoc());
    Out.Stores.push_back(std::move(S));
    return;
  }
}

/// A pointer stored where others find it outlives the statement.
void EffectWalker::keepAddress(const Expr *Value, const RootSet &Target) {
  const Expr *Pointer = stripCasts(Value);
  bool Private = llvm::all_of(Target, [](const Root &R) {
    return R.Where == Root::Kind::Private;
  });
  if (Private || !(Pointer->getType()->isPointerType() ||
                   Pointer->getType()->isArrayType()))
    return;
  for (const Root &R : Model.pointerRoots(Pointer)) {
    if (R.Where == Root::Kind::Private)
      continue;
    effect(EffectKind::Read, R, Value);
    Out.Effects.back().What = "kept";
  }
}

void EffectWalker::assignment(const Expr *Whole, const Expr *Target,
                              const Expr *Value, bool Compound) {
  size_t FirstEffect = Out.Effects.size();
  walk(Value);
  size_t FirstRef = Out.Refs.size();
  access(Target, Compound ? Use::ReadWrite : Use::Write);
  std::vector<VarRef> TargetRefs(Out.Refs.begin() + FirstRef, Out.Refs.end());
  RootSet Roots = Model.lvalueRoots(Target);
  keepAddress(Value, Roots);
  recordStore(Target, Value, Compound, Roots, FirstEffect, TargetRefs);
  const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Target));
  if (!Ref || Compound || Model.variableRoot(Ref->getDecl()).Where !=
                              Root::Kind::Private)
    return;
  Definition Def;
  Def.Var = Tables.variable(Ref->getDecl());
  const ValueDecl *Source = nullptr;
  Def.Kind = classify(Value, Target->getType(), Def.Guard, Def.GuardNegated,
                      Source);
  Out.Definitions.push_back(Def);
}

void EffectWalker::walk(const Expr *E, Use U) {
  if (!E)
    return;
  if (const auto *Paren = dyn_cast<ParenExpr>(E)) {
    // A macro that expands to (expression) is replaced with its parentheses.
    if (!Enclosing)
      Enclosing = Paren;
    walk(Paren->getSubExpr(), U);
    Enclosing = nullptr;
    return;
  }
  if (!isa<CastExpr, FullExpr>(E) && !isChainExpression(E))
    Enclosing = nullptr;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_ArrayToPointerDecay &&
        !isa<StringLiteral>(Sub->IgnoreParens())) {
      walkChain(Sub, Use::Value, true);
      return addressUse(Sub);
    }
    // A cast to a reference type accesses the lvalue with the new type.
    if (Cast->isLValue() && !isa<ImplicitCastExpr>(Cast))
      return access(Cast, U);
    return walk(Sub, U);
  }
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return walk(Full->getSubExpr(), U);
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return walk(Temporary->getSubExpr(), U);
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return walk(Pseudo->getSyntacticForm(), Use::Value);
  if (isa<MSPropertyRefExpr, UnaryExprOrTypeTraitExpr, SubstNonTypeTemplateParmExpr>(E))
    return;
  if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
    return operatorCall(Call);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return call(Call);
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      return assignment(Op, Op->getLHS(), Op->getRHS(),
                        Op->isCompoundAssignmentOp());
    walk(Op->getLHS());
    if (Op->isLogicalOp())
      Conditions.push_back({Text.covering(Op->getLHS()->getSourceRange()),
                            Op->getOpcode() == BO_LAnd});
    walk(Op->getRHS());
    if (Op->isLogicalOp())
      Conditions.pop_back();
    return;
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->isIncrementDecrementOp())
      return access(Op->getSubExpr(), Use::ReadWrite);
    if (Op->getOpcode() == UO_AddrOf) {
      walkChain(Op->getSubExpr(), Use::Address, true);
      return addressUse(Op->getSubExpr());
    }
    if (Op->getOpcode() != UO_Deref)
      return walk(Op->getSubExpr());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    ++AddressDepth;
    walk(Choice->getCond());
    --AddressDepth;
    TextRange Condition = Text.covering(Choice->getCond()->getSourceRange());
    Conditions.push_back({Condition, true});
    walk(Choice->getTrueExpr(), U);
    Conditions.back().second = false;
    walk(Choice->getFalseExpr(), U);
    Conditions.pop_back();
    return;
  }
  const bool IsMember = isa<MemberExpr>(E) &&
                        !isa<CXXMethodDecl>(cast<MemberExpr>(E)->getMemberDecl());
  if (isa<ArraySubscriptExpr, DeclRefExpr, UnaryOperator>(E) || IsMember ||
      (isa<CXXDependentScopeMemberExpr>(E) &&
       !cast<CXXDependentScopeMemberExpr>(E)->isImplicitAccess()))
    return access(E, U);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    for (unsigned I = 0; I < Construct->getNumArgs(); ++I) {
      const CXXConstructorDecl *Callee = Construct->getConstructor();
      argument(Construct->getArg(I), I < Callee->getNumParams()
                                         ? Callee->getParamDecl(I)->getType()
                                         : Construct->getArg(I)->getType());
    }
    return construction(Construct);
  }
  if (isa<CXXBindTemporaryExpr>(E))
    opaque(E, "a destructor");
  if (const auto *Lambda = dyn_cast<LambdaExpr>(E))
    return lambda(Lambda);
  if (isa<StmtExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr, AtomicExpr>(E))
    return opaque(E, "an expression the analysis does not model");
  for (const Stmt *Child : E->children())
    if (const auto *Sub = dyn_cast_or_null<Expr>(Child))
      walk(Sub);
}

} // namespace pipeline_rewrite
