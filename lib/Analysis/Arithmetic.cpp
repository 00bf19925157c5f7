#include "Analysis/Arithmetic.h"
#include "Analysis/CountedLoops.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

constexpr unsigned WarpSize = 32;

/// Walks statements with the number of times each one runs.
class ArithmeticCounter {
public:
  explicit ArithmeticCounter(const TreeContext &Tree) : Tree(Tree) {}

  void visit(const Stmt *S, double Times) {
    if (!S)
      return;
    if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      return visit(Attributed->getSubStmt(), Times);
    if (const auto *For = dyn_cast<ForStmt>(S)) {
      std::optional<CountedLoop> Loop = recogniseCountedLoop(For, Tree);
      double Before = Sum;
      visit(For->getBody(), Loop && Loop->Trips ? Times * *Loop->Trips : Times);
      // Unknown trips matter only around something that counts.
      Known &= Sum == Before || (Loop && Loop->Trips);
      return;
    }
    if (isa<WhileStmt, DoStmt, CXXForRangeStmt>(S)) {
      double Before = Sum;
      for (const Stmt *Child : S->children())
        visit(Child, Times);
      Known &= Sum == Before;
      return;
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(S))
      return visit(Subscript->getBase(), Times);
    if (const auto *E = dyn_cast<Expr>(S))
      Sum += Times * multiplyAdds(E);
    for (const Stmt *Child : S->children())
      visit(Child, Times);
  }

  double Sum = 0;
  bool Known = true, TensorCore = false;

private:
  static bool isProduct(const Expr *E) {
    E = stripCasts(E);
    bool Floating = E->getType()->isFloatingType();
    const Expr *Left = nullptr, *Right = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->getOpcode() == BO_Mul) {
      Left = Op->getLHS();
      Right = Op->getRHS();
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
               Call && Call->getOperator() == OO_Star && Call->getNumArgs() == 2) {
      return true;
    }
    if (!Left)
      return false;
    auto Element = [](const Expr *Factor) {
      return isa<ArraySubscriptExpr>(stripCasts(Factor));
    };
    return Floating || Element(Left) || Element(Right);
  }

  double multiplyAdds(const Expr *E) {
    if (const auto *Op = dyn_cast<BinaryOperator>(E)) {
      if (Op->isAdditiveOp())
        return isProduct(Op->getLHS()) + isProduct(Op->getRHS()) > 0;
      if (Op->getOpcode() == BO_AddAssign || Op->getOpcode() == BO_SubAssign)
        return isProduct(Op->getRHS());
      return 0;
    }
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return 0;
    if (Callee->getName() == "mma_sync" && Call->getNumArgs() > 0)
      return matrixMultiply(Call->getArg(0));
    return llvm::StringSwitch<double>(Callee->getName())
        .Cases("fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma", 1)
        .Case("__hfma2", 2)
        .Case("__dp4a", 4)
        .Case("__dp2a_lo", 2)
        .Default(0);
  }

  /// A warp's M*N*K multiply-adds, per thread.
  double matrixMultiply(const Expr *Accumulator) {
    TensorCore = true;
    const auto *Record = Accumulator->getType()->getAsCXXRecordDecl();
    const auto *Fragment =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(Record);
    if (!Fragment || Fragment->getTemplateArgs().size() < 4) {
      Known = false;
      return 0;
    }
    double Product = 1;
    for (unsigned I = 1; I <= 3; ++I) {
      const TemplateArgument &Extent = Fragment->getTemplateArgs()[I];
      if (Extent.getKind() == TemplateArgument::Integral)
        Product *= Extent.getAsIntegral().getLimitedValue();
    }
    return Product / WarpSize;
  }

  const TreeContext &Tree;
};

unsigned sizeOf(const ValueDecl *D, const ASTContext &Context) {
  QualType Type = D->getType();
  if (Type->isDependentType() || Type->isIncompleteType() ||
      Type->isReferenceType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

} // namespace

void countArithmetic(LoopFacts &Facts, const Stmt *Body,
                     const TreeContext &Tree) {
  ArithmeticCounter Counter(Tree);
  Counter.visit(Body, 1);
  Facts.TensorCore = Counter.TensorCore;
  if (Counter.Known && Counter.Sum > 0)
    Facts.MultiplyAdds = Counter.Sum;
  for (VarId Id = 0; Id < Facts.Variables.size(); ++Id) {
    const Variable &V = Facts.Variables[Id];
    if (V.IsPointer)
      ++Facts.PointerCount;
    else if (V.Scope == VarScope::Body)
      Facts.FragmentBytes += sizeOf(Tree.Tables.declarations()[Id], Tree.Context);
    else
      Facts.AccumulatorBytes +=
          sizeOf(Tree.Tables.declarations()[Id], Tree.Context);
  }
}

} // namespace pipeline_rewrite
