#include "Analysis/StaticArrays.h"
#include "Analysis/SpelledNames.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// What in a kernel's body stands in the way of its static arrays becoming
/// references to parts of a block.
class ArrayObstacles : public RecursiveASTVisitor<ArrayObstacles> {
public:
  explicit ArrayObstacles(const CompoundStmt *Body) : Body(Body) {}

  std::string Why;

  bool VisitVarDecl(VarDecl *D) {
    if (D->hasAttr<CUDASharedAttr>() && !D->hasExternalStorage())
      ++Declared;
    return true;
  }
  bool VisitDeclStmt(DeclStmt *S) {
    for (const Decl *D : S->decls())
      if (D->hasAttr<CUDASharedAttr>() && !cast<VarDecl>(D)->hasExternalStorage() &&
          !llvm::is_contained(Body->body(), S))
        note("'" + cast<VarDecl>(D)->getNameAsString() +
             "' is declared in an inner block");
    return true;
  }
  /// A reference would be captured where the array was not.
  bool VisitLambdaExpr(LambdaExpr *) {
    note("it has a lambda expression");
    return true;
  }
  bool VisitRecordDecl(RecordDecl *) {
    note("it declares a class");
    return true;
  }
  unsigned Declared = 0;

private:
  void note(const std::string &What) {
    if (Why.empty())
      Why = What;
  }
  const CompoundStmt *Body;
};

class ArrayReader {
public:
  ArrayReader(LoopFacts &Facts, const SourceText &Text, const ASTContext &Context)
      : Uses(Facts.Uses), Text(Text), Context(Context) {}

  void read(const DeclStmt *S) {
    auto Shared = [](const Decl *D) { return D->hasAttr<CUDASharedAttr>(); };
    if (llvm::none_of(S->decls(), Shared))
      return;
    for (const Decl *D : S->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var || !Shared(Var))
        return stay("a declaration mixes memories");
      if (Var->hasExternalStorage())
        return;
      readArray(Var, S);
    }
  }

  /// Is a size of any array spelled with more than numbers and built-in types?
  bool NamesSizes = false;

  void stay(const std::string &Why) {
    if (Uses.ArraysStay.empty())
      Uses.ArraysStay = Why;
  }

private:
  void readArray(const VarDecl *Var, const DeclStmt *S) {
    StaticArray A;
    A.Name = Var->getNameAsString();
    std::optional<TextRange> Whole = Text.editable(S->getSourceRange());
    A.Declaration = Whole.value_or(TextRange{});
    llvm::StringRef Written = Text.text(A.Declaration);
    bool Fine = Whole && !Written.contains("//") && !Written.contains("/*");
    TypeLoc Loc = Var->getTypeSourceInfo()->getTypeLoc();
    while (auto Array = Loc.getAs<ArrayTypeLoc>()) {
      const Expr *Size = Array.getSizeExpr();
      A.Extents.push_back(Size ? spelledAtom(Size, Text) : "");
      Fine &= !A.Extents.back().empty();
      Loc = Array.getElementLoc();
    }
    QualType Element = Loc.getType();
    NamesSizes |= !isa<BuiltinType>(Element.getTypePtr()) ||
                  llvm::any_of(A.Extents, [](llvm::StringRef Extent) {
                    return llvm::any_of(Extent, [](char C) { return llvm::isAlpha(C) || C == '_'; });
                  });
    A.Type = Text.spelled(Loc.getUnqualifiedLoc().getSourceRange());
    if (Element.isLocalVolatileQualified())
      A.Type = "volatile " + A.Type;
    Fine &= !Text.spelled(Loc.getUnqualifiedLoc().getSourceRange()).empty() &&
            !Element->isPointerType() && !Element->isMemberPointerType();
    if (!Fine)
      stay("the declaration of '" + A.Name + "' is not plain");
    QualType Type = Var->getType();
    if (!Type->isDependentType() && !Type->isIncompleteType())
      A.Bytes = Context.getTypeSizeInChars(Type).getQuantity();
    bool Open = Type->isDependentType() ||
                llvm::any_of(Var->specific_attrs<AlignedAttr>(), [](const AlignedAttr *At) {
                  return At->isAlignmentDependent();
                });
    if (!Open)
      A.Alignment = Context.getDeclAlign(Var).getQuantity();
    Uses.StaticArrays.push_back(std::move(A));
  }

  KernelUses &Uses;
  const SourceText &Text;
  const ASTContext &Context;
};

} // namespace

void describeStaticArrays(const FunctionDecl *F, LoopFacts &Facts,
                          const ASTContext &Context, const HostPass &Host) {
  const SourceManager &SM = Context.getSourceManager();
  const auto *Body = dyn_cast_or_null<CompoundStmt>(F->getBody());
  if (!Body)
    return;
  SourceText Text(SM, Context.getLangOpts(),
                  SM.getFileID(SM.getExpansionLoc(Body->getBeginLoc())));
  ArrayReader Reader(Facts, Text, Context);
  ArrayObstacles Obstacles(Body);
  Obstacles.TraverseStmt(const_cast<CompoundStmt *>(Body));
  if (!Obstacles.Why.empty())
    Reader.stay(Obstacles.Why);
  for (const Stmt *S : Body->body())
    if (const auto *Declarations = dyn_cast<DeclStmt>(S))
      Reader.read(Declarations);
  if (Reader.NamesSizes && Host.mayDiffer())
    Reader.stay("__CUDA_ARCH__ is asked for outside of functions, so that the host, "
                "which gives the bytes, may see other sizes");
  if (Facts.Uses.StaticArrays.size() != Obstacles.Declared)
    Reader.stay("not all of its static arrays are plain declarations");
}

} // namespace pipeline_rewrite
