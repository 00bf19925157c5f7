#include "Analysis/AddressSteps.h"
#include "Analysis/CountedLoops.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// The places of an address that a pointer can be made of.
struct Pointed {
  const Expr *Whole = nullptr;    ///< to be replaced by the pointer
  bool IsPointer = false;         ///< Whole is an address
  const Expr *Base = nullptr;     ///< a pointer or an array
  const Expr *Moving = nullptr;   ///< the integer that holds the counter
};

class StepReader {
public:
  StepReader(const LoopCounter &Counter, const ASTContext &Context,
             const MemoryModel &Model, const SourceText &Text, FactTables &Tables)
      : Counter(Counter), Context(Context), Model(Model), Text(Text),
        Tables(Tables) {}

  std::optional<AddressStep> read(const Expr *Load) {
    std::optional<Pointed> At = find(Load);
    if (!At || moves(At->Base) || !isPlain(At->Base) || !isPlain(At->Moving))
      return std::nullopt;
    std::optional<std::string> Elements = elements(At->Moving);
    std::optional<TextRange> Element = Text.editable(At->Whole->getSourceRange());
    QualType Type = At->IsPointer ? At->Whole->getType()->getPointeeType()
                                  : At->Whole->getType();
    bool Open = Model.isTypeOpen(At->Whole) && !Tables.isOwnParameter(Type);
    if (!Elements || !Element || Open || Type.isVolatileQualified() ||
        !isNameable(Type))
      return std::nullopt;
    AddressStep Step;
    Step.Element = *Element;
    Step.IsPointer = At->IsPointer;
    Step.ElementType = (Type.isConstQualified() ? "const " : "") + Tables.spell(Type);
    Step.Elements = *Elements;
    Step.Counter = Tables.variable(Counter.Var);
    Step.Uses = std::move(Uses);
    return Step;
  }

private:
  /// Can a pointer to \p Type be declared in front of the loop as `T *p`?
  static bool isNameable(QualType Type) {
    const auto *Record = Type->getAsRecordDecl();
    return !Type->isArrayType() && !Type->isFunctionType() && !Type->isPointerType() &&
           (!Record || Record->isDefinedOutsideFunctionOrMethod());
  }

  /// A local that is what it was initialised with, which holds the counter.
  const Expr *meaning(const ValueDecl *D) const {
    const auto *Var = dyn_cast<VarDecl>(D);
    bool Kept = Var && Var != Counter.Var && Counter.OwnVariable &&
                Var->isLocalVarDecl() &&
                Var->getInit() && Var->getType()->isIntegerType() &&
                !Model.isModified(Var) && !Model.isAddressTaken(Var);
    return Kept && moves(Var->getInit()) ? Var->getInit() : nullptr;
  }

  /// Does the counter have a part in \p S?
  bool moves(const Stmt *S) const {
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
      return Ref->getDecl() == Counter.Var || meaning(Ref->getDecl());
    return S && llvm::any_of(S->children(),
                             [&](const Stmt *Child) { return moves(Child); });
  }

  std::optional<Pointed> find(const Expr *E) const {
    const Expr *Inner = stripCasts(E);
    if (const auto *Op = dyn_cast<UnaryOperator>(Inner)) {
      if (Op->getOpcode() != UO_Deref && Op->getOpcode() != UO_AddrOf)
        return std::nullopt;
      std::optional<Pointed> At = find(Op->getSubExpr());
      if (At && !At->IsPointer && Op->getOpcode() == UO_AddrOf &&
          Op->getSubExpr()->IgnoreParens() == At->Whole) {
        At->Whole = Op;
        At->IsPointer = true;
      }
      return At;
    }
    if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Inner)) {
      if (moves(Element->getIdx()))
        return Pointed{Element, false, Element->getBase(), Element->getIdx()};
      return find(Element->getBase());
    }
    if (const auto *Member = dyn_cast<MemberExpr>(Inner);
        Member && !Member->isArrow())
      return find(Member->getBase());
    const auto *Sum = dyn_cast<BinaryOperator>(Inner);
    if (!Sum || !Sum->isAdditiveOp() || !Sum->getType()->isPointerType())
      return std::nullopt;
    bool PointerFirst = Sum->getLHS()->getType()->isPointerType() ||
                        Sum->getLHS()->getType()->isArrayType();
    const Expr *Pointer = PointerFirst ? Sum->getLHS() : Sum->getRHS();
    const Expr *Offset = PointerFirst ? Sum->getRHS() : Sum->getLHS();
    if (!moves(Offset))
      return find(Pointer);
    if (Sum->getOpcode() != BO_Add)
      return std::nullopt;
    return Pointed{Sum, true, Pointer, Offset};
  }

  /// No memory, no call, no side effect. Notes the variables it is made of.
  bool isPlain(const Expr *E) {
    E = E->IgnoreParens();
    if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
      return isPlain(Pseudo->getSyntacticForm());
    if (isa<MSPropertyRefExpr, UnaryExprOrTypeTraitExpr, IntegerLiteral,
            CXXBoolLiteralExpr, SubstNonTypeTemplateParmExpr>(E))
      return true;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return isPlainVariable(Ref->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return !Member->isArrow() && isPlain(Member->getBase());
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return isPlainCast(Cast);
    if (const auto *Constant = dyn_cast<ConstantExpr>(E))
      return isPlain(Constant->getSubExpr());
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_Plus || Op->getOpcode() == UO_Minus ||
              Op->getOpcode() == UO_Not) &&
             isPlain(Op->getSubExpr());
    if (const auto *Op = dyn_cast<BinaryOperator>(E))
      return !Op->isAssignmentOp() && Op->getOpcode() != BO_Comma &&
             isPlain(Op->getLHS()) && isPlain(Op->getRHS());
    return false;
  }

  bool isPlainCast(const CastExpr *Cast) {
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_IntegralCast:
    case CK_BitCast:
    case CK_ArrayToPointerDecay:
      return isPlain(Cast->getSubExpr());
    default:
      return false;
    }
  }

  bool isPlainVariable(const ValueDecl *D) {
    if (isa<EnumConstantDecl, NonTypeTemplateParmDecl>(D) || isNamedConstant(D) ||
        isBuiltinIndex(D))
      return true;
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || Var->getType()->isReferenceType())
      return false;
    // What an array in memory holds may change; where it lies does not.
    if (!Var->isLocalVarDeclOrParm() || Var->isStaticLocal())
      return Var->getType()->isArrayType();
    if (Var == Counter.Var)
      return true;
    if (const Expr *Meaning = meaning(Var))
      return isPlain(Meaning);
    Uses.push_back(Tables.variable(Var));
    return true;
  }

  /// What \p E grows by in one iteration, in the author's words.
  std::optional<std::string> elements(const Expr *E) {
    std::optional<std::vector<std::string>> Factors = factors(E);
    if (!Factors)
      return std::nullopt;
    llvm::ArrayRef<std::string> Rest = *Factors;
    if (Rest.size() > 1 && Rest.front() == "1")
      Rest = Rest.drop_front();
    if (Factors->size() == 1)
      return Rest.front();
    // Wide, since the author never worked this out.
    std::string Product = "ptrdiff_t(" + Rest.front() + ")";
    for (const std::string &Factor : Rest.drop_front())
      Product += " * " + Factor;
    return Product;
  }

  /// The step of the counter and what it is multiplied with.
  std::optional<std::vector<std::string>> factors(const Expr *E) {
    E = E->IgnoreParens();
    if (!isAddressInteger(E->getType(), Context))
      return std::nullopt;
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      bool Narrows = Context.getTypeSize(Cast->getType()) <
                     Context.getTypeSize(Cast->getSubExpr()->getType());
      return Narrows ? std::nullopt : factors(Cast->getSubExpr());
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      if (Ref->getDecl() != Counter.Var)
        return factors(meaning(Ref->getDecl()));
      std::optional<std::string> Step = stepText();
      return Step ? std::optional(std::vector{*Step}) : std::nullopt;
    }
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (!Op || moves(Op->getLHS()) == moves(Op->getRHS()))
      return std::nullopt;
    bool Left = moves(Op->getLHS());
    const Expr *Moving = Left ? Op->getLHS() : Op->getRHS();
    const Expr *Rest = Left ? Op->getRHS() : Op->getLHS();
    if (Op->getOpcode() == BO_Add || (Op->getOpcode() == BO_Sub && Left))
      return factors(Moving);
    if (Op->getOpcode() != BO_Mul)
      return std::nullopt;
    auto Factors = factors(Moving);
    std::optional<std::string> Factor = factorText(Rest);
    if (!Factors || !Factor)
      return std::nullopt;
    Factors->push_back(*Factor);
    return Factors;
  }

  std::optional<std::string> stepText() {
    if (!Counter.Step)
      return "1";
    if (!isPlain(Counter.Step) || moves(Counter.Step))
      return std::nullopt;
    std::optional<TextRange> Range = Text.editable(Counter.Step->getSourceRange());
    return Range ? std::optional(Text.text(*Range).str()) : std::nullopt;
  }

  std::optional<std::string> factorText(const Expr *E) const {
    std::optional<TextRange> Range = Text.editable(E->getSourceRange());
    if (!Range)
      return std::nullopt;
    std::string Spelled = Text.text(*Range).str();
    const Expr *Inner = E->IgnoreImpCasts();
    bool Atom = isa<DeclRefExpr, IntegerLiteral, ParenExpr, MemberExpr,
                    SubstNonTypeTemplateParmExpr>(Inner);
    return Atom ? Spelled : "(" + Spelled + ")";
  }

  const LoopCounter &Counter;
  const ASTContext &Context;
  const MemoryModel &Model;
  const SourceText &Text;
  FactTables &Tables;
  std::vector<VarId> Uses;
};

} // namespace

std::optional<AddressStep> addressStep(const Expr *Load, const ASTContext &Context,
                                       const MemoryModel &Model,
                                       const SourceText &Text, FactTables &Tables) {
  if (!Tables.counter() || Load->isInstantiationDependent())
    return std::nullopt;
  return StepReader(*Tables.counter(), Context, Model, Text, Tables).read(Load);
}

} // namespace pipeline_rewrite
