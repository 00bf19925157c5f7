#include "Analysis/ThreadRun.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

ThreadValue someAddress(const ValueDecl *Base) {
  return {ThreadValue::Kind::Address, false, 0, Base};
}

} // namespace

std::optional<uint64_t> ThreadRun::bytesOf(QualType Type) const {
  if (Type->isDependentType() || Type->isIncompleteType() || Type->isFunctionType())
    return std::nullopt;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

/// \p Number as a value of \p Type, unknown if it does not fit: overflow is
/// undefined where signed, and not worth following where it wraps.
ThreadValue ThreadRun::fit(int64_t Number, QualType Type) const {
  if (!Type->isIntegralOrEnumerationType() || Type->isDependentType())
    return {};
  if (Type->isBooleanType())
    return ThreadValue::integer(Number != 0);
  unsigned Bits = Context.getIntWidth(Type);
  bool Signed = Type->isSignedIntegerOrEnumerationType();
  int64_t Most = Bits >= 62 ? (int64_t(1) << 61)
                            : (int64_t(1) << (Signed ? Bits - 1 : Bits)) - 1;
  int64_t Least = Signed ? -Most - 1 : 0;
  return Number < Least || Number > Most ? ThreadValue()
                                         : ThreadValue::integer(Number);
}

std::optional<int64_t> ThreadRun::constant(const Expr *E) {
  if (!E->getType()->isIntegralOrEnumerationType() || E->isValueDependent() ||
      E->isGLValue())
    return std::nullopt;
  auto [It, New] = Constants.try_emplace(E);
  if (!New)
    return It->second;
  std::optional<int64_t> Number;
  Expr::EvalResult Result;
  if (E->EvaluateAsInt(Result, Context, Expr::SE_NoSideEffects)) {
    llvm::APSInt Value = Result.Val.getInt();
    if (Value.isSingleWord() && (Value.isSigned() || Value.getActiveBits() < 62))
      Number = Value.getExtValue();
  }
  Constants[E] = Number;
  return Number;
}

/// threadIdx and blockDim, in both of the forms that headers give them.
std::optional<int64_t> ThreadRun::builtinIndex(const Expr *E) const {
  const Expr *Base = nullptr;
  llvm::StringRef Axis;
  if (const auto *Property = dyn_cast<MSPropertyRefExpr>(E)) {
    Base = Property->getBaseExpr();
    if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(Base))
      Base = Opaque->getSourceExpr();
    Axis = Property->getPropertyDecl()->getName();
  } else if (const auto *Member = dyn_cast<MemberExpr>(E);
             Member && Member->getMemberDecl()->getDeclName().isIdentifier()) {
    Base = Member->getBase();
    Axis = Member->getMemberDecl()->getName();
  }
  const auto *Ref = Base ? dyn_cast<DeclRefExpr>(stripCasts(Base)) : nullptr;
  if (!Ref || !isBuiltinIndex(Ref->getDecl()) || Axis.size() != 1 ||
      Axis[0] < 'x' || Axis[0] > 'z')
    return std::nullopt;
  unsigned At = Axis[0] - 'x';
  if (Ref->getDecl()->getName() == "threadIdx")
    return Index[At];
  if (Ref->getDecl()->getName() == "blockDim")
    return At == 0 ? Shape.X : At == 1 ? Shape.Y : Shape.Z;
  return std::nullopt;
}

void ThreadRun::escape(const ThreadValue &Value, const Expr *E,
                       llvm::StringRef How) {
  if (Value.isAddress())
    Log.lose(E->getBeginLoc(), ("an address of the block " + How).str());
}

void ThreadRun::touch(const ThreadValue &Address, uint64_t Bytes, bool Write,
                      const Expr *E) {
  if (!Address.isAddress())
    return;
  if (!Address.Known)
    return Log.lose(E->getBeginLoc(),
                    "the index of this access is not bounded by constants and "
                    "the block size");
  if (Address.Number < 0 || Address.Number + Bytes > BlockLog::MaxBytes)
    return Log.lose(E->getBeginLoc(), "this access lies outside any block's "
                                      "shared memory");
  Log.access(Address, Bytes, Write, certain());
}

ThreadValue ThreadRun::read(const ValueDecl *D) {
  if (Released.contains(D))
    return {};
  auto It = Values.find(D);
  if (It == Values.end())
    return {};
  ThreadValue Value = It->second;
  if (Value.isAddress() && Calls.empty() && !DeclaredInTarget.contains(D))
    Value.Base = D;
  return Value;
}

/// The target of \p Whole, after it.
ThreadRun::Lvalue ThreadRun::assigned(const Expr *Whole, const Expr *Target) {
  if (Target->HasSideEffects(Context)) {
    Log.lose(Whole->getBeginLoc(), "an assignment here is not followed");
    return {};
  }
  evaluate(Whole);
  return lvalue(Target);
}

ThreadRun::Lvalue ThreadRun::lvalue(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return lvalue(Full->getSubExpr());
  if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return lvalue(Substituted->getReplacement());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var)
      return {};
    if (Var->hasAttr<CUDASharedAttr>())
      return {nullptr, Var->hasExternalStorage()
                           ? ThreadValue{ThreadValue::Kind::Address, true, 0, Var}
                           : ThreadValue()};
    if (!Var->getType()->isReferenceType())
      return {Var->isLocalVarDeclOrParm() ? Var : nullptr, {}};
    ThreadValue Referred = read(Var);
    return Referred.isInteger() ? Lvalue{Var, {}} : Lvalue{nullptr, Referred};
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    ThreadValue Base = evaluate(Subscript->getBase());
    ThreadValue At = evaluate(Subscript->getIdx());
    return {nullptr, combine(BO_Add, Base, At, Subscript->getBase()->getType(),
                             Subscript->getIdx()->getType(),
                             Subscript->getBase()->getType(), E)};
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return {nullptr, evaluate(Op->getSubExpr())};
    if (Op->isIncrementDecrementOp())
      return assigned(Op, Op->getSubExpr());
    return lvalue(Op->getSubExpr());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    ThreadValue Base = Member->isArrow() ? evaluate(Member->getBase())
                                         : lvalue(Member->getBase()).Memory;
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (Base.isAddress() && Field && !Field->isBitField())
      Base.Number += Context.toCharUnitsFromBits(Context.getFieldOffset(Field))
                         .getQuantity();
    else
      escape(Base, E, "is used in a way that is not followed");
    return {nullptr, Base.isAddress() ? Base : ThreadValue()};
  }
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->isGLValue()) {
    Lvalue Inner = lvalue(Cast->getSubExpr());
    if (Cast->getCastKind() != CK_NoOp && Cast->getCastKind() != CK_LValueBitCast)
      escape(Inner.Memory, Cast, "is converted to something else");
    // Bytes of a private variable, seen as another type.
    if (Inner.Local && Cast->getCastKind() == CK_LValueBitCast) {
      release(Inner.Local);
      return {};
    }
    return Inner;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (Op->isAssignmentOp())
      return assigned(Op, Op->getLHS());
    evaluate(Op->getLHS());
    return Op->getOpcode() == BO_Comma ? lvalue(Op->getRHS()) : Lvalue();
  }
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E)) {
    escape(evaluate(Temporary->getSubExpr()), E, "is kept in a temporary");
    return {};
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return {nullptr, evaluateChoice(Choice)};
  if (E->isPRValue())
    return {nullptr, evaluate(E)};
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    ThreadValue Value = evaluateCall(Call);
    return {nullptr, Value.isAddress() ? Value : ThreadValue()};
  }
  return {nullptr, evaluateChildren(E)};
}

ThreadValue ThreadRun::load(const Lvalue &From, const Expr *E) {
  if (From.Local)
    return read(From.Local);
  if (std::optional<uint64_t> Bytes = bytesOf(E->getType()))
    touch(From.Memory, *Bytes, false, E);
  else
    escape(From.Memory, E, "is read with a type of unknown size");
  return {};
}

ThreadValue ThreadRun::loadFrom(const Expr *E) {
  const auto *Choice = dyn_cast<ConditionalOperator>(E->IgnoreParens());
  if (!Choice)
    return load(lvalue(E), E);
  ThreadValue Condition = evaluate(Choice->getCond());
  if (Condition.isInteger())
    return loadFrom(Condition.Number ? Choice->getTrueExpr()
                                     : Choice->getFalseExpr());
  ++Doubts;
  ThreadValue True = loadFrom(Choice->getTrueExpr());
  ThreadValue False = loadFrom(Choice->getFalseExpr());
  --Doubts;
  return either(True, False);
}

ThreadValue ThreadRun::assign(const Lvalue &To, const Expr *Target,
                              ThreadValue Value, bool Reads) {
  if (To.Local) {
    if (!Target->getType()->isPointerType() &&
        !Target->getType()->isIntegralOrEnumerationType())
      escape(Value, Target, "is kept in an object");
    else if (!Released.contains(To.Local))
      Values[To.Local] = Value;
    else
      escape(Value, Target, "is kept where others may change it");
    return Value;
  }
  escape(Value, Target, "is stored in memory");
  std::optional<uint64_t> Bytes = bytesOf(Target->getType());
  if (!Bytes) {
    escape(To.Memory, Target, "is written with a type of unknown size");
    return {};
  }
  if (Reads)
    touch(To.Memory, *Bytes, false, Target);
  touch(To.Memory, *Bytes, true, Target);
  return {};
}

ThreadValue ThreadRun::evaluateChildren(const Stmt *S) {
  for (const Stmt *Child : S->children())
    if (const auto *E = dyn_cast_or_null<Expr>(Child))
      escape(evaluate(E), E, "is used in a way that is not followed");
  return {};
}

ThreadValue ThreadRun::evaluateCast(const CastExpr *Cast) {
  const Expr *Sub = Cast->getSubExpr();
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
    if (std::optional<int64_t> Number = builtinIndex(Sub->IgnoreParens()))
      return ThreadValue::integer(*Number);
    return loadFrom(Sub);
  case CK_ArrayToPointerDecay:
    return lvalue(Sub).Memory;
  case CK_IntegralCast: {
    ThreadValue Value = evaluate(Sub);
    return Value.isInteger() ? fit(Value.Number, Cast->getType()) : ThreadValue();
  }
  case CK_IntegralToBoolean: {
    ThreadValue Value = evaluate(Sub);
    return Value.isInteger() ? ThreadValue::integer(Value.Number != 0)
                             : ThreadValue();
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_AddressSpaceConversion:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
    return evaluate(Sub);
  case CK_PointerToBoolean:
  case CK_ToVoid:
    evaluate(Sub);
    return {};
  default:
    escape(evaluate(Sub), Cast, "is converted to something else");
    return {};
  }
}

ThreadValue ThreadRun::evaluateUnary(const UnaryOperator *Op) {
  const Expr *Sub = Op->getSubExpr();
  if (Op->getOpcode() == UO_AddrOf) {
    Lvalue Of = lvalue(Sub);
    if (Of.Local)
      release(Of.Local);
    return Of.Memory;
  }
  if (Op->isIncrementDecrementOp()) {
    Lvalue At = lvalue(Sub);
    if (!At.Local)
      return assign(At, Sub, {}, true);
    ThreadValue Old = read(At.Local);
    ThreadValue New = combine(Op->isIncrementOp() ? BO_Add : BO_Sub, Old,
                              ThreadValue::integer(1), Sub->getType(),
                              Context.IntTy, Sub->getType(), Op);
    assign(At, Sub, New, false);
    return Op->isPrefix() ? New : Old;
  }
  if (Op->isGLValue())
    return load(lvalue(Op), Op);
  ThreadValue Value = evaluate(Sub);
  if (!Value.isInteger()) {
    if (Op->getOpcode() != UO_LNot)
      escape(Value, Op, "is used in a way that is not followed");
    return {};
  }
  switch (Op->getOpcode()) {
  case UO_Minus:
    return fit(-Value.Number, Op->getType());
  case UO_Plus:
    return Value;
  case UO_LNot:
    return ThreadValue::integer(!Value.Number);
  case UO_Not:
    return fit(~Value.Number, Op->getType());
  default:
    return {};
  }
}

ThreadValue ThreadRun::combine(BinaryOperatorKind Op, ThreadValue L,
                               ThreadValue R, QualType Left, QualType Right,
                               QualType Result, const Expr *Site) {
  if (BinaryOperator::isComparisonOp(Op) && (L.isAddress() || R.isAddress()))
    return {};
  if (L.isAddress() && R.isAddress()) {
    std::optional<uint64_t> Size = bytesOf(Left->getPointeeType());
    return Op == BO_Sub && L.Known && R.Known && Size && *Size
               ? fit((L.Number - R.Number) / int64_t(*Size), Result)
               : ThreadValue();
  }
  if (R.isAddress() && Op == BO_Add)
    return combine(Op, R, L, Right, Left, Result, Site);
  if (L.isAddress()) {
    QualType Pointer = Left->isArrayType() ? Context.getArrayDecayedType(Left) : Left;
    std::optional<uint64_t> Size =
        Pointer->isPointerType() ? bytesOf(Pointer->getPointeeType()) : std::nullopt;
    if (!Size || (Op != BO_Add && Op != BO_Sub)) {
      escape(L, Site, "is used in a way that is not followed");
      return {};
    }
    if (!L.Known || !R.isInteger())
      return someAddress(L.Base);
    int64_t Step = R.Number * int64_t(*Size);
    L.Number += Op == BO_Add ? Step : -Step;
    return L;
  }
  escape(R, Site, "is used in a way that is not followed");
  if (!L.isInteger() || !R.isInteger())
    return {};
  int64_t A = L.Number, B = R.Number;
  constexpr int64_t Small = int64_t(1) << 31;
  bool Multiplies = std::abs(A) <= Small && std::abs(B) <= Small;
  switch (Op) {
  case BO_Add: return fit(A + B, Result);
  case BO_Sub: return fit(A - B, Result);
  case BO_Mul: return Multiplies ? fit(A * B, Result) : ThreadValue();
  case BO_Div: return B ? fit(A / B, Result) : ThreadValue();
  case BO_Rem: return B ? fit(A % B, Result) : ThreadValue();
  case BO_And: return fit(A & B, Result);
  case BO_Or: return fit(A | B, Result);
  case BO_Xor: return fit(A ^ B, Result);
  case BO_Shl:
    return A >= 0 && A < Small && B >= 0 && B < 30 ? fit(A << B, Result)
                                                   : ThreadValue();
  case BO_Shr: return A >= 0 && B >= 0 && B < 63 ? fit(A >> B, Result)
                                                 : ThreadValue();
  case BO_LT: return ThreadValue::integer(A < B);
  case BO_GT: return ThreadValue::integer(A > B);
  case BO_LE: return ThreadValue::integer(A <= B);
  case BO_GE: return ThreadValue::integer(A >= B);
  case BO_EQ: return ThreadValue::integer(A == B);
  case BO_NE: return ThreadValue::integer(A != B);
  default: return {};
  }
}

ThreadValue ThreadRun::evaluateBinary(const BinaryOperator *Op) {
  const Expr *LHS = Op->getLHS(), *RHS = Op->getRHS();
  if (Op->getOpcode() == BO_Assign) {
    ThreadValue Right = evaluate(RHS);
    return assign(lvalue(LHS), LHS, Right, false);
  }
  if (Op->isCompoundAssignmentOp()) {
    ThreadValue Right = evaluate(RHS);
    Lvalue To = lvalue(LHS);
    if (!To.Local)
      return assign(To, LHS, {}, true);
    // Integers are computed in a type that both sides fit, then brought back.
    const auto *Compound = cast<CompoundAssignOperator>(Op);
    ThreadValue Old = read(To.Local);
    if (Old.isInteger())
      Old = fit(Old.Number, Compound->getComputationLHSType());
    ThreadValue Sum = combine(
        BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()), Old, Right,
        LHS->getType(), RHS->getType(), Compound->getComputationResultType(), Op);
    if (Sum.isInteger())
      Sum = fit(Sum.Number, LHS->getType());
    return assign(To, LHS, Sum, false);
  }
  if (Op->isLogicalOp()) {
    ThreadValue Left = evaluate(LHS);
    bool And = Op->getOpcode() == BO_LAnd;
    if (Left.isInteger() && bool(Left.Number) != And)
      return ThreadValue::integer(!And);
    Doubts += !Left.isInteger();
    ThreadValue Right = evaluate(RHS);
    Doubts -= !Left.isInteger();
    if (Left.isInteger() && Right.isInteger())
      return ThreadValue::integer(Right.Number != 0);
    // false && anything, true || anything: known without the left side.
    return Right.isInteger() && bool(Right.Number) != And
               ? ThreadValue::integer(!And)
               : ThreadValue();
  }
  ThreadValue Left = evaluate(LHS);
  ThreadValue Right = evaluate(RHS);
  if (Op->getOpcode() == BO_Comma)
    return Right;
  return combine(Op->getOpcode(), Left, Right, LHS->getType(), RHS->getType(),
                 Op->getType(), Op);
}

ThreadValue ThreadRun::evaluateChoice(const ConditionalOperator *Choice) {
  auto Arm = [&](const Expr *E) {
    return Choice->isGLValue() ? lvalue(E).Memory : evaluate(E);
  };
  ThreadValue Condition = evaluate(Choice->getCond());
  if (Condition.isInteger())
    return Arm(Condition.Number ? Choice->getTrueExpr() : Choice->getFalseExpr());
  ++Doubts;
  ThreadValue True = Arm(Choice->getTrueExpr());
  ThreadValue False = Arm(Choice->getFalseExpr());
  --Doubts;
  return either(True, False);
}

ThreadValue ThreadRun::evaluate(const Expr *E) {
  if (Log.lost() || overBudget(E))
    return {};
  if (std::optional<int64_t> Number = constant(E))
    return ThreadValue::integer(*Number);
  E = E->IgnoreParens();
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    E = Pseudo->getSyntacticForm();
  if (std::optional<int64_t> Number = builtinIndex(E))
    return ThreadValue::integer(*Number);
  if (isa<MSPropertyRefExpr, UnaryExprOrTypeTraitExpr>(E))
    return {};
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(Default->getExpr());
  if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(Substituted->getReplacement());
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(Call);
  bool Assigns = isa<BinaryOperator>(E) ||
                 (isa<UnaryOperator>(E) &&
                  cast<UnaryOperator>(E)->isIncrementDecrementOp());
  if (E->isGLValue() && !Assigns)
    return loadFrom(E);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(Cast);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(Op);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(Op);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return evaluateChoice(Choice);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return evaluateConstruction(Construct);
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    for (const Expr *Init : List->inits())
      keep(Init);
    return {};
  }
  if (isa<LambdaExpr, StmtExpr, CXXNewExpr, CXXThrowExpr, AtomicExpr>(E)) {
    Log.lose(E->getBeginLoc(), "an expression here is not followed");
    return {};
  }
  return evaluateChildren(E);
}

} // namespace pipeline_rewrite
