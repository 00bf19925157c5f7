#include "Analysis/CallExpansion.h"
#include "Analysis/CalleeText.h"
#include "Analysis/SpelledNames.h"
#include "Analysis/Effects.h"
#include "Support/Words.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// What stands for a parameter in the block.
struct Argument {
  std::string Text;    ///< for each mention
  std::string Binding; ///< a declaration in front, or empty
  std::string WhyNot;
};

class CallExpander {
public:
  CallExpander(const CallExpr *Call, const FunctionDecl *Caller, const MemoryModel &Model,
               const ASTContext &Context, const SourceText &Text, const MacroTable &Macros)
      : Call(Call), Caller(Caller), Model(Model), Context(Context), Text(Text),
        Macros(Macros) {}

  CallExpansion run() {
    CallExpansion Result;
    Result.Call = callRange();
    Callee = Call->getDirectCallee();
    const FunctionDecl *Definition = nullptr;
    if (Result.Call.empty() || !Callee || isa<CXXMethodDecl>(Callee) ||
        isa<CXXOperatorCallExpr>(Call) || !Callee->hasBody(Definition) ||
        Callee->isVariadic() || !Callee->getReturnType()->isVoidType()) {
      Result.WhyNot = "it is no plain function whose body is at hand";
      return Result;
    }
    if (mayBeAnother()) {
      Result.WhyNot = "other instantiations may call another function";
      return Result;
    }
    Callee = Definition;
    SourceText CalleeFile = textAt(Callee->getBody()->getBeginLoc(), Context);
    Body = readCallee(Callee, Caller, Context, CalleeFile, Macros);
    if (Body.WhyNot.empty())
      Result.Block = block(CalleeFile);
    Result.WhyNot = Body.WhyNot;
    return Result;
  }

private:
  void fail(const std::string &Why) {
    if (Body.WhyNot.empty())
      Body.WhyNot = Why;
  }

  /// Overloads and specialisations are chosen by each instantiation for itself.
  bool mayBeAnother() const {
    if (!Caller->isTemplateInstantiation())
      return false;
    const auto *Ref = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
    const FunctionTemplateDecl *Template = Callee->getPrimaryTemplate();
    bool Specialised =
        Template && llvm::any_of(Template->specializations(), [](const FunctionDecl *F) {
          return F->getTemplateSpecializationKind() == TSK_ExplicitSpecialization;
        });
    const DeclContext *Home = Callee->getDeclContext()->getRedeclContext();
    auto Named = Home->lookup(Callee->getDeclName());
    bool Overloaded = llvm::any_of(Named, [&](const NamedDecl *D) {
      const NamedDecl *Own = Template ? cast<NamedDecl>(Template) : Callee;
      return D->getCanonicalDecl() != Own->getCanonicalDecl();
    });
    const SourceManager &SM = Context.getSourceManager();
    bool Elsewhere = !SM.isInMainFile(SM.getExpansionLoc(Caller->getLocation()));
    bool Found = Ref && !Ref->hasQualifier() && Elsewhere &&
                 llvm::any_of(Call->arguments(),
                              [&](const Expr *Given) { return Model.isTypeOpen(Given); });
    return !Ref || Specialised || Overloaded || Found;
  }

  /// The call as a statement, without a comment behind it.
  TextRange callRange() const {
    std::optional<TextRange> Range = Text.editable(Call->getSourceRange());
    if (!Range)
      return {};
    llvm::StringRef Behind = Text.buffer().substr(Range->End);
    llvm::StringRef Rest = Behind.ltrim();
    if (!Rest.starts_with(";"))
      return {};
    return {Range->Begin, unsigned(Range->End + (Behind.size() - Rest.size()) + 1)};
  }

  std::string block(const SourceText &CalleeFile) {
    std::set<std::string> Mutable = mutableArguments();
    std::vector<std::pair<TextRange, std::string>> Changes;
    std::string Bindings;
    for (unsigned I = 0; I < Callee->getNumParams(); ++I) {
      Argument A = argument(I, Mutable, CalleeFile);
      if (!A.WhyNot.empty()) {
        fail(A.WhyNot);
        return "";
      }
      if (!A.Binding.empty())
        Bindings += A.Binding + "\n";
      for (const auto &[Parameter, Use] : Body.Parameters)
        if (Parameter->getFunctionScopeIndex() == I)
          Changes.push_back({Use.Range, A.Text});
    }
    for (const auto &[Index, Use] : Body.TemplateParameters)
      Changes.push_back({Use.Range, templateArgument(Index)});
    if (!Body.WhyNot.empty())
      return "";
    llvm::sort(Changes, [](const auto &A, const auto &B) {
      return A.first.Begin < B.first.Begin;
    });
    std::string Inner;
    unsigned At = Body.Inner.Begin;
    for (const auto &[Range, With] : Changes) {
      if (Range.Begin < At) // the same mention, seen twice
        continue;
      Inner += CalleeFile.buffer().slice(At, Range.Begin).str() + With;
      At = Range.End;
    }
    Inner += CalleeFile.buffer().slice(At, Body.Inner.End).str();
    return inBraces(Bindings, Inner);
  }

  /// As deep as the call stands; the callee's own lines keep their depth in it.
  std::string inBraces(llvm::StringRef Bindings, llvm::StringRef Inner) const {
    llvm::StringRef Before = Text.buffer().take_front(callRange().Begin);
    llvm::StringRef Line = Before.substr(Before.find_last_of('\n') + 1);
    std::string Indent = Line.take_while([](char C) { return C == ' ' || C == '\t'; }).str();
    llvm::StringRef First = Inner.drop_front(Inner.find_first_not_of(" \t\r\n"));
    Inner = Inner.rtrim();
    Inner = Inner.substr(Inner.take_front(First.data() - Inner.data()).find_last_of('\n') + 1);
    llvm::StringRef Unit = Inner.take_while([](char C) { return C == ' ' || C == '\t'; });
    std::string Result = "{\n";
    llvm::SmallVector<llvm::StringRef, 8> Lines;
    Bindings.split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Binding : Lines)
      Result += Indent + Unit.str() + Binding.str() + "\n";
    Lines.clear();
    Inner.split(Lines, '\n');
    for (llvm::StringRef Own : Lines)
      Result += (Own.trim().empty() ? "" : Indent + Own.rtrim("\r").str()) + "\n";
    return Result + Indent + "}";
  }

  /// Variables of the caller that the callee may write by reference.
  std::set<std::string> mutableArguments() const {
    std::set<std::string> Names;
    for (unsigned I = 0; I < std::min(Call->getNumArgs(), Callee->getNumParams()); ++I) {
      const ParmVarDecl *Parameter = Callee->getParamDecl(I);
      const auto *Ref = dyn_cast<DeclRefExpr>(Call->getArg(I)->IgnoreParens());
      if (Ref && Parameter->getType()->isReferenceType() &&
          !Parameter->getType()->getPointeeType()->isArrayType() &&
          !Parameter->getType()->getPointeeType().isConstQualified())
        Names.insert(Ref->getDecl()->getNameAsString());
    }
    return Names;
  }

  /// Does \p Spelled, its macros expanded, name one of \p Any?
  bool names(const std::string &Spelled, const std::set<std::string> &Any) const {
    std::set<std::string> Words = wordSet(Spelled);
    Macros.addExpansions(Words);
    return llvm::any_of(Words, [&](const std::string &W) { return Any.count(W) != 0; });
  }

  std::set<std::string> wordSet(const std::string &Spelled) const {
    std::set<std::string> Words;
    for (const Word &W : wordsOf(Spelled, Context.getLangOpts()))
      Words.insert(W.Text);
    return Words;
  }

  /// \p Spelled as a value of \p Type, which is built in.
  std::string casted(QualType Type, const std::string &Spelled) const {
    return "static_cast<" + Type.getAsString(Context.getPrintingPolicy()) + ">(" + Spelled +
           ")";
  }

  Argument argument(unsigned I, const std::set<std::string> &Mutable,
                    const SourceText &CalleeFile) {
    const ParmVarDecl *Parameter = Callee->getParamDecl(I);
    const Expr *Given = Call->getArg(I);
    std::string Name = Parameter->getNameAsString();
    std::string Spelled = spelledAtom(Given, Text);
    if (isa<CXXDefaultArgExpr>(Given) || Spelled.empty())
      return {"", "", "its argument '" + Name + "' is not spelled in the call"};
    bool Captured = names(Spelled, Body.Declared);
    if (Parameter->getType()->isReferenceType()) {
      const auto *Ref = dyn_cast<DeclRefExpr>(Given->IgnoreParenImpCasts());
      QualType Wanted = Parameter->getType()->getPointeeType();
      bool Same = Ref && (Wanted->isArrayType() || !Model.isTypeOpen(Given)) &&
                  Context.hasSameType(Ref->getDecl()->getType(), Wanted);
      if (!Same || Captured)
        return {"", "", "its argument '" + Name + "' is a reference to more than a variable"};
      return {Spelled, "", ""};
    }
    const Expr *Plain = Given->IgnoreParenImpCasts();
    // What a class converts is of its type only when it has arrived.
    bool Exact = isSameType(Given->IgnoreUnlessSpelledInSource()->getType(),
                            Parameter->getType()) &&
                 isSameType(Plain->getType(), Parameter->getType());
    if (Body.Measured.count(Parameter) && Plain->getType()->isArrayType())
      return {"", "", "it takes the size of its parameter '" + Name + "', a pointer there"};
    bool Chooses = Body.InCalls.count(Parameter) || Body.Measured.count(Parameter);
    // Pointers become no others on the way, whatever another instantiation makes of
    // them; numbers do.
    bool Open = Model.isTypeOpen(Given) && !Parameter->getType()->isPointerType();
    if (Exact && !Chooses && !Captured && !Body.Changed.count(Parameter) &&
        !Open && !names(Spelled, Mutable) && staysTheSame(Plain))
      return {parenthesised(Spelled), "", ""};
    return bind(*Parameter, Exact && !Open, Spelled, CalleeFile);
  }

  /// A variable in front of the block's statements, of the parameter's own type.
  Argument bind(const ParmVarDecl &Parameter, bool Exact, const std::string &Spelled,
                const SourceText &CalleeFile) {
    std::string Name = freshName(Parameter.getNameAsString());
    std::string Type = declaredType(Parameter, CalleeFile);
    if (Type.empty() && Exact)
      Type = Parameter.getType().isConstQualified() ? "const auto" : "auto";
    if (Type.empty())
      return {"", "", "its argument '" + Parameter.getNameAsString() +
                          "' becomes another type on the way"};
    return {Name, Type + (llvm::StringRef(Type).ends_with("*") ? "" : " ") + Name + " = " +
                      Spelled + ";", ""};
  }

  /// What stands in front of the parameter's name; empty where more does, or where it
  /// names a parameter of the template.
  std::string declaredType(const ParmVarDecl &Parameter, const SourceText &CalleeFile) const {
    std::optional<TextRange> Whole = CalleeFile.editable(Parameter.getSourceRange());
    std::optional<TextRange> Name = CalleeFile.token(Parameter.getLocation());
    if (!Whole || !Name || Parameter.hasDefaultArg() || Name->End != Whole->End)
      return "";
    llvm::StringRef Front = CalleeFile.text({Whole->Begin, Name->Begin});
    if (Front.contains('(') || Front.contains("/") || Front.contains('#'))
      return "";
    std::set<std::string> OfTemplate;
    if (const FunctionTemplateDecl *Template = Callee->getPrimaryTemplate())
      for (const NamedDecl *Of : *Template->getTemplateParameters())
        OfTemplate.insert(Of->getNameAsString());
    std::string Type = Front.trim().str();
    if (names(Type, OfTemplate) || names(Type, Body.Declared))
      return "";
    for (llvm::StringRef Promise : {"__restrict__", "__restrict"})
      if (size_t At = Type.find(Promise.str()); At != std::string::npos)
        Type.erase(At, Promise.size());
    return llvm::StringRef(Type).trim().str();
  }

  std::string freshName(const std::string &Name) {
    if (Taken.empty()) {
      std::vector<std::string> Avoid = namesToAvoid(Caller, Text.buffer(), Macros);
      Taken.insert(Avoid.begin(), Avoid.end());
      Taken.insert(Body.Declared.begin(), Body.Declared.end());
      Taken.insert(Body.Words.begin(), Body.Words.end());
    }
    std::string Fresh = Name + "_in";
    for (unsigned N = 2; !Taken.insert(Fresh).second; ++N)
      Fresh = Name + "_in" + std::to_string(N);
    return Fresh;
  }

  /// The same type, top-level const aside. What is more constant chooses other
  /// functions, also by way of what is made of it.
  bool isSameType(QualType Given, QualType Wanted) const {
    Given = Given.getNonReferenceType();
    if (Given->isArrayType())
      Given = Context.getArrayDecayedType(Given);
    return Context.hasSameUnqualifiedType(Given, Wanted);
  }

  /// May \p E be worked out at each mention as well? Nothing in it is read from
  /// memory, changes on the way or has an effect.
  bool staysTheSame(const Expr *E) const {
    E = E->IgnoreParens();
    if (isa<IntegerLiteral, CXXBoolLiteralExpr, SubstNonTypeTemplateParmExpr,
            PseudoObjectExpr, MSPropertyRefExpr>(E))
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return !Member->isArrow() && !Member->getType()->isReferenceType() &&
             !Member->getType().isVolatileQualified() && !Member->refersToBitField() &&
             staysTheSame(Member->getBase());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
      const ValueDecl *D = Ref->getDecl();
      if (isBuiltinIndex(D))
        return true;
      const auto *Var = dyn_cast<VarDecl>(D);
      if (!Var)
        return isa<EnumConstantDecl, NonTypeTemplateParmDecl>(D);
      bool Fixed = Var->isUsableInConstantExpressions(Context) ||
                   Var->getType()->isArrayType() ||
                   (Var->hasLocalStorage() && !Model.isAddressTaken(Var));
      return Fixed && !Var->getType()->isReferenceType() &&
             !Var->getType().isVolatileQualified();
    }
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return (Cast->getType()->isIntegerType() || Cast->getType()->isPointerType()) &&
             staysTheSame(Cast->getSubExpr());
    if (const auto *Op = dyn_cast<UnaryOperator>(E))
      return (Op->getOpcode() == UO_Minus || Op->getOpcode() == UO_Plus) &&
             staysTheSame(Op->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(E);
    return Op && !Op->isAssignmentOp() && Op->getOpcode() != BO_Comma &&
           staysTheSame(Op->getLHS()) && staysTheSame(Op->getRHS());
  }

  std::string templateArgument(unsigned Index) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
    const FunctionTemplateDecl *Template = Callee->getPrimaryTemplate();
    if (!Template || Index >= Template->getTemplateParameters()->size()) {
      fail("it is part of a template");
      return "";
    }
    const NamedDecl *Parameter = Template->getTemplateParameters()->getParam(Index);
    std::string Name = Parameter->getNameAsString();
    if (!Ref || Index >= Ref->getNumTemplateArgs() || Parameter->isParameterPack())
      return deducedArgument(Index, Name);
    const TemplateArgumentLoc &Given = Ref->template_arguments()[Index];
    const Expr *E = Given.getArgument().getKind() == TemplateArgument::Expression
                        ? Given.getSourceExpression()
                        : nullptr;
    std::string Spelled = E ? spelledAtom(E, Text) : Text.spelled(Given.getSourceRange());
    if (Spelled.empty() || names(Spelled, Body.Declared)) {
      fail("its template argument '" + Name + "' would mean something else in its body");
      return "";
    }
    if (isa<TemplateTypeParmDecl>(Parameter))
      return typeArgument(Given, Spelled, Name);
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Parameter);
    if (!Value || !E) {
      fail("its template parameter '" + Name + "' is no number");
      return "";
    }
    QualType Wanted = Value->getType().getUnqualifiedType().getCanonicalType();
    if (!Model.isTypeOpen(E) &&
        Context.hasSameUnqualifiedType(E->IgnoreParenImpCasts()->getType(), Wanted))
      return parenthesised(Spelled);
    if (!Wanted->isBuiltinType()) {
      fail("its template argument '" + Name + "' becomes another type on the way");
      return "";
    }
    return casted(Wanted, Spelled);
  }

  /// A type that `const` and the like can stand beside as they stand beside a name.
  std::string typeArgument(const TemplateArgumentLoc &Given, const std::string &Spelled,
                           const std::string &Name) {
    std::set<std::string> Words = wordSet(Spelled);
    size_t Own = Words.size();
    Macros.addExpansions(Words);
    QualType Type = Given.getArgument().getAsType();
    bool Plain = !Type.hasLocalQualifiers() && (Type->isBuiltinType() || Type->isRecordType());
    if (Words.size() == Own && (isWord(Spelled) || Plain))
      return Spelled;
    fail("its template parameter '" + Name + "' is no plain type");
    return "";
  }

  /// What the compiler found out is the same for each instantiation of a caller that
  /// is no template.
  std::string deducedArgument(unsigned Index, const std::string &Name) {
    const TemplateArgumentList *All = Callee->getTemplateSpecializationArgs();
    const TemplateArgument *Found =
        All && Index < All->size() && !Caller->isTemplateInstantiation() ? &All->get(Index)
                                                                         : nullptr;
    if (Found && Found->getKind() == TemplateArgument::Integral &&
        Found->getIntegralType()->isBuiltinType()) {
      std::string Number = llvm::toString(Found->getAsIntegral(), 10);
      QualType Type = Found->getIntegralType().getUnqualifiedType().getCanonicalType();
      return Context.hasSameType(Type, Context.IntTy) ? parenthesised(Number)
                                                      : casted(Type, Number);
    }
    if (Found && Found->getKind() == TemplateArgument::Type &&
        Found->getAsType().getCanonicalType()->isBuiltinType())
      return Found->getAsType().getCanonicalType().getAsString(Context.getPrintingPolicy());
    fail("its template parameter '" + Name + "' is not spelled in the call");
    return "";
  }

  const CallExpr *Call;
  const FunctionDecl *Caller;
  const MemoryModel &Model;
  const ASTContext &Context;
  const SourceText &Text;
  const MacroTable &Macros;
  const FunctionDecl *Callee = nullptr;
  CalleeText Body;
  std::set<std::string> Taken;
};

class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  CallFinder(const std::set<unsigned> &Places, const SourceText &Text)
      : Places(Places), Text(Text) {}
  bool VisitCallExpr(CallExpr *Call) {
    unsigned At = Text.offset(Call->getBeginLoc());
    if (Text.inFile(Call->getBeginLoc()) && Places.count(At))
      Calls.emplace(At, Call); // the outermost comes first
    return true;
  }
  std::map<unsigned, const CallExpr *> Calls;

private:
  const std::set<unsigned> &Places;
  const SourceText &Text;
};

} // namespace

std::vector<CallExpansion> expandCalls(const Stmt *Body, const std::vector<Node> &Nodes,
                                       const FunctionDecl *Caller, const MemoryModel &Model,
                                       const ASTContext &Context, const SourceText &Text,
                                       const MacroTable &Macros) {
  std::set<unsigned> Places;
  std::function<void(const std::vector<Node> &)> Collect =
      [&](const std::vector<Node> &Among) {
        for (const Node &N : Among) {
          if (N.WholeCall)
            Places.insert(N.Range.Begin);
          Collect(N.Children);
        }
      };
  Collect(Nodes);
  std::vector<CallExpansion> Result;
  if (Places.empty() || Caller->isDependentContext())
    return Result;
  CallFinder Finder(Places, Text);
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  for (const auto &[At, Call] : Finder.Calls)
    Result.push_back(CallExpander(Call, Caller, Model, Context, Text, Macros).run());
  return Result;
}

} // namespace pipeline_rewrite
