#include "Analysis/LaterNames.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

class Collector {
public:
  Collector(SourceLocation Loc, SourceLocation End, const SourceManager &SM)
      : Loc(Loc), End(End), SM(SM) {}
  LaterNames Found;

  /// \returns false for what ends before the place.
  bool add(const Decl *D) {
    if (D->getEndLoc().isValid() && SM.isBeforeInTranslationUnit(D->getEndLoc(), Loc))
      return false;
    if (End.isValid() && D->getBeginLoc().isValid() &&
        SM.isBeforeInTranslationUnit(End, D->getBeginLoc()))
      return true;
    if (isa<UsingDirectiveDecl>(D))
      Found.Using |= !D->isImplicit(); // an anonymous namespace has one
    if (isa<UsingDecl, UsingEnumDecl, NamespaceAliasDecl>(D))
      Found.Using = true;
    if (const auto *Named = dyn_cast<NamedDecl>(D))
      addName(*Named);
    if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    if (const auto *Record = dyn_cast<CXXRecordDecl>(D)) {
      for (const Decl *Member : Record->decls())
        if (const auto *Friend = dyn_cast<FriendDecl>(Member))
          if (const NamedDecl *Named = Friend->getFriendDecl())
            addName(*Named);
      return true;
    }
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl, EnumDecl>(D))
      for (const Decl *Member : cast<DeclContext>(D)->decls())
        add(Member);
    return true;
  }

private:
  void addName(const NamedDecl &D) {
    Found.Names.insert(D.getNameAsString());
    Found.Operators |=
        D.getDeclName().getNameKind() == DeclarationName::CXXOperatorName;
  }

  SourceLocation Loc, End;
  const SourceManager &SM;
};

} // namespace

LaterNames namesBehind(SourceLocation Loc, SourceLocation End,
                       const ASTContext &Context) {
  const auto &Top = Context.getTranslationUnitDecl()->decls();
  std::vector<const Decl *> All(Top.begin(), Top.end());
  Collector Names(Loc, End, Context.getSourceManager());
  for (const Decl *D : llvm::reverse(All))
    if (!Names.add(D))
      break;
  return std::move(Names.Found);
}

} // namespace pipeline_rewrite
