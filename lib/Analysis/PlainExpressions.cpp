#include "Analysis/MemoryModel.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace pipeline_rewrite {

/// Strips what stands around an expression, but follows no binding.
static const Expr *stripAround(const Expr *E) {
  while (E) {
    const Expr *Inner = E->IgnoreParenCasts();
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner);
        Construct && Construct->getNumArgs() == 1 &&
        Construct->getConstructor()->isCopyOrMoveConstructor())
      Inner = Construct->getArg(0)->IgnoreParenCasts();
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Inner))
      Inner = Cleanups->getSubExpr();
    if (Inner == E)
      return E;
    E = Inner;
  }
  return E;
}

const BindingDecl *namedBinding(const Expr *E) {
  const auto *Ref = dyn_cast_or_null<DeclRefExpr>(stripAround(E));
  return Ref ? dyn_cast<BindingDecl>(Ref->getDecl()) : nullptr;
}

bool ownsTemporary(const ValueDecl *D) {
  const auto *Var = dyn_cast_or_null<VarDecl>(D);
  const Expr *E = Var && Var->getType()->isReferenceType() ? Var->getInit() : nullptr;
  while (E) {
    if (isa<MaterializeTemporaryExpr>(E))
      return true;
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else
      return false;
  }
  return false;
}

const ValueDecl *storageOf(const ValueDecl *D) {
  const auto *Binding = dyn_cast_or_null<BindingDecl>(D);
  return Binding ? Binding->getDecomposedDecl() : D;
}

const Expr *stripCasts(const Expr *E) {
  E = stripAround(E);
  const BindingDecl *Binding = namedBinding(E);
  // Where the type is open, nobody knows what it is bound to.
  return Binding && Binding->getBinding() ? stripCasts(Binding->getBinding()) : E;
}

} // namespace pipeline_rewrite
