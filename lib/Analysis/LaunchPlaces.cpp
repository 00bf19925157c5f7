#include "Analysis/LaunchPlaces.h"
#include "Analysis/AttributePlaces.h"
#include "Analysis/SourceText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

llvm::StringRef calleeName(const CallExpr *Call) {
  if (const FunctionDecl *F = Call->getDirectCallee())
    return F->getIdentifier() ? F->getName() : "";
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Overloads = dyn_cast<OverloadExpr>(Callee))
    if (const IdentifierInfo *Name = Overloads->getName().getAsIdentifierInfo())
      return Name->getName();
  return "";
}

namespace {

bool returnsCudaError(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  if (!F || !F->getIdentifier() || !F->getName().starts_with("cuda"))
    return false;
  const auto *Enum = F->getReturnType()->getAs<EnumType>();
  return Enum && Enum->getDecl()->getName() == "cudaError";
}

} // namespace

/// `CHECK(cudaX(...))`, where the call is all that the macro is given.
void ErrorCheckers::noteMacro(const CallExpr *Call, const FunctionDecl *Around) {
  const SourceManager &SM = Context.getSourceManager();
  SourceText Text = textAt(Call->getBeginLoc(), Context);
  std::optional<TextRange> Inner = Text.editable(Call->getSourceRange());
  if (!Inner)
    return;
  SourceLocation At = SM.getExpansionLoc(Call->getBeginLoc());
  unsigned Begin = SM.getFileOffset(At);
  llvm::StringRef Before = Text.buffer().slice(Begin, Inner->Begin).rtrim();
  llvm::StringRef Behind = Text.buffer().substr(Inner->End).ltrim();
  if (!Before.consume_back("(") || !Behind.starts_with(")"))
    return;
  Before = Before.trim();
  bool Word = !Before.empty() && llvm::all_of(Before, [](char C) {
    return llvm::isAlnum(C) || C == '_';
  });
  if (!Word)
    return;
  Use &U = useOf(At, Before);
  U.In.insert(Around);
  if (++U.Count > 1)
    return;
  // Where the macro is defined in the same file, it serves from there on.
  U.First = At;
  std::string Definition = ("#define " + Before + "(").str();
  size_t Defined = Text.buffer().find(Definition);
  for (llvm::StringRef Rest = Text.buffer().substr(Defined); !Rest.empty();) {
    auto [Line, Tail] = Rest.split('\n');
    U.Returns |= Line.contains("return");
    Rest = Line.rtrim().ends_with("\\") ? Tail : llvm::StringRef();
  }
  if (Defined < Begin)
    U.First = SM.getLocForStartOfFile(SM.getFileID(At)).getLocWithOffset(Defined);
  else if (Defined == llvm::StringRef::npos)
    U.First = SM.getLocForStartOfFile(SM.getMainFileID());
}

const FunctionDecl *patternOf(const FunctionDecl *F) {
  const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
  return (Pattern ? Pattern : F)->getCanonicalDecl();
}

const FunctionDecl *functionAround(const std::vector<AstStep> &Path) {
  for (size_t I = Path.size(); I-- > 0;)
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(Path[I].Declaration))
      return patternOf(F);
  return nullptr;
}

ErrorCheckers::Use &ErrorCheckers::useOf(SourceLocation At, llvm::StringRef Name) {
  const SourceManager &SM = Context.getSourceManager();
  return Uses[{SM.getFileID(SM.getExpansionLoc(At)), Name.str()}];
}

void ErrorCheckers::note(const CallExpr *Call, const std::vector<AstStep> &Path) {
  if (!returnsCudaError(Call) || Path.size() < 2)
    return;
  if (Call->getBeginLoc().isMacroID())
    return noteMacro(Call, functionAround(Path));
  const auto *Outer = dyn_cast_or_null<CallExpr>(Path[Path.size() - 2].Statement);
  const FunctionDecl *F = Outer ? Outer->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier() || Outer->getBeginLoc().isMacroID() ||
      isa<CXXMemberCallExpr, CXXOperatorCallExpr>(Outer))
    return;
  for (unsigned I = 0; I < Outer->getNumArgs(); ++I)
    if (I == 0 ? Outer->getArg(I)->IgnoreImpCasts() != Call
               : !isa<CXXDefaultArgExpr>(Outer->getArg(I)))
      return;
  SourceText Text = textAt(Outer->getBeginLoc(), Context);
  Use &U = useOf(Outer->getBeginLoc(),
                 Text.text(Text.covering(Outer->getCallee()->getSourceRange())));
  ++U.Count;
  U.First = F->getLocation();
}

std::string ErrorCheckers::at(SourceLocation At, const FunctionDecl *Around) const {
  const SourceManager &SM = Context.getSourceManager();
  std::string Best;
  unsigned Most = 0;
  FileID File = SM.getFileID(SM.getExpansionLoc(At));
  for (const auto &[Key, U] : Uses)
    if (Key.first == File && U.Count > Most && (!U.Returns || U.In.count(Around)) &&
        SM.isBeforeInTranslationUnit(U.First, At)) {
      Best = Key.second;
      Most = U.Count;
    }
  return Best;
}

static bool isVariable(const AstStep &Step) {
  return isa_and_nonnull<VarDecl>(Step.Declaration);
}

void describePlace(LaunchSite &Site, const std::vector<AstStep> &Path,
                   size_t Index, const ASTContext &Context) {
  describeSurroundings(Site, Path, Index, Context);
  // Out of a macro that wraps the call, and out of branches without braces.
  for (size_t I = Index; I > 0; --I) {
    // `cudaError_t status = cudaX(...)`: its statement stands further out.
    if (isVariable(Path[I]) || isVariable(Path[I - 1]))
      continue;
    const Stmt *Parent = Path[I - 1].Statement;
    const Stmt *Here = Path[I].Statement;
    if (!Parent || !Here)
      break;
    SourceText Text = textAt(Here->getBeginLoc(), Context);
    bool Labelled = isa<SwitchCase, LabelStmt>(Parent);
    const auto *Braces = dyn_cast<CompoundStmt>(Parent);
    if ((!Braces && !Labelled) || Parent->getBeginLoc().isMacroID())
      continue;
    Site.Statement = Text.statement(Here);
    if (Site.Statement.empty())
      break;
    size_t Outer = I - 1;
    while (Outer > 0 && !isa_and_nonnull<CompoundStmt>(Path[Outer].Statement))
      --Outer;
    if (const Stmt *Around = Path[Outer].Statement)
      Site.Block = Text.covering(Around->getSourceRange());
    bool InSwitch = Outer > 0 && isa_and_nonnull<SwitchStmt>(Path[Outer - 1].Statement);
    Site.Unconditional = Braces && !InSwitch;
    // What is put before a launch is put before the whole statement.
    if (Site.Kind == LaunchKind::Attribute)
      Site.Unconditional &= surelyRuns(Path, I, Index, Context);
    return;
  }
  Site.Obstacle = "stands in no statement that another could be put before";
}

} // namespace pipeline_rewrite
