#include "Analysis/Effects.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

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
    Inner = withoutBraces(Inner);
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

const Expr *withoutBraces(const Expr *E) {
  const auto *List = dyn_cast_or_null<InitListExpr>(E);
  bool One = List && List->getNumInits() == 1 && !List->getType()->isDependentType() &&
             List->getType()->isScalarType();
  return One ? List->getInit(0) : E;
}

bool isOpenType(const Expr *E) {
  const Expr *Inner = E->IgnoreParens();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Inner)) {
    QualType Base = Subscript->getLHS()->IgnoreImpCasts()->getType();
    if (!Base->isDependentType() && (Base->isPointerType() || Base->isArrayType()))
      return false;
  }
  return E->isTypeDependent();
}

/// The class behind \p Type, arrays looked through, where it is known by now.
static const CXXRecordDecl *knownClass(QualType Type) {
  const auto *Class = Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && !Class->isDependentContext()
             ? Class->getDefinition()
             : nullptr;
}

/// \p Fits for each part that \p Class is made of.
static bool eachPart(const CXXRecordDecl *Class,
                     llvm::function_ref<bool(QualType)> Fits) {
  return llvm::all_of(Class->fields(), [&](const FieldDecl *Field) {
    return Fits(Field->getType());
  }) && llvm::all_of(Class->bases(), [&](const CXXBaseSpecifier &Base) {
    return Fits(Base.getType());
  });
}

static bool isUsable(const CXXMethodDecl *Method) {
  return !Method->isDeleted() && Method->getAccess() != AS_private &&
         Method->getAccess() != AS_protected;
}

/// With its own qualifiers, as no array has any.
static QualType elementOf(QualType Type) {
  while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
    Type = Array->getElementType();
  return Type;
}

static bool hasDefault(QualType Type) {
  Type = elementOf(Type);
  if (Type->isReferenceType() || (Type.isConstQualified() && !Type->isRecordType()))
    return false;
  const CXXRecordDecl *Class = knownClass(Type);
  if (!Class)
    return true;
  for (const CXXConstructorDecl *Constructor : Class->ctors())
    if (Constructor->isDefaultConstructor())
      return isUsable(Constructor);
  return !Class->hasUserDeclaredConstructor() && eachPart(Class, hasDefault);
}

/// A const member or a reference leaves a class without assignment.
static bool takesValues(QualType Type) {
  Type = elementOf(Type);
  if (Type->isReferenceType() || Type.isConstQualified())
    return false;
  const CXXRecordDecl *Class = knownClass(Type);
  if (!Class)
    return true;
  for (const CXXMethodDecl *Method : Class->methods())
    if (Method->isCopyAssignmentOperator())
      return isUsable(Method);
  return !Class->hasUserDeclaredMoveOperation() && eachPart(Class, takesValues);
}

bool isAssignable(QualType Type) {
  Type = Type.getNonReferenceType().getUnqualifiedType();
  return hasDefault(Type) && takesValues(Type);
}

bool hasEmptyInit(QualType Type) {
  const CXXRecordDecl *Class = knownClass(Type);
  if (!Class)
    return true;
  for (const CXXConstructorDecl *Constructor : Class->ctors())
    if (Constructor->isDefaultConstructor() &&
        (Constructor->isExplicit() || !isUsable(Constructor)))
      return false;
  // A list without values goes on to the parts of an aggregate.
  return eachPart(Class, hasEmptyInit);
}

} // namespace pipeline_rewrite
