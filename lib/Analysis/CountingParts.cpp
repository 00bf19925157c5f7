#include "Analysis/CountingParts.h"
#include "Analysis/PlaceRanges.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// May \p E, which is written to, be \p D?
bool refersTo(const Expr *E, const ValueDecl *D) {
  E = stripCasts(E);
  if (const auto *Either = dyn_cast<ConditionalOperator>(E))
    return refersTo(Either->getTrueExpr(), D) || refersTo(Either->getFalseExpr(), D);
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Comma)
    return refersTo(Op->getRHS(), D);
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref && Ref->getDecl() == D;
}

class WriteFinder : public RecursiveASTVisitor<WriteFinder> {
public:
  explicit WriteFinder(const ValueDecl *D) : D(D) {}
  bool Found = false;
  bool VisitBinaryOperator(BinaryOperator *Op) {
    Found |= Op->isAssignmentOp() && refersTo(Op->getLHS(), D);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    Found |= (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf) &&
             refersTo(Op->getSubExpr(), D);
    return true;
  }
  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) {
    for (const Expr *Output : Asm->outputs())
      Found |= refersTo(Output, D);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      // What a method is called on comes first among an operator's arguments.
      unsigned Skip = isa<CXXOperatorCallExpr>(Call) && isa_and_nonnull<CXXMethodDecl>(Callee);
      QualType Taken = Callee && I >= Skip && I - Skip < Callee->getNumParams()
                           ? Callee->getParamDecl(I - Skip)->getType()
                           : QualType();
      Found |= !Taken.isNull() && Taken->isLValueReferenceType() &&
               !Taken.getNonReferenceType().isConstQualified() &&
               refersTo(Call->getArg(I), D);
    }
    return true;
  }

private:
  const ValueDecl *D;
};

/// Is there anything that leaves a statement early, or enters it in the middle?
class JumpFinder : public RecursiveASTVisitor<JumpFinder> {
public:
  bool Leaves = false, Enters = false;
  bool VisitStmt(Stmt *S) {
    Leaves |= isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S);
    Enters |= isa<LabelStmt, SwitchCase>(S);
    return true;
  }
};

JumpFinder jumpsOf(const Stmt *S) {
  JumpFinder Jumps;
  Jumps.TraverseStmt(const_cast<Stmt *>(S));
  return Jumps;
}

bool mentions(const Stmt *S, const ValueDecl *D) {
  const auto *Ref = dyn_cast<DeclRefExpr>(S);
  return (Ref && Ref->getDecl() == D) || llvm::any_of(S->children(), [&](const Stmt *Child) {
           return Child && mentions(Child, D);
         });
}

/// The block that has a statement as its own, and how many stand before it.
class PlaceFinder : public RecursiveASTVisitor<PlaceFinder> {
public:
  explicit PlaceFinder(const Stmt *Sought) : Sought(Sought) {}
  llvm::SmallVector<const Stmt *> Before;
  bool Found = false;
  bool VisitCompoundStmt(CompoundStmt *Block) {
    for (const Stmt *S : Block->body()) {
      if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
        S = Attributed->getSubStmt();
      if (S != Sought)
        continue;
      Found = true;
      for (const Stmt *Earlier : llvm::make_range(Block->body_begin(), Block->body_end())) {
        if (Earlier == S || (isa<AttributedStmt>(Earlier) &&
                             cast<AttributedStmt>(Earlier)->getSubStmt() == S))
          break;
        Before.push_back(Earlier);
      }
    }
    return !Found;
  }

private:
  const Stmt *Sought;
};

/// \p S as an expression that is a statement, or null.
const Expr *asExpression(const Stmt *S) {
  const auto *E = dyn_cast_or_null<Expr>(S);
  if (const auto *Full = dyn_cast_or_null<FullExpr>(E))
    E = Full->getSubExpr();
  return E ? E->IgnoreParens() : nullptr;
}

/// What \p S assigns to \p Var, if it does that and nothing else to it.
const Expr *assignedValue(const Stmt *S, const VarDecl *Var) {
  const auto *Op = dyn_cast_or_null<BinaryOperator>(asExpression(S));
  if (!Op || Op->getOpcode() != BO_Assign || mentions(Op->getRHS(), Var))
    return nullptr;
  const auto *Target = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens());
  return Target && Target->getDecl() == Var ? Op->getRHS() : nullptr;
}

/// The value of \p Var where \p Loop begins: what it was last given in the same
/// block, past nothing that may have changed it or come from elsewhere.
const Expr *startBefore(const Stmt *Loop, const VarDecl *Var, const TreeContext &Tree) {
  PlaceFinder Place(Loop);
  Place.TraverseStmt(Tree.Model.function()->getBody());
  for (const Stmt *S : llvm::reverse(Place.Before)) {
    if (jumpsOf(S).Enters)
      return nullptr;
    if (const Expr *Value = assignedValue(S, Var))
      return Value;
    if (writesVariable(S, Var))
      return nullptr;
    if (const auto *Decls = dyn_cast<DeclStmt>(S);
        Decls && llvm::is_contained(Decls->decls(), Var))
      return Var->getInit();
  }
  return nullptr;
}

/// The variable that an increment moves, or null.
const VarDecl *movedVariable(const Expr *Increment) {
  const Expr *Plain = Increment ? Increment->IgnoreParenImpCasts() : nullptr;
  const Expr *Target = nullptr;
  if (const auto *Op = dyn_cast_or_null<UnaryOperator>(Plain))
    Target = Op->getSubExpr();
  else if (const auto *Op = dyn_cast_or_null<BinaryOperator>(Plain))
    Target = Op->getLHS();
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(Target ? Target->IgnoreParens() : nullptr);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// A private number that only its name leads to.
bool isCounter(const VarDecl *Var, const TreeContext &Tree) {
  return Var->hasLocalStorage() && !Var->hasAttr<CUDASharedAttr>() &&
         Var->getType()->isIntegerType() && !Var->getType().isVolatileQualified() &&
         !Tree.Model.isAddressTaken(Var);
}

/// Is \p E the same as long as \p Uses, which are added to, are?
bool isFixed(const Stmt *E, llvm::SmallVectorImpl<const VarDecl *> &Uses) {
  if (!E)
    return true;
  if (const auto *Index = dyn_cast<Expr>(E); Index && builtinIndexName(Index))
    return true;
  if (const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return isFixed(Pseudo->getSyntacticForm(), Uses);
  if (isa<CallExpr, ArraySubscriptExpr, LambdaExpr, MSPropertyRefExpr, StmtExpr>(E))
    return false;
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    if (Op->getOpcode() == UO_Deref || Op->isIncrementDecrementOp())
      return false;
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAssignmentOp())
    return false;
  if (const auto *Member = dyn_cast<MemberExpr>(E); Member && Member->isArrow())
    return false;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (!Var || isNamedConstant(Var))
      return true;
    Uses.push_back(Var);
    return Var->hasLocalStorage() && !Var->hasAttr<CUDASharedAttr>() &&
           !Var->getType()->isReferenceType();
  }
  return llvm::all_of(E->children(),
                      [&](const Stmt *Child) { return isFixed(Child, Uses); });
}

/// Takes the last statement of \p Body for the increment. Nothing may pass it by.
bool takeLast(const Stmt *Body, CountingParts &Parts) {
  const auto *Block = dyn_cast<CompoundStmt>(Body);
  Parts.Increment = Block ? asExpression(Block->body_back()) : nullptr;
  return Parts.Increment != nullptr;
}

/// Where the counter is declared beside the loop, or moved in its body.
std::optional<CountingParts> looseParts(const Stmt *Loop, const Stmt *Body,
                                        CountingParts Parts, const Stmt *Start,
                                        const TreeContext &Tree) {
  bool InBody = !Parts.Increment;
  if (InBody && !takeLast(Body, Parts))
    return std::nullopt;
  Parts.Var = movedVariable(Parts.Increment);
  if (!Parts.Var || !isCounter(Parts.Var, Tree))
    return std::nullopt;
  const auto *Own = dyn_cast_or_null<DeclStmt>(Start);
  if (Own && Own->isSingleDecl() && Own->getSingleDecl() == Parts.Var)
    Parts.Init = Parts.Var->getInit();
  else if (Start)
    Parts.Init = assignedValue(Start, Parts.Var);
  else
    Parts.Init = startBefore(Loop, Parts.Var, Tree);
  JumpFinder Jumps = jumpsOf(Body);
  if (!Parts.Init || Jumps.Leaves || Jumps.Enters ||
      writesVariable(Parts.Condition, Parts.Var))
    return std::nullopt;
  const auto *Block = dyn_cast<CompoundStmt>(Body);
  if (!InBody)
    return writesVariable(Body, Parts.Var) ? std::nullopt : std::optional(Parts);
  for (const Stmt *S : Block->body())
    if (S != Block->body_back() && writesVariable(S, Parts.Var))
      return std::nullopt;
  return Parts;
}

std::optional<CountingParts> forParts(const ForStmt *For, const TreeContext &Tree) {
  CountingParts Parts;
  Parts.Condition = For->getCond();
  Parts.Increment = For->getInc();
  if (!Parts.Condition || For->getConditionVariable())
    return std::nullopt;
  const auto *Decls = dyn_cast_or_null<DeclStmt>(For->getInit());
  if (!Decls || !Parts.Increment)
    return looseParts(For, For->getBody(), Parts, For->getInit(), Tree);
  Parts.Var = Decls->isSingleDecl() ? dyn_cast<VarDecl>(Decls->getSingleDecl()) : nullptr;
  if (!Parts.Var || !Parts.Var->getInit() || Tree.Model.isAddressTaken(Parts.Var) ||
      writesVariable(For->getBody(), Parts.Var))
    return std::nullopt;
  Parts.Init = Parts.Var->getInit();
  return Parts;
}

} // namespace

bool writesVariable(const Stmt *S, const ValueDecl *D) {
  WriteFinder Writes(D);
  Writes.TraverseStmt(const_cast<Stmt *>(S));
  return Writes.Found;
}

std::optional<CountingParts> countingParts(const Stmt *Loop, const TreeContext &Tree) {
  std::optional<CountingParts> Parts;
  if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    Parts = forParts(For, Tree);
  } else if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    CountingParts Loose;
    Loose.Condition = While->getCond();
    if (!While->getConditionVariable())
      Parts = looseParts(Loop, While->getBody(), Loose, nullptr, Tree);
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    CountingParts Loose;
    Loose.Condition = Do->getCond();
    Loose.AtLeastOnce = true;
    Parts = looseParts(Loop, Do->getBody(), Loose, nullptr, Tree);
  }
  if (!Parts)
    return std::nullopt;
  Parts->Init = withoutBraces(Parts->Init);
  Parts->StartFixed = isFixed(Parts->Init, Parts->StartUses);
  return Parts;
}

} // namespace pipeline_rewrite
