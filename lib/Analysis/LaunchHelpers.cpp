#include "Analysis/LaunchHelpers.h"
#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/MemoryModel.h"
#include "Analysis/SourceText.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <variant>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// `std::forward<F>(kernel)` is the kernel.
const Expr *forwarded(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  bool Forwards = F && F->isInStdNamespace() && F->getIdentifier() &&
                  (F->getName() == "forward" || F->getName() == "move") &&
                  Call->getNumArgs() == 1;
  return Forwards ? Call->getArg(0) : nullptr;
}

/// The functions that are being read, one called by the other.
using Chain = llvm::SmallVector<const FunctionDecl *, 4>;

/// What a function does with a kernel and one of its other parameters.
struct HelperBody {
  const ParmVarDecl *Bytes = nullptr;
  const Expr *Block = nullptr; ///< in terms of the function's own parameters
  unsigned Launches = 0;
};

/// A call of a function whose body is known, with the place of its first parameter
/// among the arguments.
struct KnownCall {
  const FunctionDecl *F = nullptr;
  unsigned First = 0;
};

std::variant<HelperBody, std::string> readBody(const FunctionDecl *F,
                                               const ParmVarDecl *Kernel, Chain Within);
std::variant<KnownCall, std::string> lookUpCall(const CallExpr *Call);
std::variant<HelperLaunch, std::string> readCall(const CallExpr *Call, unsigned KernelAt,
                                                 const ASTContext &Context, Chain Within,
                                                 unsigned &Launches);

/// What a function's body does with one of its parameters, a kernel.
class HelperReader : public RecursiveASTVisitor<HelperReader> {
public:
  HelperReader(const ParmVarDecl *Kernel, const Chain &Within)
      : Kernel(Kernel), Within(Within) {}

  HelperBody Body;
  bool Understood = true;

  /// Is every mention of the kernel and of the bytes one that was understood?
  bool complete() const {
    auto All = [&](const ParmVarDecl *P) {
      auto Said = Mentions.find(P), Used = Uses.find(P);
      return Said != Mentions.end() && Used != Uses.end() &&
             Said->second == Used->second;
    };
    return Understood && Body.Launches <= 1 && Body.Bytes && All(Kernel) && All(Body.Bytes);
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
    if (forwarded(Call))
      return true;
    std::optional<KernelCall> Known = lookUpKernelCall(calleeName(Call));
    if (!Known)
      return handOn(Call);
    if (Known->Kernel >= Call->getNumArgs() ||
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
    if (const Expr *Inner = forwarded(E))
      return parameter(Inner);
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(E));
    return Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
  }

  /// Another function is handed the kernel.
  bool handOn(const CallExpr *Call) {
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      if (parameter(Call->getArg(I)) != Kernel)
        continue;
      unsigned Launches = 0;
      auto Read = readCall(Call, I, Kernel->getASTContext(), Within, Launches);
      const auto *Inner = std::get_if<HelperLaunch>(&Read);
      if (!Inner)
        return Understood = false;
      Body.Launches += Launches;
      if (Launches)
        Body.Block = Inner->Block;
      gives(Call, Inner->Bytes);
    }
    return true;
  }

  void launch(const CallExpr *Config, unsigned BlockAt, unsigned BytesAt) {
    ++Body.Launches;
    Body.Block = Config->getArg(BlockAt);
    gives(Config, BytesAt);
  }

  void gives(const CallExpr *Call, unsigned At) {
    const ParmVarDecl *P =
        At < Call->getNumArgs() ? parameter(Call->getArg(At)) : nullptr;
    Understood &= P && (!Body.Bytes || Body.Bytes == P);
    Body.Bytes = P;
    ++Uses[Kernel];
    ++Uses[P];
  }

  const ParmVarDecl *Kernel;
  const Chain &Within;
  std::map<const ParmVarDecl *, unsigned> Mentions, Uses;
};

/// None for what a lambda captures.
std::optional<unsigned> positionOf(const ParmVarDecl *P, const FunctionDecl &F) {
  auto Found = llvm::find(F.parameters(), P);
  if (Found == F.param_end())
    return std::nullopt;
  return Found - F.param_begin();
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

/// Would another type of the argument make another function of it?
bool hasOpenType(const ParmVarDecl *P, const FunctionDecl &F) {
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  return Pattern && llvm::any_of(Pattern->parameters(), [&](const ParmVarDecl *Written) {
           return Written->getLocation() == P->getLocation() &&
                  Written->getType()->isDependentType();
         });
}

bool hadChoice(const CallExpr *Call, const FunctionDecl *F) {
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F);
      Method && isLambdaCallOperator(Method))
    return false; // it has one
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Callee))
    return Member->hadMultipleCandidates();
  const auto *Named = dyn_cast<DeclRefExpr>(Callee);
  return !Named || Named->hadMultipleCandidates();
}

std::variant<KnownCall, std::string> lookUpCall(const CallExpr *Call) {
  KnownCall Known;
  Known.F = Call->getDirectCallee();
  if (!Known.F)
    return "of which it is not known what it calls";
  if (!Known.F->hasBody(Known.F))
    return "whose body is not here";
  // Bytes of another type might choose another overload.
  if (hadChoice(Call, Known.F))
    return "of which there are several";
  if (Known.F->isDependentContext())
    return "which is not instantiated here";
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Known.F)) {
    if (Method->isVirtual())
      return "which is virtual";
    Known.First = isa<CXXOperatorCallExpr>(Call) && Method->isInstance();
  }
  return Known;
}

std::variant<HelperBody, std::string> readBody(const FunctionDecl *F,
                                               const ParmVarDecl *Kernel, Chain Within) {
  if (llvm::is_contained(Within, F))
    return "which calls itself";
  Within.push_back(F);
  HelperReader Reader(Kernel, Within);
  Reader.TraverseStmt(F->getBody());
  if (!Reader.complete() || !positionOf(Reader.Body.Bytes, *F))
    return "which does more with it, or with its bytes, than to launch it with bytes that "
           "are one of its arguments";
  return Reader.Body;
}

std::variant<HelperLaunch, std::string> readCall(const CallExpr *Call, unsigned KernelAt,
                                                 const ASTContext &Context, Chain Within,
                                                 unsigned &Launches) {
  auto Looked = lookUpCall(Call);
  if (const auto *Why = std::get_if<std::string>(&Looked))
    return *Why;
  auto [F, First] = std::get<KnownCall>(Looked);
  if (KernelAt < First || KernelAt - First >= F->getNumParams())
    return "of which it is no named parameter";
  auto Read = readBody(F, F->getParamDecl(KernelAt - First), std::move(Within));
  if (const auto *Why = std::get_if<std::string>(&Read))
    return *Why;
  const HelperBody &Body = std::get<HelperBody>(Read);
  Launches = Body.Launches;
  HelperLaunch Helper;
  Helper.Bytes = *positionOf(Body.Bytes, *F) + First;
  Helper.Block = Body.Block;
  QualType Type = Body.Bytes->getType();
  if (hasOpenType(Body.Bytes, *F))
    return "which takes bytes of whatever type they have";
  if (!Type->isIntegerType() || Context.getTypeSize(Type) < 32)
    return "which takes bytes of a type that does not hold every number of them";
  if (Helper.Bytes >= Call->getNumArgs() || isa<CXXDefaultArgExpr>(Call->getArg(Helper.Bytes)))
    return "which gives the bytes by default";
  const auto *Ref = Body.Block ? dyn_cast<DeclRefExpr>(stripCasts(Body.Block)) : nullptr;
  if (const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr) {
    std::optional<unsigned> At = positionOf(P, *F);
    bool Known = At && *At + First < Call->getNumArgs() && isOnlyRead(P, F->getBody());
    Helper.Block = Known ? Call->getArg(*At + First) : nullptr;
  }
  return Helper;
}

} // namespace

std::variant<HelperLaunch, std::string> readHelper(const CallExpr *Call, const Expr *Kernel,
                                                   const ASTContext &Context) {
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    if (Call->getArg(I) != Kernel)
      continue;
    unsigned Launches = 0;
    auto Read = readCall(Call, I, Context, {}, Launches);
    if (std::holds_alternative<HelperLaunch>(Read) && Launches != 1)
      return "which does not launch it";
    return Read;
  }
  return "in a way that is not known";
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
