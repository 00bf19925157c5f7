#include "Analysis/SpelledNames.h"
#include "Support/Words.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Collects the local declarations that can be seen at a statement, inner ones last.
class VisibleLocals {
public:
  VisibleLocals(const FunctionDecl *F, const Stmt *At) : At(At) {
    for (const ParmVarDecl *Parameter : F->parameters())
      Seen.push_back(Parameter);
    Found = find(F->getBody());
  }

  /// Does the name of \p D, read there, mean \p D?
  bool means(const ValueDecl *D) const {
    bool Local = D->getDeclContext()->isFunctionOrMethod();
    for (const NamedDecl *Visible : llvm::reverse(Seen))
      if (Visible->getDeclName() == D->getDeclName())
        return Visible == D;
    return Found && !Local;
  }

private:
  bool find(const Stmt *S) {
    if (S == At)
      return true;
    size_t Outside = Seen.size();
    for (const Stmt *Child : S->children()) {
      if (!Child)
        continue;
      if (const auto *Decls = dyn_cast<DeclStmt>(Child))
        for (const Decl *D : Decls->decls())
          if (const auto *Named = dyn_cast<NamedDecl>(D))
            Seen.push_back(Named);
      if (find(Child))
        return true;
    }
    Seen.resize(Outside);
    return false;
  }

  const Stmt *At;
  std::vector<const NamedDecl *> Seen;
  bool Found = false;
};

class NamesOf : public RecursiveASTVisitor<NamesOf> {
public:
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (!Names.insert(Ref->getDecl()).second)
      return true;
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->isLocalVarDecl() && Var->getInit() && Var->getType()->isIntegerType())
      TraverseStmt(const_cast<Expr *>(Var->getInit()));
    return true;
  }
  std::set<const ValueDecl *> Names;
};

} // namespace

bool isAtom(const Expr *E) {
  E = E->IgnoreImpCasts();
  // A copy, of what is handed over by value.
  while (isa<CXXConstructExpr>(E) && !isa<CXXTemporaryObjectExpr>(E) &&
         cast<CXXConstructExpr>(E)->getNumArgs() == 1)
    E = cast<CXXConstructExpr>(E)->getArg(0)->IgnoreImpCasts();
  return isa<DeclRefExpr, IntegerLiteral, ParenExpr, SubstNonTypeTemplateParmExpr,
             CXXBoolLiteralExpr>(E);
}

std::string spelledAtom(const Expr *E, const SourceText &Text) {
  std::string Spelled = Text.spelled(E->getSourceRange());
  return isWord(Spelled) && !isAtom(E) && !Spelled.empty() ? "(" + Spelled + ")" : Spelled;
}

bool meansTheSameAt(const Expr *E, const Stmt *At, const FunctionDecl *F) {
  NamesOf Names;
  Names.TraverseStmt(const_cast<Expr *>(E));
  VisibleLocals Visible(F, At);
  return llvm::all_of(Names.Names, [&](const ValueDecl *D) { return Visible.means(D); });
}

} // namespace pipeline_rewrite
