#include "Analysis/LaunchConfig.h"
#include "Analysis/SourceText.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Names that the body of a kernel declares, with the text of constants.
class LocalNames : public RecursiveASTVisitor<LocalNames> {
public:
  LocalNames(std::vector<LocalName> &Names, const SourceText &Text,
             const ASTContext &Context)
      : Names(Names), Text(Text), Context(Context) {}

  bool VisitNamedDecl(NamedDecl *D) {
    if (D->getIdentifier())
      Names.push_back({D->getName().str(), textOf(D)});
    return true;
  }

private:
  std::string textOf(const NamedDecl *D) const {
    if (isa<TypedefNameDecl>(D)) {
      std::string Declared = Text.spelled(D->getSourceRange());
      return Declared.empty() ? "" : Declared + ";";
    }
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->getInit() || isa<ParmVarDecl>(Var) ||
        !Var->getType().isConstQualified() ||
        !(Var->getType()->isIntegralOrEnumerationType() ||
          Var->getType()->isDependentType()))
      return "";
    const Expr *Init = Var->getInit();
    if (!Init->isValueDependent() && !Init->isEvaluatable(Context))
      return "";
    if (Init->isValueDependent() && !Var->isConstexpr())
      return "";
    std::string Type = Text.spelled(Var->getTypeSourceInfo()->getTypeLoc().getSourceRange());
    std::string Value = Text.spelled(Init->getSourceRange());
    if (Type.empty() || Value.empty())
      return "";
    return "constexpr " + Type + " " + Var->getNameAsString() + " = " + Value + ";";
  }

  std::vector<LocalName> &Names;
  const SourceText &Text;
  const ASTContext &Context;
};

} // namespace

void describeKernelText(const FunctionDecl *F, LoopFacts &Facts,
                        const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  SourceText Text = textAt(F->getBody()->getBeginLoc(), Context);
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  if (!Pattern)
    Pattern = F;
  Facts.Uses.Definition = Text.covering(Pattern->getSourceRange());
  if (const FunctionTemplateDecl *Template = Pattern->getDescribedFunctionTemplate()) {
    Facts.Uses.Definition = Text.covering(Template->getSourceRange());
    const TemplateParameterList *List = Template->getTemplateParameters();
    Facts.Uses.TemplateHeader = Text.text(Text.covering(List->getSourceRange())).str();
    for (const NamedDecl *P : *List) {
      if (!P->getIdentifier())
        Facts.Uses.Escapes.push_back({Facts.File, Facts.Line, Facts.Column,
                                      "a template parameter has no name"});
      Facts.Uses.TemplateParameters.push_back(
          P->getNameAsString() + (P->isParameterPack() ? "..." : ""));
    }
  }
  for (const ParmVarDecl *Parameter : Pattern->parameters())
    Facts.Uses.Locals.push_back({Parameter->getNameAsString(), ""});
  LocalNames(Facts.Uses.Locals, Text, Context)
      .TraverseStmt(const_cast<Stmt *>(Pattern->getBody()));
  llvm::StringRef Before = Text.buffer().take_front(Facts.Uses.Definition.Begin);
  llvm::StringRef Last = Before.rtrim();
  bool Directive = Last.substr(Last.find_last_of('\n') + 1).ltrim().starts_with("#");
  bool Specialisation = Last.ends_with(">") && !Directive;
  Before = Before.rtrim(" \t");
  if ((!Before.empty() && !Before.ends_with("\n")) || Specialisation) {
    auto [Line, Column] = Text.lineColumn(Pattern->getLocation());
    Facts.Uses.Escapes.push_back(
        {Facts.File, Line, Column, "its definition does not begin a line"});
  }
  for (const FunctionDecl *Other : Pattern->redecls()) {
    SourceLocation At = SM.getExpansionLoc(Other->getLocation());
    if (!Text.inFile(At) && !SM.isInSystemHeader(At))
      Facts.Uses.Escapes.push_back(
          {SM.getFilename(At).str(), SM.getSpellingLineNumber(At),
           SM.getSpellingColumnNumber(At), "other files may launch it"});
  }
}

} // namespace pipeline_rewrite
