#include "Analysis/SharedVariables.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Shared variables of a function with the statements that declare them.
class SharedDeclarations : public RecursiveASTVisitor<SharedDeclarations> {
public:
  struct Entry {
    const VarDecl *Variable;
    const DeclStmt *Statement;
  };
  std::vector<Entry> Entries;
  bool VisitDeclStmt(DeclStmt *S) {
    for (const Decl *D : S->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D);
          Var && Var->hasAttr<CUDASharedAttr>())
        Entries.push_back({Var, S});
    return true;
  }
};

uint64_t bytesOf(const VarDecl *D, const ASTContext &Context) {
  QualType Type = D->getType();
  if (Type->isDependentType() || Type->isIncompleteType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

/// `BM * BK * sizeof(float)` from the spelled extents.
std::string symbolicBytes(const VarDecl *D, const SourceText &Text,
                          const ASTContext &Context, const FactTables &Tables) {
  std::string Result;
  TypeLoc Loc = D->getTypeSourceInfo()->getTypeLoc();
  while (auto Array = Loc.getAs<ArrayTypeLoc>()) {
    if (const Expr *Size = Array.getSizeExpr()) {
      std::string Spelled =
          Text.text(Text.covering(Size->getSourceRange())).str();
      bool Simple = Spelled.find_first_of("+-/%<>") == std::string::npos;
      Result += (Simple ? Spelled : "(" + Spelled + ")") + " * ";
    }
    Loc = Array.getElementLoc();
  }
  return Result + "sizeof(" +
         Tables.spell(Context.getBaseElementType(D->getType())) + ")";
}

unsigned explicitAlignment(const VarDecl *D, const ASTContext &Context) {
  unsigned Alignment = 0;
  for (const auto *A : D->specific_attrs<AlignedAttr>())
    if (!A->isAlignmentDependent())
      Alignment = std::max<unsigned>(
          Alignment, A->getAlignment(const_cast<ASTContext &>(Context)) / 8);
  return Alignment;
}

/// The type of what \p D is or has as elements, as a member would spell it; empty
/// where the declarator is more than a name and extents.
std::string memberType(const VarDecl *D, const SourceText &Text) {
  bool Other = llvm::any_of(D->attrs(), [](const Attr *A) {
    const auto *Aligned = dyn_cast<AlignedAttr>(A);
    return !isa<CUDASharedAttr>(A) && (!Aligned || Aligned->isAlignmentDependent());
  });
  TypeLoc Loc = D->getTypeSourceInfo()->getTypeLoc();
  while (auto Array = Loc.getAs<ArrayTypeLoc>())
    Loc = Array.getElementLoc();
  QualType Type = Loc.getType();
  if (Other || D->hasInit() || Type.hasLocalQualifiers() || isa<ParenType>(Type) ||
      Type->isPointerType() || Type->isMemberPointerType() || Type->isReferenceType())
    return "";
  std::string Spelled = Text.spelled(Loc.getSourceRange());
  return Spelled.find('{') == std::string::npos ? Spelled : "";
}

/// Fills MemberType and Declarators, if nothing else stands in the statement.
void describeDeclarators(SharedVariable &S, const SharedDeclarations::Entry &E,
                         const SourceText &Text) {
  std::string Type = memberType(E.Variable, Text);
  llvm::StringRef Whole = Text.text(S.DeclRange);
  if (Type.empty() || Whole.contains("//") || Whole.contains("/*") || Whole.contains('#'))
    return;
  std::vector<TextRange> Declarators;
  for (const Decl *D : E.Statement->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasAttr<CUDASharedAttr>() || memberType(Var, Text) != Type)
      return;
    std::optional<TextRange> Range =
        Text.editable({Var->getLocation(), Var->getEndLoc()});
    unsigned From = Declarators.empty() ? 0 : Declarators.back().End;
    if (!Range || (From && Text.text({From, Range->Begin}).trim() != ","))
      return;
    Declarators.push_back(*Range);
  }
  if (Text.text({Declarators.back().End, S.DeclRange.End}).trim() != ";")
    return;
  S.MemberType = std::move(Type);
  S.Declarators = std::move(Declarators);
}

} // namespace

void describeSharedVariables(LoopFacts &Facts, const FunctionDecl *F,
                             TextRange LoopRange, const TreeContext &Tree) {
  SharedDeclarations Declarations;
  Declarations.TraverseStmt(F->getBody());
  bool AllAssumed = true;
  for (const SharedDeclarations::Entry &E : Declarations.Entries) {
    if (E.Variable->hasExternalStorage()) {
      Facts.UsesDynamicShared = true;
      continue;
    }
    uint64_t Bytes = bytesOf(E.Variable, Tree.Context);
    Facts.StaticSharedBytes += Bytes;
    Facts.StaticSharedKnown &= Bytes != 0;
    std::optional<uint64_t> Assumed =
        Tree.Values->bytesOf(E.Variable->getType());
    AllAssumed &= Assumed.has_value();
    Facts.AssumedSharedBytes += Assumed.value_or(0);
  }
  if (!AllAssumed)
    Facts.AssumedSharedBytes = 0;
  for (ObjectId Id = 0; Id < Tree.Tables.roots().size(); ++Id) {
    const Root R = Tree.Tables.roots()[Id];
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    if (R.Where != Root::Kind::Shared || !Var)
      continue;
    SharedVariable S;
    S.Object = Id;
    S.Name = Var->getNameAsString();
    QualType Element = Tree.Context.getBaseElementType(Var->getType());
    S.ElementType = Tree.Tables.spell(Element);
    if (!Element->isDependentType() && !Element->isIncompleteType())
      S.ElementBytes = Tree.Context.getTypeSizeInChars(Element).getQuantity();
    S.Bytes = bytesOf(Var, Tree.Context);
    S.AssumedBytes = Tree.Values->bytesOf(Var->getType()).value_or(0);
    S.DeclaredAlignment = explicitAlignment(Var, Tree.Context);
    S.IsExtern = Var->hasExternalStorage();
    S.IsStaticArray = !S.IsExtern;
    for (const SharedDeclarations::Entry &E : Declarations.Entries) {
      if (E.Variable->getCanonicalDecl() != Var->getCanonicalDecl())
        continue;
      S.SymbolicBytes = symbolicBytes(Var, Tree.Text, Tree.Context, Tree.Tables);
      std::optional<TextRange> Name = Tree.Text.token(Var->getLocation());
      std::optional<TextRange> Whole =
          Tree.Text.editable(E.Statement->getSourceRange());
      S.NameEditable = Name && Whole;
      S.NameRange = Name.value_or(TextRange{});
      S.DeclRange = Whole.value_or(Tree.Text.covering(E.Statement->getSourceRange()));
      S.DeclaratorCount = std::distance(E.Statement->decl_begin(),
                                        E.Statement->decl_end());
      S.DeclaredInLoop = LoopRange.contains(S.DeclRange);
      if (S.NameEditable)
        describeDeclarators(S, E, Tree.Text);
    }
    if (S.SymbolicBytes.empty()) // declared elsewhere: a callee or file scope
      S.IsStaticArray = false;
    Facts.Shared.push_back(std::move(S));
  }
  auto NoteWidth = [&](const Node &N) {
    for (const Effect &E : N.Effects)
      for (SharedVariable &S : Facts.Shared)
        if (E.Object == S.Object)
          S.AccessAlignment = std::max(S.AccessAlignment, E.Alignment);
  };
  for (const Node &N : Facts.Body)
    forEachNode(N, NoteWidth);
}

} // namespace pipeline_rewrite
