#include "Analysis/LoopFinder.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

class FunctionCollector : public RecursiveASTVisitor<FunctionCollector> {
public:
  explicit FunctionCollector(ASTContext &Context) : Context(Context) {}
  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    const SourceManager &SM = Context.getSourceManager();
    bool Device = F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>();
    if (Device && F->doesThisDeclarationHaveABody() &&
        !SM.isInSystemHeader(SM.getExpansionLoc(F->getLocation())))
      All.push_back(F);
    return true;
  }

  std::vector<const FunctionDecl *> All;

private:
  ASTContext &Context;
};

class BarrierSearch {
public:
  BarrierSearch(const FunctionDecl *F, SummaryCache &Summaries,
                const ASTContext &Context)
      : F(F), Summaries(Summaries), Context(Context) {}

  /// True if \p S holds a barrier that no loop below \p S owns.
  bool visit(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    Ancestors.push_back(S);
    bool Found = false;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      Found = isBarrierCall(Call, Summaries, Context);
    for (const Stmt *Child : S->children())
      Found |= visit(Child);
    bool Owner = Found && isLoop(S);
    if (Owner)
      Loops.push_back({F, S, Ancestors});
    Ancestors.pop_back();
    return Found && !Owner;
  }

  std::vector<BarrierLoop> Loops;

private:
  const FunctionDecl *F;
  SummaryCache &Summaries;
  const ASTContext &Context;
  std::vector<const Stmt *> Ancestors;
};

} // namespace

bool isBarrierCall(const CallExpr *Call, SummaryCache &Summaries,
                   const ASTContext &Context) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return false;
  if (auto Known = lookUpFunction(Callee->getQualifiedNameAsString(), Call))
    return Known->Behaviour == KnownBehaviour::Barrier ||
           Known->What.find("barrier") != std::string::npos ||
           Callee->getNameAsString() == "arrive_and_wait";
  const SourceManager &SM = Context.getSourceManager();
  return !SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())) &&
         Callee->hasBody() && Summaries.of(Callee, Context).HasBarrier;
}

std::vector<const FunctionDecl *> findFunctions(ASTContext &Context) {
  FunctionCollector Collector(Context);
  Collector.TraverseAST(Context);
  // The pattern of a template that is instantiated adds nothing.
  llvm::DenseSet<const FunctionDecl *> Instantiated;
  for (const FunctionDecl *F : Collector.All)
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      Instantiated.insert(Pattern->getCanonicalDecl());
  std::vector<const FunctionDecl *> Result;
  for (const FunctionDecl *F : Collector.All)
    if (!Instantiated.contains(F->getCanonicalDecl()) &&
        !llvm::is_contained(Result, F))
      Result.push_back(F);
  return Result;
}

std::vector<BarrierLoop> findBarrierLoops(const FunctionDecl *F,
                                          SummaryCache &Summaries,
                                          const ASTContext &Context) {
  BarrierSearch Search(F, Summaries, Context);
  Search.visit(F->getBody());
  return Search.Loops;
}

} // namespace pipeline_rewrite
