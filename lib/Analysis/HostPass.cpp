#include "Analysis/HostPass.h"
#include "Analysis/SourceText.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

constexpr llvm::StringLiteral Asked = "__CUDA_ARCH__";

class FunctionBodies : public RecursiveASTVisitor<FunctionBodies> {
public:
  explicit FunctionBodies(const SourceManager &SM) : SM(SM) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody())
      Bodies.push_back(F->getBody()->getSourceRange());
    return true;
  }

  bool hold(SourceLocation At) const {
    return llvm::any_of(Bodies, [&](SourceRange Body) {
      return SM.isBeforeInTranslationUnit(Body.getBegin(), At) &&
             SM.isBeforeInTranslationUnit(At, Body.getEnd());
    });
  }

private:
  const SourceManager &SM;
  std::vector<SourceRange> Bodies;
};

/// Where directives of \p File name it.
void findDirectives(FileID File, const SourceManager &SM,
                    std::vector<SourceLocation> &Found) {
  llvm::StringRef Buffer = SM.getBufferData(File);
  for (size_t At = Buffer.find(Asked); At != llvm::StringRef::npos;
       At = Buffer.find(Asked, At + Asked.size())) {
    if (Buffer.drop_front(lineAround(Buffer, At).Begin).ltrim(" \t").starts_with("#"))
      Found.push_back(SM.getLocForStartOfFile(File).getLocWithOffset(At));
  }
}

bool asksOutsideFunctions(const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<SourceLocation> Directives;
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It) {
    FileID File = SM.translateFile(It->first);
    if (File.isValid() && !SM.isInSystemHeader(SM.getLocForStartOfFile(File)))
      findDirectives(File, SM, Directives);
  }
  if (Directives.empty())
    return false;
  FunctionBodies Bodies(SM);
  Bodies.TraverseDecl(Context.getTranslationUnitDecl());
  return llvm::any_of(Directives, [&](SourceLocation At) { return !Bodies.hold(At); });
}

} // namespace

bool HostPass::mayDiffer() const {
  if (!Differs)
    Differs = asksOutsideFunctions(Context);
  return *Differs;
}

} // namespace pipeline_rewrite
