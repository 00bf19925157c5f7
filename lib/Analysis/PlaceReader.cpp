#include "Analysis/PlaceReader.h"
#include "Analysis/PlaceRanges.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

class PlaceReader {
public:
  PlaceReader(const ASTContext &Context, const MemoryModel &Model,
              const SourceText &Text, FactTables &Tables)
      : Context(Context), Model(Model), Text(Text), Tables(Tables) {}

  using Form = std::optional<PlaceForm>;
  Form place(const Expr *E);

private:
  Form pointer(const Expr *E);
  Form value(const Expr *E);
  Form meaning(const VarDecl *Var, bool Pointer);
  Form variable(const VarDecl *Var);
  Form builtinIndex(const Expr *E) const;
  Form binary(const BinaryOperator *Op);
  Form divided(const BinaryOperator *Op);
  Form exclusive(const BinaryOperator *Op);
  Form scaled(Form Base, Form Index, QualType Element, int64_t Sign);
  std::optional<int64_t> constant(const Expr *E) const {
    return constantIndex(E, Context);
  }
  std::optional<IndexRange> range(const Expr *E) const {
    return indexRange(E, Context, Model);
  }
  std::optional<int64_t> bytes(QualType Type) const { return knownBytes(Type, Context); }

  const ASTContext &Context;
  const MemoryModel &Model;
  const SourceText &Text;
  FactTables &Tables;
  std::optional<unsigned> TakenAt; ///< of the declaration that is looked through
  unsigned Depth = 0;
};

PlaceReader::Form PlaceReader::scaled(Form Base, Form Index, QualType Element,
                                      int64_t Sign) {
  std::optional<int64_t> Size = bytes(Element);
  if (!Base || !Index || !Size)
    return std::nullopt;
  return addForms(*Base, *Index, Sign * *Size);
}

/// An lvalue.
PlaceReader::Form PlaceReader::place(const Expr *E) {
  E = E->IgnoreParens();
  if (E->getType().isVolatileQualified())
    return std::nullopt;
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return scaled(pointer(Subscript->getBase()), value(Subscript->getIdx()),
                  Subscript->getType(), 1);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_Deref ? pointer(Op->getSubExpr()) : std::nullopt;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    bool Same = Cast->isGLValue() && (Cast->getCastKind() == CK_NoOp ||
                                      Cast->getCastKind() == CK_LValueBitCast);
    return Same ? place(Cast->getSubExpr()) : std::nullopt;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->isBitField() || Field->getType()->isReferenceType() ||
        Field->getParent()->isDependentContext())
      return std::nullopt;
    Form Base = Member->isArrow() ? pointer(Member->getBase()) : place(Member->getBase());
    if (!Base)
      return std::nullopt;
    uint64_t Offset = Context.getASTRecordLayout(Field->getParent())
                          .getFieldOffset(Field->getFieldIndex());
    return addForms(*Base, constantForm(Offset / Context.getCharWidth()), 1);
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var)
    return std::nullopt;
  if (Var->getType()->isReferenceType())
    return Var->getInit() && !isa<ParmVarDecl>(Var) && !ownsTemporary(Var)
               ? meaning(Var, false)
               : std::nullopt;
  if (Model.variableRoot(Var).Where != Root::Kind::Shared)
    return std::nullopt;
  PlaceAtom Tile;
  Tile.Key = "&" + std::to_string(Text.offset(Var->getLocation())) + Var->getNameAsString();
  return atomForm(std::move(Tile));
}

PlaceReader::Form PlaceReader::pointer(const Expr *E) {
  E = withoutBraces(E->IgnoreParens());
  if (E->getType().isVolatileQualified())
    return std::nullopt;
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return place(Cast->getSubExpr());
    case CK_LValueToRValue:
    case CK_NoOp:
    case CK_BitCast:
    case CK_AddressSpaceConversion:
      return pointer(Cast->getSubExpr());
    default:
      return std::nullopt;
    }
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_AddrOf ? place(Op->getSubExpr()) : std::nullopt;
  if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
    if (!Op->isAdditiveOp() || !Op->getType()->isPointerType())
      return std::nullopt;
    bool Left = Op->getLHS()->getType()->isPointerType();
    return scaled(pointer(Left ? Op->getLHS() : Op->getRHS()),
                  value(Left ? Op->getRHS() : Op->getLHS()),
                  Op->getType()->getPointeeType(), Op->getOpcode() == BO_Sub ? -1 : 1);
  }
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->getType()->isPointerType())
    return std::nullopt;
  Form Known = meaning(Var, true);
  return Known ? Known : variable(Var);
}

/// What a variable was initialised with, where it never has another value.
PlaceReader::Form PlaceReader::meaning(const VarDecl *Var, bool Pointer) {
  bool Reference = Var->getType()->isReferenceType();
  if (!Var->getInit() || isa<ParmVarDecl>(Var) || !Var->isLocalVarDecl() ||
      Var->isStaticLocal() || Depth > 6 ||
      (!Reference && (Model.isModified(Var) || Model.isAddressTaken(Var))))
    return std::nullopt;
  std::optional<unsigned> Outer = TakenAt;
  TakenAt = Text.offset(Var->getLocation());
  ++Depth;
  Form Found = Reference ? place(Var->getInit())
               : Pointer ? pointer(Var->getInit())
                         : value(Var->getInit());
  --Depth;
  TakenAt = Outer;
  return Found;
}

/// A variable that stands for itself.
PlaceReader::Form PlaceReader::variable(const VarDecl *Var) {
  bool Plain = Var->getType()->isPointerType() || Var->getType()->isIntegerType();
  if (!Plain || Var->getType().isVolatileQualified() || Model.isAddressTaken(Var) ||
      Model.variableRoot(Var).Where != Root::Kind::Private)
    return std::nullopt;
  PlaceAtom Atom;
  VarId Id = Tables.variable(Var);
  Atom.Key = "#" + std::to_string(Id);
  PlaceUse Use;
  Use.Var = Id;
  Use.Modified = Model.isModified(Var);
  // Declared in a copy loop, it is another one in each round.
  Use.TakenAt = Use.Modified ? TakenAt : Text.offset(Var->getLocation());
  Atom.Uses.push_back(Use);
  return atomForm(std::move(Atom));
}

PlaceReader::Form PlaceReader::builtinIndex(const Expr *E) const {
  std::optional<std::string> Name = builtinIndexName(E);
  if (!Name)
    return std::nullopt;
  PlaceAtom Atom;
  llvm::StringRef Base = llvm::StringRef(*Name).split('.').first;
  Atom.Positive = Base == "blockDim" || Base == "gridDim";
  if (Base == "threadIdx") {
    Atom.Least = 0;
    Atom.Most = MaxThreadIndex;
  }
  Atom.Key = std::move(*Name);
  return atomForm(std::move(Atom));
}

/// An integer. Sums are taken as if nothing wrapped: what wraps around 2^32 is
/// as far apart there as here, for places that both lie in a tile.
PlaceReader::Form PlaceReader::value(const Expr *E) {
  if (std::optional<int64_t> Number = constant(E))
    return constantForm(*Number);
  E = withoutBraces(E->IgnoreParens());
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    E = Pseudo->getSyntacticForm();
  if (Form Index = builtinIndex(E))
    return Index;
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return value(Full->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    CastKind Kind = Cast->getCastKind();
    if (Kind == CK_LValueToRValue || Kind == CK_NoOp)
      return value(Cast->getSubExpr());
    std::optional<int64_t> Size = bytes(Cast->getType()),
                           From = bytes(Cast->getSubExpr()->getType());
    // A narrower type makes other numbers of them.
    bool Wide = Kind == CK_IntegralCast && Size && *Size >= 4 && From && *From <= *Size;
    return Wide ? value(Cast->getSubExpr()) : std::nullopt;
  }
  if (const auto *Op = dyn_cast<UnaryOperator>(E)) {
    Form Inner = Op->getOpcode() == UO_Plus || Op->getOpcode() == UO_Minus
                     ? value(Op->getSubExpr())
                     : std::nullopt;
    return Inner ? addForms({}, *Inner, Op->getOpcode() == UO_Minus ? -1 : 1) : Inner;
  }
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return binary(Op);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!Var || !Var->getType()->isIntegerType())
    return std::nullopt;
  // A narrow variable does not hold all of what it is given.
  std::optional<int64_t> Size = bytes(Var->getType());
  Form Known = Size && *Size >= 4 ? meaning(Var, false) : std::nullopt;
  return Known ? Known : variable(Var);
}

PlaceReader::Form PlaceReader::binary(const BinaryOperator *Op) {
  switch (Op->getOpcode()) {
  case BO_Add:
  case BO_Sub: {
    Form Left = value(Op->getLHS()), Right = value(Op->getRHS());
    if (!Left || !Right)
      return std::nullopt;
    return addForms(*Left, *Right, Op->getOpcode() == BO_Sub ? -1 : 1);
  }
  case BO_Mul: {
    Form Left = value(Op->getLHS()), Right = value(Op->getRHS());
    return Left && Right ? multiplyForms(*Left, *Right) : std::nullopt;
  }
  case BO_Shl: {
    Form Left = value(Op->getLHS());
    std::optional<int64_t> By = constant(Op->getRHS());
    if (!Left || !By || *By < 0 || *By > 20)
      return std::nullopt;
    return addForms({}, *Left, int64_t(1) << *By);
  }
  case BO_Div:
  case BO_Rem:
  case BO_Shr:
  case BO_And:
    return divided(Op);
  case BO_Xor:
    return exclusive(Op);
  default:
    return std::nullopt;
  }
}

/// `e / n`, `e % n`, and the same with shifts and masks.
PlaceReader::Form PlaceReader::divided(const BinaryOperator *Op) {
  std::optional<int64_t> By = constant(Op->getRHS());
  Form Of = value(Op->getLHS());
  if (!By || !Of)
    return std::nullopt;
  int64_t Divisor = *By;
  if (Op->getOpcode() == BO_Shr)
    Divisor = *By >= 0 && *By < 20 ? int64_t(1) << *By : 0;
  else if (Op->getOpcode() == BO_And)
    Divisor = *By >= 0 && llvm::isPowerOf2_64(*By + 1) ? *By + 1 : 0;
  if (Divisor <= 0)
    return std::nullopt;
  // Without a sign both round down: `e >> 5` is `e / 32`.
  std::optional<IndexRange> Left = range(Op->getLHS());
  bool Unsigned = Op->getLHS()->getType()->isUnsignedIntegerType() ||
                  (Left && Left->Least >= 0);
  PlaceAtom Atom = dividedAtom(
      std::move(*Of), Divisor, Op->getOpcode() == BO_Rem || Op->getOpcode() == BO_And,
      Op->getOpcode() == BO_Shr || Op->getOpcode() == BO_And || Unsigned);
  if (std::optional<IndexRange> Known = range(Op)) {
    Atom.Least = Known->Least;
    Atom.Most = Known->Most;
  }
  return atomForm(std::move(Atom));
}

PlaceReader::Form PlaceReader::exclusive(const BinaryOperator *Op) {
  Form Left = value(Op->getLHS()), Right = value(Op->getRHS());
  if (!Left || !Right)
    return std::nullopt;
  PlaceAtom Atom;
  Atom.Key = "^" + keyOf(*Left) + keyOf(*Right);
  if (std::optional<IndexRange> Known = range(Op)) {
    Atom.Least = Known->Least;
    Atom.Most = Known->Most;
  }
  addUses(Atom, *Left);
  addUses(Atom, *Right);
  return atomForm(std::move(Atom));
}

} // namespace

std::optional<PlaceForm> readPlace(const Expr *Target, const ASTContext &Context,
                                   const MemoryModel &Model, const SourceText &Text,
                                   FactTables &Tables) {
  return PlaceReader(Context, Model, Text, Tables).place(Target);
}

} // namespace pipeline_rewrite
