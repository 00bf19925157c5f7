#include "Analysis/CallExpansion.h"
#include "Analysis/CalleeText.h"
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
      Argument A = argument(I, Mutable);
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

  bool names(const std::string &Spelled, const std::set<std::string> &Any) const {
    return llvm::any_of(wordsOf(Spelled, Context.getLangOpts()),
                        [&](const Word &W) { return Any.count(W.Text) != 0; });
  }

  Argument argument(unsigned I, const std::set<std::string> &Mutable) {
    const ParmVarDecl *Parameter = Callee->getParamDecl(I);
    const Expr *Given = Call->getArg(I);
    std::string Name = Parameter->getNameAsString();
    std::string Spelled = Text.spelled(Given->getSourceRange());
    if (isa<CXXDefaultArgExpr>(Given) || Spelled.empty())
      return {"", "", "its argument '" + Name + "' is not spelled in the call"};
    bool Captured = names(Spelled, Body.Declared);
    if (Parameter->getType()->isReferenceType()) {
      const auto *Ref = dyn_cast<DeclRefExpr>(Given->IgnoreParens());
      bool Same = Ref && Context.hasSameUnqualifiedType(
                             Ref->getDecl()->getType(), Parameter->getType()->getPointeeType());
      if (!Same || Captured)
        return {"", "", "its argument '" + Name + "' is a reference to more than a variable"};
      return {Spelled, "", ""};
    }
    const Expr *Plain = Given->IgnoreParenImpCasts();
    bool Same = isSameType(Plain->getType(), Parameter->getType());
    if (Body.Measured.count(Parameter) && Plain->getType()->isArrayType())
      return {"", "", "it takes the size of its parameter '" + Name + "', a pointer there"};
    if (Same && !Captured && !Body.Changed.count(Parameter) &&
        !names(Spelled, Mutable) && staysTheSame(Plain))
      return {parenthesised(Spelled), "", ""};
    return bind(*Parameter, Same, Spelled);
  }

  /// A variable in front of the block's statements.
  Argument bind(const ParmVarDecl &Parameter, bool Same, const std::string &Spelled) {
    std::string Name = freshName(Parameter.getNameAsString());
    QualType Type = Parameter.getType().getUnqualifiedType().getCanonicalType();
    std::string Word = "auto";
    if (!Same && !Type->isBuiltinType())
      return {"", "", "its argument '" + Parameter.getNameAsString() +
                          "' becomes another type on the way"};
    if (Type->isBuiltinType())
      Word = Type.getAsString(Context.getPrintingPolicy());
    if (Parameter.getType().isVolatileQualified())
      return {"", "", "its parameter '" + Parameter.getNameAsString() + "' is volatile"};
    return {Name, Word + " " + Name + " = " + Spelled + ";", ""};
  }

  std::string freshName(const std::string &Name) {
    if (Taken.empty()) {
      std::vector<std::string> Avoid = namesToAvoid(Caller, Text.buffer(), Macros);
      Taken.insert(Avoid.begin(), Avoid.end());
      Taken.insert(Body.Declared.begin(), Body.Declared.end());
    }
    std::string Fresh = Name + "_in";
    for (unsigned N = 2; !Taken.insert(Fresh).second; ++N)
      Fresh = Name + "_in" + std::to_string(N);
    return Fresh;
  }

  /// The same type, but that what it points to may be more constant.
  bool isSameType(QualType Given, QualType Wanted) const {
    Given = Given.getNonReferenceType();
    if (Given->isArrayType())
      Given = Context.getArrayDecayedType(Given);
    Given = Given.getUnqualifiedType();
    Wanted = Wanted.getUnqualifiedType();
    while (Given->isPointerType() && Wanted->isPointerType()) {
      QualType From = Given->getPointeeType(), To = Wanted->getPointeeType();
      if (From.isVolatileQualified() || To.isVolatileQualified())
        return false;
      Given = From.getUnqualifiedType();
      Wanted = To.getUnqualifiedType();
      if (const auto *Array = Context.getAsArrayType(Given); Array && Wanted->isArrayType())
        return Context.hasSameUnqualifiedType(Given, Wanted);
    }
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
             !Member->getType().isVolatileQualified() && staysTheSame(Member->getBase());
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
    const TemplateParameterList *Parameters =
        Callee->getPrimaryTemplate()->getTemplateParameters();
    const NamedDecl *Parameter = Parameters->getParam(Index);
    std::string Name = Parameter->getNameAsString();
    if (!Ref || Index >= Ref->getNumTemplateArgs() || Parameter->isParameterPack())
      return deducedArgument(Index, Name);
    const TemplateArgumentLoc &Given = Ref->template_arguments()[Index];
    std::string Spelled = Text.spelled(Given.getSourceRange());
    if (Spelled.empty() || names(Spelled, Body.Declared)) {
      fail("its template argument '" + Name + "' would mean something else in its body");
      return "";
    }
    if (isa<TemplateTypeParmDecl>(Parameter))
      return Spelled;
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(Parameter);
    const Expr *E = Given.getArgument().getKind() == TemplateArgument::Expression
                        ? Given.getSourceExpression()
                        : nullptr;
    if (!Value || !E) {
      fail("its template parameter '" + Name + "' is no number");
      return "";
    }
    QualType Wanted = Value->getType().getUnqualifiedType().getCanonicalType();
    if (Context.hasSameUnqualifiedType(E->IgnoreParenImpCasts()->getType(), Wanted))
      return parenthesised(Spelled);
    if (!Wanted->isBuiltinType()) {
      fail("its template argument '" + Name + "' becomes another type on the way");
      return "";
    }
    return "static_cast<" + Wanted.getAsString(Context.getPrintingPolicy()) + ">(" +
           Spelled + ")";
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
      return Context.hasSameType(Type, Context.IntTy)
                 ? parenthesised(Number)
                 : "static_cast<" + Type.getAsString(Context.getPrintingPolicy()) + ">(" +
                       Number + ")";
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
