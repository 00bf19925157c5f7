#include "Analysis/AttributePlaces.h"
#include "Analysis/LoopFinder.h"
#include "Analysis/SourceText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Jumps out of a list of statements, of whatever kind.
class JumpFinder : public RecursiveASTVisitor<JumpFinder> {
public:
  bool Found = false;
  bool VisitStmt(Stmt *S) {
    Found |= isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt,
                 LabelStmt, SwitchCase, CXXTryStmt>(S);
    return !Found;
  }
};

bool jumps(const Stmt *S) {
  JumpFinder Finder;
  Finder.TraverseStmt(const_cast<Stmt *>(S));
  return Finder.Found;
}

/// Is \p Child reached whenever \p Braces are entered and left at their end?
bool reached(const Stmt *Child, const CompoundStmt *Braces) {
  for (const Stmt *S : Braces->body()) {
    if (S == Child)
      return true;
    if (jumps(S))
      return false;
  }
  return false;
}

/// Does \p Parent, once begun, evaluate its part \p Child?
bool evaluates(const Stmt *Parent, const Stmt *Child) {
  if (const auto *If = dyn_cast<IfStmt>(Parent))
    return Child == If->getCond() || Child == If->getInit();
  if (const auto *Switch = dyn_cast<SwitchStmt>(Parent))
    return Child == Switch->getCond() || Child == Switch->getInit();
  if (const auto *For = dyn_cast<ForStmt>(Parent))
    return Child == For->getInit() || Child == For->getCond();
  if (const auto *While = dyn_cast<WhileStmt>(Parent))
    return Child == While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(Parent))
    return Child == Do->getBody();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Parent))
    return !Binary->isLogicalOp() || Child == Binary->getLHS();
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(Parent))
    return Child == Choice->getCond();
  if (const auto *Braces = dyn_cast<CompoundStmt>(Parent))
    return reached(Child, Braces);
  // A builtin may leave its operand alone.
  if (const auto *Call = dyn_cast<CallExpr>(Parent))
    return Call->getBuiltinCallee() == 0;
  bool Plain = isa<ParenExpr, CastExpr, UnaryOperator, ExprWithCleanups, ConstantExpr,
                   MaterializeTemporaryExpr, CXXBindTemporaryExpr, CXXConstructExpr,
                   InitListExpr, StmtExpr, ReturnStmt, MemberExpr, AttributedStmt>(Parent);
  // The operand of a `decltype` in a cast is no child of it.
  return Plain && llvm::is_contained(Parent->children(), Child);
}

/// `assert(...)` is nothing where NDEBUG is defined.
bool inForeignMacro(SourceLocation Loc, const SourceManager &SM) {
  while (Loc.isMacroID()) {
    if (!SM.isMacroArgExpansion(Loc) && SM.isInSystemHeader(SM.getSpellingLoc(Loc)))
      return true;
    // Of an argument: its place in the macro's body.
    Loc = SM.getImmediateExpansionRange(Loc).getBegin();
  }
  return false;
}

/// Does the declaration \p D evaluate \p Child each time it is passed?
bool evaluates(const Decl *D, const Stmt *Child) {
  const auto *Var = dyn_cast<VarDecl>(D);
  return Var && Var->getInit() == Child && !Var->isStaticLocal() &&
         Var->getTLSKind() == VarDecl::TLS_None;
}

} // namespace

bool surelyRuns(const std::vector<AstStep> &Path, size_t Statement, size_t Index,
                const ASTContext &Context) {
  const Stmt *Here = Path[Index].Statement;
  if (inForeignMacro(Here->getBeginLoc(), Context.getSourceManager()))
    return false;
  for (size_t I = Index; I-- > Statement;) {
    if (const Decl *D = Path[I].Declaration) {
      if (!evaluates(D, Here))
        return false;
      continue;
    }
    bool Declares = isa<DeclStmt>(Path[I].Statement);
    if (!Declares && !evaluates(Path[I].Statement, Here))
      return false;
    Here = Path[I].Statement;
  }
  return true;
}

void describeSurroundings(LaunchSite &Site, const std::vector<AstStep> &Path,
                          size_t Index, const ASTContext &Context) {
  for (size_t I = Index; I-- > 0;) {
    const Stmt *S = Path[I].Statement;
    const auto *F = dyn_cast_or_null<FunctionDecl>(Path[I].Declaration);
    if (F && F->getBody()) {
      S = F->getBody();
      Site.Function = textAt(S->getBeginLoc(), Context).covering(S->getSourceRange());
      return;
    }
    if (!S)
      continue;
    TextRange Range = textAt(S->getBeginLoc(), Context).covering(S->getSourceRange());
    if (isa<LambdaExpr>(S)) {
      Site.Function = Range;
      return;
    }
    if (isLoop(S))
      Site.Loops.push_back(Range);
  }
}

/// What the calls in one body do.
class CallScan : public RecursiveASTVisitor<CallScan> {
public:
  using Change = AttributeLosses::Change;
  explicit CallScan(AttributeLosses &Losses) : Losses(Losses) {}
  Change Most = Change::No;

  bool VisitCallExpr(CallExpr *Call) { return take(Call); }
  bool VisitCXXConstructExpr(CXXConstructExpr *Call) { return take(Call); }

private:
  bool take(const Stmt *Call) {
    Most = std::max(Most, Losses.changeBy(Call));
    return Most != Change::Certain;
  }
  AttributeLosses &Losses;
};

namespace {

/// CUDA's own functions are known by name.
std::optional<bool> knownByName(llvm::StringRef Name) {
  bool Changes =
      llvm::StringSwitch<bool>(Name)
          .Cases("cudaSetDevice", "cudaInitDevice", "cudaSetValidDevices",
                 "cudaChooseDevice", "cudaDeviceReset", "cudaThreadExit", true)
          .Cases("cuCtxCreate", "cuCtxDestroy", "cuCtxSetCurrent",
                 "cuCtxPushCurrent", "cuCtxPopCurrent", "cuCtxDetach", true)
          .Cases("cuCtxCreate_v2", "cuCtxCreate_v3", "cuCtxCreate_v4",
                 "cuCtxDestroy_v2", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", true)
          .Cases("cuDevicePrimaryCtxReset", "cuDevicePrimaryCtxReset_v2",
                 "cuDevicePrimaryCtxRelease", "cuDevicePrimaryCtxRelease_v2", true)
          .Default(false);
  if (Changes)
    return true;
  if (Name.starts_with("cuda") || Name.starts_with("__") ||
      (Name.consume_front("cu") && !Name.empty() && llvm::isUpper(Name.front())))
    return false;
  return std::nullopt;
}

} // namespace

AttributeLosses::Change AttributeLosses::changeBy(const FunctionDecl *F) {
  if (F->getIdentifier())
    if (std::optional<bool> Changes = knownByName(F->getName()))
      return *Changes ? Change::Certain : Change::No;
  const SourceManager &SM = Context.getSourceManager();
  bool OnDevice = F->hasAttr<CUDAGlobalAttr>() ||
                  (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>());
  if (OnDevice || F->isImplicit() || F->isDefaulted() || F->getBuiltinID() ||
      SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation())))
    return Change::No;
  // Of a function that calls itself nothing is known until all of it was seen.
  auto [Entry, New] = Known.emplace(F->getCanonicalDecl(), Change::Unknown);
  if (!New)
    return Entry->second;
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition)) {
    const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
    if (!Pattern || !Pattern->hasBody(Definition))
      return Known[F->getCanonicalDecl()] = Change::Unknown;
  }
  CallScan Scan(*this);
  Scan.TraverseDecl(const_cast<FunctionDecl *>(Definition));
  return Known[F->getCanonicalDecl()] = Scan.Most;
}

AttributeLosses::Change AttributeLosses::changeBy(const Stmt *S) {
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
    return changeBy(Construct->getConstructor());
  const auto *Call = cast<CallExpr>(S);
  if (isa<CUDAKernelCallExpr>(Call))
    return Change::No;
  if (const FunctionDecl *F = Call->getDirectCallee()) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    Change By = changeBy(F);
    return Method && Method->isVirtual() ? std::max(By, Change::Unknown) : By;
  }
  Change Most = Change::No;
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Overloads = dyn_cast<OverloadExpr>(Callee)) {
    for (const NamedDecl *D : Overloads->decls())
      if (const FunctionDecl *F = D->getAsFunction())
        Most = std::max(Most, changeBy(F));
    return Most;
  }
  // What a template leaves open is seen where it is instantiated.
  return Call->isTypeDependent() ? Change::No : Change::Unknown;
}

void AttributeLosses::note(const std::vector<AstStep> &Path) {
  const Stmt *S = Path.back().Statement;
  AttributeLoss Loss;
  const Stmt *Switch = nullptr;
  if (isa<CallExpr, CXXConstructExpr>(S)) {
    Change By = changeBy(S);
    if (By == Change::No)
      return;
    Loss.Certain = By == Change::Certain;
  } else if (isa<SwitchCase>(S)) {
    for (const AstStep &Step : Path)
      if (isa_and_nonnull<SwitchStmt>(Step.Statement))
        Switch = Step.Statement;
  } else if (!isa<LabelStmt>(S)) {
    return;
  }
  const SourceManager &SM = Context.getSourceManager();
  SourceLocation At = SM.getExpansionLoc(S->getBeginLoc());
  if (At.isInvalid())
    return;
  Loss.File = SM.getFilename(At).str();
  Loss.At = SM.getFileOffset(At);
  if (Switch)
    Loss.Switch = textAt(At, Context).covering(Switch->getSourceRange());
  auto [Entry, New] = Found[Loss.File].emplace(Loss.At, Loss);
  if (!New) {
    Entry->second.Certain |= Loss.Certain;
    // Of several at one place the one that is always a loss stays.
    if (Loss.Switch.empty())
      Entry->second.Switch = {};
  }
}

std::vector<AttributeLoss> AttributeLosses::in(const std::string &File,
                                               TextRange Function) const {
  std::vector<AttributeLoss> Result;
  auto Known = Found.find(File);
  if (Known == Found.end())
    return Result;
  for (auto At = Known->second.lower_bound(Function.Begin);
       At != Known->second.end() && At->first < Function.End; ++At)
    Result.push_back(At->second);
  return Result;
}

} // namespace pipeline_rewrite
