#include "Analysis/Captures.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/LambdaCapture.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Every mention of a variable that is not the start of a plain read.
class OtherUses : public RecursiveASTVisitor<OtherUses> {
public:
  explicit OtherUses(const ValueDecl *Variable) : Variable(Variable) {}
  bool Found = false;

  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() == CK_LValueToRValue)
      Read.insert(start(Cast->getSubExpr()));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    // A cast is visited before what stands in it.
    Found |= Ref->getDecl() == Variable && !Read.count(Ref);
    return true;
  }

private:
  /// The name that an element or a member belongs to.
  static const Expr *start(const Expr *E) {
    for (;;) {
      E = E->IgnoreParens();
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
        const auto *Decay = dyn_cast<ImplicitCastExpr>(Subscript->getBase()->IgnoreParens());
        if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
          return nullptr;
        E = Decay->getSubExpr();
      } else if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
        E = Member->getBase();
      } else {
        return E;
      }
    }
  }

  const ValueDecl *Variable;
  std::set<const Expr *> Read;
};

/// Calls \p Visit for each lambda class in \p Type, until it returns true.
bool anyLambda(QualType Type, std::set<const CXXRecordDecl *> &Seen,
               llvm::function_ref<bool(const CXXRecordDecl *)> Visit) {
  Type = Type.getNonReferenceType();
  while (Type->isPointerType() || Type->isArrayType())
    Type = Type->isPointerType() ? Type->getPointeeType()
                                 : QualType(Type->getArrayElementTypeNoTypeQual(), 0);
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || !Seen.insert(Class->getDefinition()).second)
    return false;
  Class = Class->getDefinition();
  auto Into = [&](QualType Inner) { return anyLambda(Inner, Seen, Visit); };
  if (Class->isLambda()) {
    if (Visit(Class))
      return true;
    return llvm::any_of(Class->captures(), [&](const LambdaCapture &Capture) {
      return Capture.capturesVariable() && Into(Capture.getCapturedVar()->getType());
    });
  }
  return llvm::any_of(Class->fields(), [&](const FieldDecl *F) { return Into(F->getType()); }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &B) { return Into(B.getType()); });
}

} // namespace

bool onlyReads(const CXXRecordDecl *Lambda, const ValueDecl *Captured) {
  const CXXMethodDecl *Call = Lambda->getLambdaCallOperator();
  QualType Type = Captured->getType();
  if (!Call || !Call->getBody() || Type->isReferenceType() || Type.isVolatileQualified())
    return false;
  OtherUses Uses(Captured);
  Uses.TraverseStmt(Call->getBody());
  return !Uses.Found;
}

std::vector<ReachedVariable> reachedVariables(QualType Type) {
  std::vector<ReachedVariable> Found;
  std::set<const CXXRecordDecl *> Seen;
  anyLambda(Type, Seen, [&](const CXXRecordDecl *Lambda) {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable() && Capture.getCaptureKind() == LCK_ByRef)
        Found.push_back({Capture.getCapturedVar(), Lambda,
                         !onlyReads(Lambda, Capture.getCapturedVar())});
    return false;
  });
  return Found;
}

static bool holdsAddresses(QualType Type, std::set<const CXXRecordDecl *> &Seen) {
  if (Type->isPointerType() || Type->isReferenceType())
    return true;
  const CXXRecordDecl *Class = Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (Type->isArrayType() && !Class)
    return holdsAddresses(QualType(Type->getArrayElementTypeNoTypeQual(), 0), Seen);
  if (!Class || !Class->hasDefinition() || !Seen.insert(Class->getDefinition()).second)
    return false;
  Class = Class->getDefinition();
  auto Into = [&](QualType Inner) { return holdsAddresses(Inner, Seen); };
  bool Captures = Class->isLambda() &&
                  llvm::any_of(Class->captures(), [&](const LambdaCapture &Capture) {
                    return Capture.getCaptureKind() == LCK_ByRef ||
                           Capture.getCaptureKind() == LCK_This ||
                           (Capture.capturesVariable() &&
                            Into(Capture.getCapturedVar()->getType()));
                  });
  return Captures ||
         llvm::any_of(Class->fields(), [&](const FieldDecl *F) { return Into(F->getType()); }) ||
         llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &B) { return Into(B.getType()); });
}

bool holdsAddresses(QualType Type) {
  std::set<const CXXRecordDecl *> Seen;
  return holdsAddresses(Type, Seen);
}

bool holdsLambda(QualType Type) {
  std::set<const CXXRecordDecl *> Seen;
  return anyLambda(Type, Seen, [](const CXXRecordDecl *) { return true; });
}

} // namespace pipeline_rewrite
