#include "Analysis/Captures.h"
#include "Analysis/Effects.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

/// Whoever gets an object of \p Type may call the lambdas in it: what they read
/// and change by reference is read and changed here.
void EffectWalker::reach(QualType Type, const Expr *Site) {
  for (const ReachedVariable &R : reachedVariables(Type)) {
    const auto *Var = dyn_cast<VarDecl>(R.Variable);
    // `[&r = x]` is another name, and not followed.
    if (!Var || Var->isInitCapture()) {
      opaque(Site, "a lambda that declares what it captures by reference");
      continue;
    }
    size_t First = Out.Refs.size();
    if (Var->getType()->isReferenceType() && Var->getInit())
      for (const Root &Bound : Model.lvalueRoots(Var->getInit()))
        if (Bound.Where == Root::Kind::Private)
          mentionPrivate(Bound.Decl, R.MayWrite ? Use::ReadWrite : Use::Value);
    mentionPrivate(Var, R.MayWrite ? Use::ReadWrite : Use::Value);
    for (VarRef &Ref : llvm::drop_begin(Out.Refs, First))
      Ref.Captured = !Tables.isInBody(R.Lambda->getLocation(), Text);
  }
}

/// The `k` of `[k]`, which a clone has to take the place of.
void EffectWalker::mentionCapture(const VarDecl *Var, SourceLocation At) {
  if (Model.variableRoot(Var).Where != Root::Kind::Private)
    return;
  VarRef R;
  R.Var = Tables.variable(Var);
  R.Read = true;
  std::optional<TextRange> Token = Text.token(At);
  R.InMacro = !Token;
  R.Range = Token ? *Token : Text.covering(SourceRange(At));
  Out.Refs.push_back(R);
}

/// What `[v = x]` declares is a part of the lambda; `[&r = x]` is not followed.
void EffectWalker::lambda(const LambdaExpr *E) {
  for (const LambdaCapture &Capture : E->captures()) {
    const auto *Var = Capture.capturesVariable() ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                                                 : nullptr;
    if (Var && !Var->isInitCapture() && Capture.isExplicit())
      mentionCapture(Var, Capture.getLocation());
    if (!Var || !Var->isInitCapture())
      continue;
    if (Capture.getCaptureKind() == LCK_ByRef || Var->getType()->isReferenceType())
      return opaque(E, "a lambda that declares what it captures by reference");
    walk(Var->getInit());
  }
  walkStatement(E->getBody());
}

} // namespace pipeline_rewrite
