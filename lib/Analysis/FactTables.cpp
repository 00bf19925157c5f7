#include "Analysis/Effects.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Does a type, as it is written, name what a function declares?
class LocalNames : public RecursiveASTVisitor<LocalNames> {
public:
  explicit LocalNames(llvm::function_ref<bool(const Decl *)> Counts) : Counts(Counts) {}
  bool Found = false;

  bool VisitTypedefType(TypedefType *T) { return note(T->getDecl()); }
  bool VisitTagType(TagType *T) {
    if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(T->getDecl()))
      TraverseTemplateArguments(Special->getTemplateArgs().asArray());
    return note(T->getDecl());
  }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) { return note(Ref->getDecl()); }
  bool VisitElaboratedType(ElaboratedType *T) { return qualifier(T->getQualifier()); }
  bool VisitDependentNameType(DependentNameType *T) {
    return qualifier(T->getQualifier());
  }

private:
  bool note(const Decl *D) {
    Found |= Counts(D);
    return true;
  }
  /// `S::` of `typename S::Value`.
  bool qualifier(const NestedNameSpecifier *Name) {
    for (; Name; Name = Name->getPrefix())
      if (const Type *T = Name->getAsType())
        TraverseType(QualType(T, 0));
    return true;
  }

  llvm::function_ref<bool(const Decl *)> Counts;
};

bool namesWhere(QualType Type, llvm::function_ref<bool(const Decl *)> Counts) {
  LocalNames Names(Counts);
  Names.TraverseType(Type);
  return Names.Found;
}

bool isOfFunction(const Decl *D) {
  return !isa<ParmVarDecl>(D) && !D->isDefinedOutsideFunctionOrMethod();
}

/// A name that the function itself gives to a type may not reach so far.
QualType withoutOwnNames(QualType Type) {
  while (const auto *Alias = Type->getAs<TypedefType>()) {
    if (!Alias->getDecl()->getDeclContext()->isFunctionOrMethod())
      break;
    Type = Alias->desugar().getUnqualifiedType();
  }
  if (!Type->isDependentType() && namesWhere(Type, isOfFunction))
    Type = Type.getCanonicalType();
  return Type;
}

} // namespace

bool FactTables::isOfLoop(QualType Type) const {
  const SourceManager &SM = Context.getSourceManager();
  return namesWhere(withoutOwnNames(Type.getNonReferenceType().getUnqualifiedType()),
                    [&](const Decl *D) {
    SourceLocation At = SM.getExpansionLoc(D->getLocation());
    return LoopRange.isValid() && isOfFunction(D) &&
           SM.isPointWithin(At, SM.getExpansionLoc(LoopRange.getBegin()),
                            SM.getExpansionRange(LoopRange.getEnd()).getEnd());
  });
}

std::string FactTables::spell(QualType Type) const {
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.SuppressScope = false;
  Policy.Bool = true;
  QualType Plain = Type.getNonReferenceType();
  Plain.removeLocalConst();
  Plain.removeLocalVolatile();
  Plain.removeLocalRestrict();
  // In an instantiation the author's name is the template parameter's, if the
  // parameter is this function's own.
  while (const auto *Substituted = Plain->getAs<SubstTemplateTypeParmType>()) {
    const Decl *Owner = Substituted->getAssociatedDecl();
    if (F && (Owner == F || Owner == F->getPrimaryTemplate()))
      return Substituted->getReplacedParameter()->getNameAsString();
    Plain = Substituted->getReplacementType().getUnqualifiedType();
  }
  return withoutOwnNames(Plain).getAsString(Policy);
}

bool FactTables::isOwnParameter(QualType Type) const {
  Type = Type.getNonReferenceType().getUnqualifiedType();
  if (const auto *Parameter = Type->getAs<TemplateTypeParmType>())
    return Parameter->getDecl() != nullptr;
  const auto *Substituted = Type->getAs<SubstTemplateTypeParmType>();
  const Decl *Owner = Substituted ? Substituted->getAssociatedDecl() : nullptr;
  return F && Owner && (Owner == F || Owner == F->getPrimaryTemplate());
}

/// `[r, c]` for the variable that `auto [r, c]` declares; anonymous unions have
/// no name either.
static std::string nameOf(const ValueDecl *D) {
  const auto *Parts = dyn_cast<DecompositionDecl>(D);
  if (!Parts)
    return D->getDeclName().isEmpty() ? "[unnamed]" : D->getNameAsString();
  std::string Name;
  for (const BindingDecl *Binding : Parts->bindings())
    Name += (Name.empty() ? "[" : ", ") + Binding->getNameAsString();
  return Name + "]";
}

VarId FactTables::variable(const ValueDecl *D) {
  auto It = llvm::find(Variables, D);
  if (It != Variables.end())
    return It - Variables.begin();
  Variables.push_back(D);
  Variable V;
  V.Name = nameOf(D);
  V.Type = spell(D->getType());
  V.IsPointer = D->getType()->isPointerType();
  V.IsReference = D->getType()->isReferenceType();
  V.IsScalar = D->getType()->isScalarType() || D->getType()->isDependentType();
  Facts.Variables.push_back(V);
  return Variables.size() - 1;
}

ObjectId FactTables::object(const Root &R) {
  auto It = llvm::find(Objects, R);
  if (It != Objects.end())
    return It - Objects.begin();
  Objects.push_back(R);
  MemoryObject O;
  O.Name = R.Decl ? R.Decl->getNameAsString() : "an unknown object";
  if (!R.Field.empty())
    O.Name += "." + R.Field;
  O.IsParameter = R.Pointee && R.Decl && isa<ParmVarDecl>(R.Decl);
  switch (R.Where) {
  case Root::Kind::Shared:
    O.Where = Space::Shared;
    break;
  case Root::Kind::Constant:
    O.Where = Space::Constant;
    O.ConstObject = true;
    break;
  case Root::Kind::Global:
    O.Where = Space::Global;
    break;
  case Root::Kind::Private:
  case Root::Kind::Unknown:
    O.Where = Space::Unknown;
    break;
  }
  if (O.IsParameter)
    O.OfKernel = R.Decl->getDeclContext() &&
                 isa<FunctionDecl>(R.Decl->getDeclContext()) &&
                 cast<FunctionDecl>(R.Decl->getDeclContext())
                     ->hasAttr<CUDAGlobalAttr>();
  if (O.IsParameter && R.Field.empty())
    O.Restrict = R.Decl->getType().isRestrictQualified();
  Facts.Objects.push_back(O);
  return Objects.size() - 1;
}

} // namespace pipeline_rewrite
