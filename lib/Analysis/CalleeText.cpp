#include "Analysis/CalleeText.h"
#include "Analysis/LaterNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

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
    Using |= isa<UsingDecl, UsingDirectiveDecl, NamespaceAliasDecl, UsingEnumDecl>(D);
    return true;
  }
  std::set<std::string> Names;
  bool Using = false;
};

class CalleeReader : public RecursiveASTVisitor<CalleeReader> {
public:
  CalleeReader(const FunctionDecl *Callee, const FunctionDecl *Caller,
               const ASTContext &Context, const SourceText &Text, const MacroTable &Macros)
      : Callee(Callee), Caller(Caller), Context(Context),
        SM(Context.getSourceManager()), Text(Text), Macros(Macros),
        CallerNames(Caller) {}

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
    for (const auto &[Parameter, Count] : Mentions)
      if (Count > Reads[Parameter])
        Result.Changed.insert(Parameter);
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
  bool VisitUserDefinedLiteral(UserDefinedLiteral *) {
    return fail("it holds a literal that a function makes");
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *) { return fail("it holds a range-based for"); }
  bool VisitDecompositionDecl(DecompositionDecl *) {
    return fail("it holds a structured binding");
  }
  bool VisitMemberExpr(MemberExpr *E) { return noteMember(E->getMemberLoc()); }
  bool VisitMSPropertyRefExpr(MSPropertyRefExpr *E) { return noteMember(E->getMemberLoc()); }
  bool VisitBinaryOperator(BinaryOperator *Op) {
    FreeOperators |= mayBeOverloaded(Op->getLHS()) || mayBeOverloaded(Op->getRHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Op) {
    FreeOperators |= mayBeOverloaded(Op->getSubExpr());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    FreeOperators |= mayBeOverloaded(E->getIdx());
    return true;
  }
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
    return true;
  }
  bool VisitNamedDecl(NamedDecl *D) {
    Result.Declared.insert(D->getNameAsString());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    FreeOperators |= isa<CXXOperatorCallExpr>(Call) && !isAssignmentOfClass(Call);
    for (const Expr *Given : Call->arguments())
      noteGiven(Given);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    for (const Expr *Given : Made->arguments())
      noteGiven(Given);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *List) {
    for (const Expr *Given : List->inits())
      noteGiven(Given);
    return true;
  }
  /// A value that is read changes nothing; every other mention may.
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Cast->getSubExpr()->IgnoreParens());
    if (Ref && Cast->getCastKind() == CK_LValueToRValue)
      ++Reads[Ref->getDecl()];
    return true;
  }
  bool VisitAttributedStmt(AttributedStmt *S) {
    for (const Attr *A : S->getAttrs())
      if (const auto *Hint = dyn_cast<LoopHintAttr>(A); Hint && Hint->getValue())
        TraverseStmt(Hint->getValue());
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *E) {
    if (!E->isArgumentType())
      noteIn(E->getArgumentExpr(), Result.Measured);
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
      ++Mentions[Parameter];
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
  /// Functions of that name are looked for in the class alone.
  static bool isAssignmentOfClass(const CallExpr *Call) {
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    return Operator && (Operator->getOperator() == OO_Equal ||
                        Operator->getOperator() == OO_Subscript ||
                        Operator->getOperator() == OO_Call ||
                        Operator->getOperator() == OO_Arrow);
  }

  static bool mayBeOverloaded(const Expr *E) {
    QualType Type = E->IgnoreParenImpCasts()->getType();
    return Type->isRecordType() || Type->isEnumeralType();
  }

  bool noteMember(SourceLocation Loc) {
    if (std::optional<TextRange> Range = Text.token(Loc))
      Members.insert(Range->Begin);
    return true;
  }

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

  /// A parameter itself is a variable that can be written, not an array, and const or
  /// not, by which functions are chosen. What is worked out of it has a type alone.
  void noteGiven(const Expr *E) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()))
      Result.InCalls.insert(Ref->getDecl());
  }

  static void noteIn(const Expr *E, std::set<const ValueDecl *> &Into) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      Into.insert(Ref->getDecl());
    for (const Stmt *Child : E->children())
      if (const auto *Inner = dyn_cast_or_null<Expr>(Child))
        noteIn(Inner, Into);
  }

  /// Is \p D found from where the caller stands?
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
      if (!Outer)
        return otherMeaning(D->getNameAsString());
      D = Outer;
    }
    const DeclContext *Home = D->getDeclContext()->getRedeclContext();
    bool Found = Home->isTranslationUnit() || Home->Encloses(Caller->getDeclContext());
    if (!Found || Home->isRecord() || CallerNames.Names.count(D->getNameAsString()))
      otherMeaning(D->getNameAsString());
  }

  void otherMeaning(const std::string &Name) {
    fail("'" + Name + "' may mean something else at the call");
  }

  /// The namespaces around \p F, innermost first, without the global one.
  static std::vector<const DeclContext *> namespacesAround(const FunctionDecl *F) {
    std::vector<const DeclContext *> Around;
    for (const DeclContext *At = F->getDeclContext(); At && !At->isTranslationUnit();
         At = At->getParent())
      Around.push_back(At->getPrimaryContext());
    return Around;
  }

  /// Where only one of the two stands in a namespace, that must have no say.
  void checkNamespaces(const std::set<std::string> &Words) {
    std::vector<const DeclContext *> Here = namespacesAround(Callee),
                                     There = namespacesAround(Caller);
    if (FreeOperators && Here != There)
      fail("operators of the namespaces around one of the two may be others");
    auto Check = [&](llvm::ArrayRef<const DeclContext *> Of,
                     llvm::ArrayRef<const DeclContext *> Not) {
      for (const DeclContext *Space : Of) {
        if (llvm::is_contained(Not, Space))
          continue;
        if (!Space->using_directives().empty())
          fail("a namespace around one of the two holds a using directive");
        for (const std::string &Word : Words)
          if (!Space->lookup(&Context.Idents.get(Word)).empty())
            otherMeaning(Word);
      }
    };
    Check(Here, There);
    Check(There, Here);
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
    std::set<std::string> &Words = Result.Words;
    std::set<std::string> OfMembers; // which are looked for in their classes
    for (const Word &W : wordsOf(Inner, Context.getLangOpts())) {
      if (Members.count(Result.Inner.Begin + W.Offset))
        OfMembers.insert(W.Text);
      else if (!Names.count(W.Text))
        Words.insert(W.Text);
      else if (!Known.count(Result.Inner.Begin + W.Offset))
        fail("not every '" + W.Text + "' in it is the parameter");
    }
    std::string Signature;
    for (const ParmVarDecl *Parameter : Callee->parameters())
      if (std::optional<TextRange> Range = Text.editable(Parameter->getSourceRange()))
        Signature += Text.text(*Range).str() + " ";
    for (const Word &W : wordsOf(Signature, Context.getLangOpts()))
      if (!Names.count(W.Text))
        Words.insert(W.Text);
    Macros.addExpansions(Words);
    Macros.addExpansions(OfMembers);
    for (const std::set<std::string> *Of : {&Words, &OfMembers})
      for (const std::string &Word : *Of) {
        if (!Macros.isSteadyFrom(Word, Callee->getBody()->getBeginLoc(), SM))
          fail("the macro '" + Word + "' changes in between");
        if (Macros.pastes(Word))
          fail("the macro '" + Word + "' makes names of others");
      }
    checkMeaning(Words);
    Words.insert(OfMembers.begin(), OfMembers.end());
    for (llvm::StringRef Rest = Inner; !Rest.empty();) {
      auto [Line, More] = Rest.split('\n');
      llvm::StringRef Directive = Line.trim();
      if (Directive.consume_front("#") && !Directive.trim().starts_with("pragma"))
        fail("it holds preprocessor directives");
      Rest = More;
    }
  }

  /// No declaration behind the body, in the caller, or in a namespace of one of the
  /// two alone may have a say in what a word means.
  void checkMeaning(const std::set<std::string> &Words) {
    SourceLocation Begin = Callee->getBody()->getBeginLoc();
    LaterNames Later = namesBehind(Begin, Caller->getEndLoc(), Context);
    if (Later.Using || CallerNames.Using)
      fail("a using declaration stands between it and the call");
    if (Later.Operators && FreeOperators)
      fail("operators are declared behind it");
    for (const std::string &Word : Words) {
      bool Local = Result.Declared.count(Word);
      if (Later.Names.count(Word) || (!Local && CallerNames.Names.count(Word)))
        otherMeaning(Word);
    }
    checkNamespaces(Words);
    // A template's calls may find functions that are declared behind the caller.
    if (!Callee->isTemplateInstantiation())
      return;
    LaterNames Last = namesBehind(Begin, SourceLocation(), Context);
    for (const std::string &Word : Words)
      if (Last.Names.count(Word) && !Result.Declared.count(Word))
        otherMeaning(Word);
    if (Last.Operators && FreeOperators)
      fail("operators are declared behind it");
  }

  const FunctionDecl *Callee, *Caller;
  const ASTContext &Context;
  const SourceManager &SM;
  const SourceText &Text;
  const MacroTable &Macros;
  DeclaredNames CallerNames;
  bool FreeOperators = false; ///< some are looked for like functions
  std::set<unsigned> Members; ///< where it names members
  std::map<const ValueDecl *, unsigned> Reads, Mentions;
  CalleeText Result;
};

} // namespace

CalleeText readCallee(const FunctionDecl *Callee, const FunctionDecl *Caller,
                      const ASTContext &Context, const SourceText &Text,
                      const MacroTable &Macros) {
  return CalleeReader(Callee, Caller, Context, Text, Macros).run();
}

} // namespace pipeline_rewrite
