#include "Analysis/EarlyLaunches.h"
#include "Analysis/Branches.h"
#include "Analysis/LocalConstants.h"
#include "Analysis/SourceText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

const DeclContext *scopeOf(const DeclContext *Around) {
  return Around->getRedeclContext()->getPrimaryContext();
}

/// The names of a kernel's text that are declared behind a place.
class LateNames : public RecursiveASTVisitor<LateNames> {
public:
  LateNames(const FunctionDecl *Kernel, SourceLocation Place, const ASTContext &Context)
      : Kernel(Kernel), Place(Place), Context(Context),
        SM(Context.getSourceManager()) {}

  std::set<std::string> Names;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    return note(E->getFoundDecl(), E->getLocation(), E->hasQualifier());
  }
  bool VisitOverloadExpr(OverloadExpr *E) {
    for (const NamedDecl *D : E->decls())
      note(D, E->getNameLoc(), E->getQualifier() != nullptr);
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) {
    return note(T.getTypedefNameDecl(), T.getNameLoc(), false);
  }
  bool VisitUsingTypeLoc(UsingTypeLoc T) {
    return note(T.getFoundDecl(), T.getNameLoc(), false);
  }
  bool VisitTagTypeLoc(TagTypeLoc T) { return note(T.getDecl(), T.getNameLoc(), false); }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc T) {
    return note(T.getTypePtr()->getTemplateName().getAsTemplateDecl(),
                T.getTemplateNameLoc(), false);
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc N) {
    if (N && N.getNestedNameSpecifier()->getAsNamespace())
      note(N.getNestedNameSpecifier()->getAsNamespace(), N.getLocalBeginLoc(), false);
    return RecursiveASTVisitor::TraverseNestedNameSpecifierLoc(N);
  }

private:
  /// What an unqualified name finds has to be around the kernel as well.
  bool note(const NamedDecl *D, SourceLocation Loc, bool Qualified) {
    if (!D || isLocal(D))
      return true;
    bool Early = llvm::any_of(D->redecls(), [&](const Decl *Other) {
      return SM.isBeforeInTranslationUnit(SM.getExpansionLoc(Other->getLocation()), Place);
    });
    bool Around = Qualified || isa<EnumConstantDecl>(D) || D->getDeclContext()->isRecord() ||
                  D->getDeclContext()->getRedeclContext()->Encloses(Kernel->getDeclContext());
    if (Early && Around)
      return true;
    if (D->getIdentifier())
      Names.insert(D->getName().str());
    // A macro may spell it.
    Names.insert(Lexer::getSourceText(CharSourceRange::getTokenRange(SM.getExpansionLoc(Loc)),
                                      SM, Context.getLangOpts())
                     .str());
    return true;
  }
  bool isLocal(const Decl *D) const {
    for (const DeclContext *At = D->getDeclContext(); At; At = At->getParent())
      if (At == Kernel)
        return true;
    return isa<TemplateTypeParmDecl, NonTypeTemplateParmDecl, TemplateTemplateParmDecl>(D);
  }

  const FunctionDecl *Kernel;
  SourceLocation Place;
  const ASTContext &Context;
  const SourceManager &SM;
};

/// All that the bytes may be spelled in.
std::string spellings(const KernelUses &Uses) {
  std::string Text;
  for (const StaticArray &Array : Uses.StaticArrays)
    Text += Array.Type + " " + llvm::join(Array.Extents, " ") + " ";
  return Text;
}

} // namespace

std::optional<unsigned> placeAbove(const std::vector<AstStep> &Path,
                                   const FunctionDecl *Kernel,
                                   const ASTContext &Context) {
  const Decl *Item = nullptr;
  for (const AstStep &Step : Path)
    if (Step.Declaration && !isa<TranslationUnitDecl, NamespaceDecl>(Step.Declaration)) {
      Item = Step.Declaration;
      break;
    }
  const DeclContext *Scope = scopeOf(Kernel->getDeclContext());
  if (!Item || scopeOf(Item->getLexicalDeclContext()) != Scope ||
      scopeOf(Kernel->getLexicalDeclContext()) != Scope)
    return std::nullopt;
  SourceText Text = textAt(Item->getBeginLoc(), Context);
  std::optional<TextRange> Range = Text.editable(Item->getSourceRange());
  if (!Range || !Text.inFile(Kernel->getBeginLoc()))
    return std::nullopt;
  llvm::StringRef Before = Text.buffer().take_front(Range->Begin).rtrim(" \t");
  llvm::StringRef Between =
      Text.buffer().slice(Range->Begin, Text.offset(Kernel->getBeginLoc()));
  if ((!Before.empty() && !Before.ends_with("\n")) || !sameBranch(Between))
    return std::nullopt;
  return Range->Begin;
}

bool describeEarlyPlace(const FunctionDecl *F, LoopFacts &Facts, unsigned Place,
                        ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  KernelUses &Uses = Facts.Uses;
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  if (!Pattern)
    Pattern = F;
  SourceText Text = textAt(Pattern->getBeginLoc(), Context);
  SourceLocation At = SM.getLocForStartOfFile(SM.getFileID(SM.getExpansionLoc(
                                                  Pattern->getBeginLoc())))
                          .getLocWithOffset(Place);
  LateNames Late(Pattern, At, Context);
  const FunctionTemplateDecl *Template = Pattern->getDescribedFunctionTemplate();
  Late.TraverseDecl(Template ? (Decl *)Template : const_cast<FunctionDecl *>(Pattern));
  Uses.EarlyPlace = Place;
  std::string Whole = spellings(Uses) + Uses.TemplateHeader;
  for (const LocalName &Local : Uses.Locals)
    Whole += " " + Local.Text;
  if (changesMacros(Text.buffer().slice(Place, Uses.Definition.Begin)))
    for (const std::string &Name : identifiersIn(Whole))
      if (Context.Idents.get(Name).hadMacroDefinition())
        Late.Names.insert(Name);
  Uses.HiddenNames.assign(Late.Names.begin(), Late.Names.end());
  auto Hidden = [&](const std::string &Name) { return Late.Names.count(Name) != 0; };
  if (llvm::any_of(identifiersIn(Uses.TemplateHeader), Hidden))
    return false;
  return !Facts.IsTemplate || constantsFor(Uses, spellings(Uses));
}

} // namespace pipeline_rewrite
