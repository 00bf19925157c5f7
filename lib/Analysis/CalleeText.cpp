#include "Analysis/CalleeText.h"
#include "Analysis/Effects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Every name that \p F declares, its parameters and its template's included.
class DeclaredNames : public RecursiveASTVisitor<DeclaredNames> {
public:
  explicit DeclaredNames(const FunctionDecl *F) {
    TraverseDecl(const_cast<FunctionDecl *>(F));
    const FunctionTemplateDecl *Template = F->getPrimaryTemplate();
    for (; Template; Template = nullptr)
      for (const NamedDecl *Parameter : *Template->getTemplateParameters())
        Names.insert(Parameter->getNameAsString());
  }
  bool VisitNamedDecl(NamedDecl *D) {
    Names.insert(D->getNameAsString());
    return true;
  }
  std::set<std::string> Names;
};

class CalleeReader : public RecursiveASTVisitor<CalleeReader> {
public:
  CalleeReader(const FunctionDecl *Callee, const FunctionDecl *Caller,
               const ASTContext &Context, const SourceText &Text, const MacroTable &Macros)
      : Callee(Callee), Caller(Caller), Context(Context),
        SM(Context.getSourceManager()), Text(Text), Macros(Macros),
        CallerNames(DeclaredNames(Caller).Names) {}

  CalleeText run() {
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Callee->getBody());
    std::optional<TextRange> Whole =
        Body ? Text.editable(Body->getSourceRange()) : std::nullopt;
    if (!Whole || Body->getLBracLoc().isMacroID() || Body->getRBracLoc().isMacroID()) {
      fail("its body is not spelled out");
      return Result;
    }
    if (!SM.isBeforeInTranslationUnit(Body->getEndLoc(),
                                      Caller->getBody()->getBeginLoc()))
      fail("its body stands behind the loop");
    Result.Inner = {Whole->Begin + 1, Whole->End - 1};
    for (Stmt *Child : const_cast<CompoundStmt *>(Body)->body())
      TraverseStmt(Child);
    checkWords();
    return Result;
  }

  bool shouldVisitImplicitCode() const { return false; }

  bool VisitReturnStmt(ReturnStmt *) { return fail("it returns from its middle"); }
  bool VisitGotoStmt(GotoStmt *) { return fail("it holds a goto"); }
  bool VisitLabelStmt(LabelStmt *) { return fail("it holds a label"); }
  bool VisitAsmStmt(AsmStmt *) { return fail("it holds assembly"); }
  bool VisitPredefinedExpr(PredefinedExpr *) { return fail("it holds its own name"); }
  bool VisitLambdaExpr(LambdaExpr *) { return fail("it holds a lambda"); }
  bool VisitCXXThisExpr(CXXThisExpr *) { return fail("it is a method"); }
  bool VisitIfStmt(IfStmt *If) {
    return If->isConstexpr() ? fail("it holds an if constexpr") : true;
  }
  bool VisitTagDecl(TagDecl *) { return fail("it declares a type"); }
  bool VisitTypedefNameDecl(TypedefNameDecl *) { return fail("it declares a type"); }
  bool VisitFunctionDecl(FunctionDecl *) { return fail("it declares a function"); }
  bool VisitUsingDecl(UsingDecl *) { return fail("it holds a using declaration"); }
  bool VisitUsingDirectiveDecl(UsingDirectiveDecl *) {
    return fail("it holds a using directive");
  }
  bool VisitVarDecl(VarDecl *Var) {
    if (!Var->hasLocalStorage())
      return fail("it holds the variable '" + Var->getNameAsString() +
                  "' that outlives it");
    Result.Declared.insert(Var->getNameAsString());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    if (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_AddrOf)
      noteChange(Op->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) {
    if (Op->isAssignmentOp())
      noteChange(Op->getLHS());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    // What a reference may be bound to may be written.
    const FunctionDecl *Called = Call->getDirectCallee();
    for (unsigned I = 0; I < Call->getNumArgs(); ++I)
      if (Call->getArg(I)->isLValue() || !Called)
        noteChange(Call->getArg(I));
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    if (!E->isArgumentType())
      noteMeasured(E->getArgumentExpr());
    return true;
  }
  bool VisitDecltypeTypeLoc(DecltypeTypeLoc) { return fail("it holds a decltype"); }
  bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc) { return fail("it holds a typeof"); }

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const ValueDecl *D = Ref->getDecl();
    if (const auto *Parameter = dyn_cast<ParmVarDecl>(D)) {
      if (Parameter->getDeclContext() == Callee)
        if (std::optional<BodyMention> Use = useAt(Ref->getLocation()))
          Result.Parameters.push_back({Parameter, *Use});
      return true;
    }
    // An operator of a class is found by the class.
    const auto *Method = dyn_cast<CXXMethodDecl>(D);
    if (!isOwn(D) && !(Method && Method->isInstance()))
      checkName(D, Ref->getQualifierLoc());
    return true;
  }
  bool VisitSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr *E) {
    if (std::optional<BodyMention> Use = useAt(E->getNameLoc()))
      Result.TemplateParameters.push_back({E->getIndex(), *Use});
    return true;
  }
  bool VisitSubstTemplateTypeParmTypeLoc(SubstTemplateTypeParmTypeLoc Loc) {
    if (std::optional<BodyMention> Use = useAt(Loc.getNameLoc()))
      Result.TemplateParameters.push_back({Loc.getTypePtr()->getIndex(), *Use});
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc Loc) {
    checkName(Loc.getTypedefNameDecl(), {});
    return true;
  }
  bool VisitUsingTypeLoc(UsingTypeLoc) { return fail("it names a type by a using declaration"); }
  bool VisitTagTypeLoc(TagTypeLoc Loc) {
    checkName(Loc.getDecl(), {});
    return true;
  }
  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc Loc) {
    if (const TemplateDecl *D = Loc.getTypePtr()->getTemplateName().getAsTemplateDecl())
      checkName(D, {});
    return true;
  }

private:
  /// \returns true, so that the rest is read for its sake.
  bool fail(const std::string &Why) {
    if (Result.WhyNot.empty())
      Result.WhyNot = Why;
    return true;
  }

  std::optional<BodyMention> useAt(SourceLocation Loc) {
    std::optional<TextRange> Range = Text.token(Loc);
    if (!Range) {
      fail("a macro names one of its parameters");
      return std::nullopt;
    }
    return BodyMention{*Range, Text.text(*Range).str()};
  }

  bool isOwn(const ValueDecl *D) const {
    return D->getDeclContext() == Callee && D->getLocation().isValid();
  }

  static const ValueDecl *variableOf(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E));
    return Ref ? Ref->getDecl() : nullptr;
  }
  void noteChange(const Expr *E) {
    if (const ValueDecl *D = variableOf(E))
      Result.Changed.insert(D);
  }
  void noteMeasured(const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      Result.Measured.insert(Ref->getDecl());
    for (const Stmt *Child : E->children())
      if (const auto *Inner = dyn_cast_or_null<Expr>(Child))
        noteMeasured(Inner);
  }

  /// Does the name of \p D, looked up in the caller, find \p D?
  void checkName(const NamedDecl *D, NestedNameSpecifierLoc Qualifier) {
    if (Qualifier) {
      while (Qualifier.getPrefix())
        Qualifier = Qualifier.getPrefix();
      const NestedNameSpecifier *First = Qualifier.getNestedNameSpecifier();
      if (First->getKind() == NestedNameSpecifier::Global)
        return;
      const NamedDecl *Outer = First->getAsNamespace();
      if (!Outer)
        Outer = First->getAsRecordDecl();
      if (!Outer) {
        fail("what '" + D->getNameAsString() + "' means there is not known");
        return;
      }
      D = Outer;
    }
    const DeclContext *Home = D->getDeclContext()->getRedeclContext();
    bool Found = Home->isTranslationUnit() || Home->Encloses(Caller->getDeclContext());
    if (!Found || Home->isRecord() || CallerNames.count(D->getNameAsString()) ||
        isHidden(D, Home) || isOverloadedLater(D, Home))
      fail("'" + D->getNameAsString() + "' may mean something else at the call");
  }

  bool isHidden(const NamedDecl *D, const DeclContext *Home) const {
    for (const DeclContext *At = Caller->getDeclContext()->getRedeclContext();
         At && At->getPrimaryContext() != const_cast<DeclContext *>(Home)->getPrimaryContext();
         At = At->getParent())
      if (!At->lookup(D->getDeclName()).empty())
        return true;
    return false;
  }

  bool isOverloadedLater(const NamedDecl *D, const DeclContext *Home) const {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    return Function && llvm::any_of(Home->lookup(D->getDeclName()), [&](const NamedDecl *Other) {
             return SM.isBeforeInTranslationUnit(Callee->getBody()->getBeginLoc(),
                                                 Other->getLocation());
           });
  }

  /// All that can be told from its words alone.
  void checkWords() {
    std::set<unsigned> Known;
    for (const auto &[Parameter, Use] : Result.Parameters)
      Known.insert(Use.Range.Begin);
    for (const auto &[Index, Use] : Result.TemplateParameters)
      Known.insert(Use.Range.Begin);
    std::set<std::string> Names;
    for (const ParmVarDecl *Parameter : Callee->parameters())
      Names.insert(Parameter->getNameAsString());
    if (const FunctionTemplateDecl *Template = Callee->getPrimaryTemplate())
      for (const NamedDecl *Parameter : *Template->getTemplateParameters())
        Names.insert(Parameter->getNameAsString());
    llvm::StringRef Inner = Text.text(Result.Inner);
    std::set<std::string> Words;
    for (const Word &W : wordsOf(Inner, Context.getLangOpts())) {
      Words.insert(W.Text);
      if (Names.count(W.Text) && !Known.count(Result.Inner.Begin + W.Offset))
        fail("not every '" + W.Text + "' in it is the parameter");
    }
    Macros.addExpansions(Words);
    for (const std::string &Word : Words)
      if (!Macros.isSteadyFrom(Word, Callee->getBody()->getBeginLoc(), SM))
        fail("the macro '" + Word + "' changes in between");
    for (llvm::StringRef Rest = Inner; !Rest.empty();) {
      auto [Line, More] = Rest.split('\n');
      llvm::StringRef Directive = Line.trim();
      if (Directive.consume_front("#") && !Directive.trim().starts_with("pragma"))
        fail("it holds preprocessor directives");
      Rest = More;
    }
  }

  const FunctionDecl *Callee, *Caller;
  const ASTContext &Context;
  const SourceManager &SM;
  const SourceText &Text;
  const MacroTable &Macros;
  std::set<std::string> CallerNames;
  CalleeText Result;
};

} // namespace

CalleeText readCallee(const FunctionDecl *Callee, const FunctionDecl *Caller,
                      const ASTContext &Context, const SourceText &Text,
                      const MacroTable &Macros) {
  return CalleeReader(Callee, Caller, Context, Text, Macros).run();
}

} // namespace pipeline_rewrite
