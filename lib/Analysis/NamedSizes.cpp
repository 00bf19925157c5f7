#include "Analysis/NamedSizes.h"
#include "Analysis/SpelledNames.h"
#include "Analysis/Branches.h"
#include "Analysis/LocalConstants.h"
#include "Analysis/SourceText.h"
#include "Support/Words.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// No size in the block is larger, bytes; and no sum or product of two numbers
/// below it leaves 64 bits.
constexpr int64_t LargestSize = 1 << 18;
/// More would be a search, not a reading.
constexpr size_t MostConstants = 96;

/// What an expression refers to, and whether it may be repeated elsewhere.
class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  std::vector<const NamedDecl *> Declarations;
  bool Plain = true;

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    Declarations.push_back(E->getFoundDecl());
    return true;
  }
  bool VisitCallExpr(CallExpr *) { return Plain = false; }
  bool VisitLambdaExpr(LambdaExpr *) { return Plain = false; }
  bool VisitCXXConstructExpr(CXXConstructExpr *) { return Plain = false; }
  bool VisitStmtExpr(StmtExpr *) { return Plain = false; }
};

/// Names of locals that can be seen where \p Loop stands.
class SeenLocals {
public:
  SeenLocals(const Stmt *Body, const Stmt *Loop) { find(Body, Loop); }
  bool has(const std::string &Name) const { return Names.count(Name) != 0; }

private:
  bool find(const Stmt *S, const Stmt *Loop) {
    if (!S || S == Loop)
      return S != nullptr;
    std::set<std::string> Before = Names;
    bool Found = false;
    for (const Stmt *Child : S->children()) {
      if (find(Child, Loop)) {
        Found = true;
        break;
      }
      const auto *Declared = dyn_cast_or_null<DeclStmt>(Child);
      if (Declared && isa<CompoundStmt>(S))
        for (const Decl *D : Declared->decls())
          if (const auto *Named = dyn_cast<NamedDecl>(D))
            Names.insert(Named->getNameAsString());
    }
    if (!Found)
      Names = std::move(Before);
    return Found;
  }

  std::set<std::string> Names;
};

class ConstantReader : public RecursiveASTVisitor<ConstantReader> {
  using Base = RecursiveASTVisitor<ConstantReader>;

public:
  ConstantReader(LoopFacts &Facts, const FunctionDecl *F, const Stmt *Loop,
                 const ASTContext &Context)
      : Facts(Facts), Kernel(F), Context(Context),
        Text(textAt(F->getBody()->getBeginLoc(), Context)), Seen(F->getBody(), Loop) {
    Place = std::min(Facts.Uses.EarlyPlace.value_or(Facts.Uses.Definition.Begin),
                     Facts.Uses.Definition.Begin);
    MacrosMove = changesMacros(Text.buffer().slice(Place, Facts.LoopText.Begin));
    for (const SharedVariable &S : Facts.Shared)
      if (S.Part)
        for (const BlockName &N : S.Part->Names)
          PartNames.insert(N.Name);
  }

  /// Constants that are declared beside the kernel, above \p Place.
  void readAround() {
    for (const Decl *D : scope(Kernel->getDeclContext())->decls()) {
      const auto *Var = dyn_cast<VarDecl>(D);
      bool Usable = Var && Var->getInit() && !Var->isInvalidDecl() &&
                    Var->getType().isConstQualified() &&
                    Var->getType()->isIntegralOrEnumerationType() &&
                    Text.inFile(Var->getLocation()) &&
                    Text.offset(Var->getEndLoc()) < Place;
      if (!Usable)
        continue;
      Around = true;
      std::optional<uint64_t> Value = valueOf(Var->getInit());
      if (Value && Facts.Constants.size() < MostConstants &&
          meansTheSame(Var->getInit(), Var->getNameAsString())) {
        add({Var->getNameAsString(), *Value, NamedConstant::Word, false, PartNames, {}});
        InKernel.insert(Var->getCanonicalDecl()); // what is made of it will do, too
      }
      TraverseStmt(const_cast<Expr *>(Var->getInit()));
      Around = false;
    }
  }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    Path.push_back(S);
    bool Go = Base::TraverseStmt(S);
    Path.pop_back();
    return Go;
  }

  bool VisitExpr(Expr *E) {
    if (isa<ParenExpr, ImplicitCastExpr, ConstantExpr, IntegerLiteral>(E) ||
        Facts.Constants.size() >= MostConstants)
      return true;
    std::optional<uint64_t> Value = valueOf(E);
    if (!Value)
      return true;
    std::optional<TextRange> Range = Text.editable(E->getSourceRange());
    if (!Range)
      return true;
    llvm::StringRef Written = Text.text(*Range);
    if (Written.contains("//") || Written.contains("/*") || Written.contains('#') ||
        Written.contains('"') || Written.contains('\''))
      return true;
    std::string Spelled;
    for (llvm::StringRef Rest = Written.trim(); !Rest.empty(); Rest = Rest.ltrim()) {
      llvm::StringRef Word = Rest.take_until(llvm::isSpace);
      Spelled += (Spelled.empty() ? "" : " ") + Word.str();
      Rest = Rest.drop_front(Word.size());
    }
    if (meansTheSame(E, Spelled) && (isAtom(E) || !isWord(Spelled)))
      add({Spelled, *Value, shapeOf(E, Spelled), !Around && carves(),
           Around ? PartNames : near(), {}});
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (!Around)
      InKernel.insert(E->getDecl()->getCanonicalDecl());
    return true;
  }

private:
  static const DeclContext *scope(const DeclContext *At) {
    return At->getRedeclContext();
  }

  std::optional<uint64_t> valueOf(const Expr *E) const {
    QualType Type = E->getType();
    // The message of a static_assert has no type.
    if (Type.isNull() || E->isValueDependent() || !Type->isIntegralOrEnumerationType() ||
        Type->isBooleanType() || E->HasSideEffects(Context))
      return std::nullopt;
    Expr::EvalResult Result;
    if (!E->EvaluateAsInt(Result, Context))
      return std::nullopt;
    const llvm::APSInt &Value = Result.Val.getInt();
    if (Value.isNegative() || Value.isZero() || Value.getActiveBits() > 31 ||
        Value.getExtValue() > LargestSize)
      return std::nullopt;
    return Value.getExtValue();
  }

  bool isLocalName(const std::string &Name) const {
    return llvm::any_of(Facts.Uses.Locals,
                        [&](const LocalName &L) { return L.Name == Name; });
  }

  /// A local has to be the only one of its name, a constant, and in sight.
  bool isPlainLocal(const std::string &Name) const {
    return Seen.has(Name) &&
           llvm::count_if(Facts.Uses.Locals,
                          [&](const LocalName &L) { return L.Name == Name; }) == 1;
  }

  bool meansTheSame(const Expr *E, const std::string &Spelled) const {
    std::vector<std::string> Words = identifiersIn(Spelled);
    if (Words.empty() || !constantsFor(Facts.Uses, Spelled))
      return false;
    for (const std::string &Word : Words) {
      if (isLocalName(Word) && (Around || !isPlainLocal(Word)))
        return false;
      if (MacrosMove && Context.Idents.get(Word).hadMacroDefinition())
        return false;
    }
    Mentions In;
    In.TraverseStmt(const_cast<Expr *>(E));
    if (Around && In.Declarations.empty())
      return false;
    return In.Plain && llvm::all_of(In.Declarations, [&](const NamedDecl *D) {
             return D->getParentFunctionOrMethod()
                        ? llvm::is_contained(Words, D->getNameAsString())
                        : isVisible(D);
           });
  }

  /// Is \p D, of a namespace or a class, found by its name above the kernel? Of what
  /// the kernel does not use, nothing is taken: that it fits would be chance.
  bool isVisible(const NamedDecl *D) const {
    std::string Name = D->getNameAsString();
    const SourceManager &SM = Context.getSourceManager();
    if (isLocalName(Name) || Name == "warpSize" ||
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return false;
    if (!Around || !InKernel.count(D->getUnderlyingDecl()->getCanonicalDecl()))
      return !Around;
    // Where two scopes declare the name, the nearer one would be found.
    for (const DeclContext *At = scope(Kernel->getDeclContext()); At;
         At = At->getParent()) {
      if (scope(D->getDeclContext()) == scope(At))
        return true;
      if (!scope(At)->lookup(D->getDeclName()).empty())
        return false;
    }
    return false;
  }

  static NamedConstant::Shape shapeOf(const Expr *E, const std::string &Spelled) {
    if (isWord(Spelled))
      return NamedConstant::Word;
    E = E->IgnoreImpCasts();
    if (isa<DeclRefExpr>(E)) // `P::N`
      return NamedConstant::Word;
    if (const auto *Replaced = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Replaced->getReplacement();
    const auto *Binary = dyn_cast<BinaryOperator>(E);
    if (Binary && Binary->getOpcode() == BO_Mul)
      return NamedConstant::Product;
    return Binary && Binary->isAdditiveOp() ? NamedConstant::Sum : NamedConstant::Other;
  }

  /// Does the expression step from one pointer of the kernel to another?
  bool carves() const {
    for (size_t I = Path.size() - 1; I-- > 0;) {
      if (const auto *Step = dyn_cast<BinaryOperator>(Path[I]))
        return Step->isAdditiveOp() && Step->getType()->isPointerType();
      if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Path[I]))
        return Element->getIdx()->IgnoreParenImpCasts() ==
               cast<Expr>(Path.back())->IgnoreParenImpCasts();
      if (!isa<ParenExpr, ImplicitCastExpr>(Path[I]))
        return false;
    }
    return false;
  }

  class Names : public RecursiveASTVisitor<Names> {
  public:
    Names(const std::set<std::string> &Of, std::set<std::string> &Found)
        : Of(Of), Found(Found) {}
    bool VisitDeclRefExpr(DeclRefExpr *E) {
      std::string Name = E->getDecl()->getNameAsString();
      if (Of.count(Name))
        Found.insert(Name);
      return true;
    }
    const std::set<std::string> &Of;
    std::set<std::string> &Found;
  };

  /// The parts that the smallest statement around mentions, if it mentions any.
  std::set<std::string> near() {
    for (const Stmt *S : llvm::reverse(Path)) {
      auto [Known, New] = Mentioned.try_emplace(S);
      if (New)
        Names(PartNames, Known->second).TraverseStmt(const_cast<Stmt *>(S));
      if (!Known->second.empty())
        return Known->second;
    }
    return {};
  }

  void add(NamedConstant C) {
    if (C.Near.size() == 1)
      C.Alone = C.Near;
    auto Known = llvm::find_if(Facts.Constants, [&](const NamedConstant &Other) {
      return Other.Text == C.Text;
    });
    if (Known == Facts.Constants.end())
      return Facts.Constants.push_back(std::move(C));
    Known->Value = Known->Value == C.Value ? C.Value : 0;
    Known->Carves |= C.Carves;
    Known->Near.insert(C.Near.begin(), C.Near.end());
    Known->Alone.insert(C.Alone.begin(), C.Alone.end());
  }

  LoopFacts &Facts;
  const FunctionDecl *Kernel;
  const ASTContext &Context;
  SourceText Text;
  SeenLocals Seen;
  unsigned Place = 0;
  bool MacrosMove = false; ///< between the place and the loop
  bool Around = false;     ///< in a declaration beside the kernel
  std::set<std::string> PartNames;
  std::set<const Decl *> InKernel; ///< what its text refers to
  std::vector<const Stmt *> Path;
  std::map<const Stmt *, std::set<std::string>> Mentioned;
};

} // namespace

void describeConstants(LoopFacts &Facts, const FunctionDecl *F, const Stmt *Loop,
                       const ASTContext &Context, const HostPass &Host) {
  // What is spelled is the host's to read, too.
  if (!F->hasBody() || F->isDependentContext() || Host.mayDiffer())
    return;
  ConstantReader Reader(Facts, F, Loop, Context);
  Reader.TraverseStmt(F->getBody());
  Reader.readAround();
}

} // namespace pipeline_rewrite
