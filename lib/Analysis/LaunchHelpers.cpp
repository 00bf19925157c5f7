#include "Analysis/LaunchHelpers.h"
#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/MemoryModel.h"
#include "Analysis/SourceText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// What a function's body does with one of its parameters, a kernel.
class HelperReader : public RecursiveASTVisitor<HelperReader> {
public:
  explicit HelperReader(const ParmVarDecl *Kernel) : Kernel(Kernel) {}

  const ParmVarDecl *Bytes = nullptr;
  const Expr *Block = nullptr;
  unsigned Launches = 0;
  bool Understood = true;

  /// Is every mention of the kernel and of the bytes one that was understood?
  bool complete() const {
    auto All = [&](const ParmVarDecl *P) {
      auto Said = Mentions.find(P), Used = Uses.find(P);
      return Said != Mentions.end() && Used != Uses.end() &&
             Said->second == Used->second;
    };
    return Understood && Launches == 1 && Bytes && All(Kernel) && All(Bytes);
  }

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    if (const auto *P = dyn_cast<ParmVarDecl>(Ref->getDecl()))
      ++Mentions[P];
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *) { return Understood = false; }

  bool VisitCallExpr(CallExpr *Call) {
    if (const auto *Launch = dyn_cast<CUDAKernelCallExpr>(Call)) {
      if (parameter(Launch->getCallee()) == Kernel)
        launch(Launch->getConfig(), 1, 2);
      return true;
    }
    std::optional<KernelCall> Known = lookUpKernelCall(calleeName(Call));
    if (!Known || Known->Kernel >= Call->getNumArgs() ||
        parameter(Call->getArg(Known->Kernel)) != Kernel)
      return true;
    using Does = KernelCall::Does;
    if (Known->What == Does::Launch)
      launch(Call, Known->Block, Known->Bytes);
    else if (Known->What == Does::Query ||
             (Known->What == Does::SetAttribute &&
              setsDynamicShared(Call).value_or(true))) // no constant: may be any
      gives(Call, Known->Bytes);
    else if (Known->What == Does::LaunchByConfig)
      Understood = false;
    else
      ++Uses[Kernel];
    return true;
  }

private:
  /// Casts to a type that does not hold every number of bytes are no way to it.
  const ParmVarDecl *parameter(const Expr *E) const {
    while (const auto *Cast = dyn_cast<CastExpr>(E->IgnoreParens())) {
      if (Cast->getCastKind() == CK_IntegralCast &&
          Kernel->getASTContext().getTypeSize(Cast->getType()) < 32)
        return nullptr;
      E = Cast->getSubExpr();
    }
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E));
    return Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  }

  void launch(const CallExpr *Config, unsigned BlockAt, unsigned BytesAt) {
    ++Launches;
    Block = Config->getArg(BlockAt);
    gives(Config, BytesAt);
  }

  void gives(const CallExpr *Call, unsigned At) {
    const ParmVarDecl *P =
        At < Call->getNumArgs() ? parameter(Call->getArg(At)) : nullptr;
    Understood &= P && (!Bytes || Bytes == P);
    Bytes = P;
    ++Uses[Kernel];
    ++Uses[P];
  }

  const ParmVarDecl *Kernel;
  std::map<const ParmVarDecl *, unsigned> Mentions, Uses;
};

unsigned positionOf(const ParmVarDecl *P, const FunctionDecl &F) {
  return llvm::find(F.parameters(), P) - F.param_begin();
}

/// \p At is where a parameter stands in the definition of its macro.
ParameterUse parameterUse(SourceLocation At, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  auto [File, Offset] = SM.getDecomposedLoc(At);
  llvm::StringRef Buffer = SM.getBufferData(File);
  TextRange Macro = lineAround(Buffer, Offset);
  ParameterUse Use;
  Use.At = Offset;
  llvm::SmallString<32> Space;
  std::string Name =
      Lexer::getSpelling(At, Space, SM, Context.getLangOpts()).str();
  Use.Parameter = Name + " " + std::to_string(File.getHashValue()) + " " +
                  std::to_string(Macro.Begin);
  Lexer Raw(SM.getLocForStartOfFile(File), Context.getLangOpts(), Buffer.begin(),
            Buffer.begin() + Macro.Begin, Buffer.end());
  Token T;
  bool Hash = false; // in front of T: its text, which nobody computes with
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
    if (SM.getFileOffset(T.getLocation()) >= Macro.End)
      break;
    Use.All += T.is(tok::raw_identifier) && T.getRawIdentifier() == Name && !Hash;
    Hash = T.is(tok::hash);
  }
  // The list of parameters has it as well; of `...`, not by this name.
  Use.All -= Name != "__VA_ARGS__" && Use.All > 0;
  return Use;
}

} // namespace

std::optional<HelperLaunch> readHelper(const CallExpr *Call, const Expr *Kernel,
                                       const ASTContext &Context) {
  const FunctionDecl *F = Call->getDirectCallee();
  const auto *Named = dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts());
  // Bytes of another type might choose another overload.
  if (!F || !F->hasBody(F) || !Named || Named->hadMultipleCandidates() ||
      isa<CXXMethodDecl>(F) || F->isDependentContext())
    return std::nullopt;
  for (unsigned I = 0; I < Call->getNumArgs() && I < F->getNumParams(); ++I) {
    if (Call->getArg(I) != Kernel)
      continue;
    HelperReader Reader(F->getParamDecl(I));
    Reader.TraverseStmt(F->getBody());
    if (!Reader.complete())
      return std::nullopt;
    HelperLaunch Helper;
    Helper.Bytes = positionOf(Reader.Bytes, *F);
    Helper.Block = Reader.Block;
    QualType Type = Reader.Bytes->getType();
    if (Helper.Bytes >= Call->getNumArgs() || !Type->isIntegerType() ||
        Context.getTypeSize(Type) < 32 ||
        isa<CXXDefaultArgExpr>(Call->getArg(Helper.Bytes)))
      return std::nullopt;
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Reader.Block));
    if (const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr)
      Helper.Block = positionOf(P, *F) < Call->getNumArgs() && isOnlyRead(P, F->getBody())
                         ? Call->getArg(positionOf(P, *F))
                         : nullptr;
    return Helper;
  }
  return std::nullopt;
}

std::vector<ParameterUse> parameterUses(const Expr *E, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<ParameterUse> Uses;
  for (SourceLocation At = E->getBeginLoc(); At.isMacroID();
       At = SM.getImmediateSpellingLoc(At)) {
    if (!SM.isMacroArgExpansion(At))
      continue;
    SourceLocation In =
        SM.getSpellingLoc(SM.getImmediateExpansionRange(At).getBegin());
    Uses.push_back(parameterUse(In, Context));
  }
  return Uses;
}

} // namespace pipeline_rewrite
