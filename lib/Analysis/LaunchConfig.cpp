#include "Analysis/LaunchConfig.h"
#include "Analysis/LaunchHelpers.h"
#include "Analysis/LaunchPlaces.h"
#include "Analysis/MemoryModel.h"
#include "Analysis/SourceText.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

std::optional<uint64_t> evaluate(const Expr *E, const ASTContext &Context) {
  if (E->isValueDependent() || !E->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult Result;
  if (!E->EvaluateAsInt(Result, Context))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

void setBytes(LaunchSite &Site, const Expr *E, const ASTContext &Context) {
  SourceText Text = textAt(E->getBeginLoc(), Context);
  Site.DynamicShared = evaluate(E, Context);
  Site.HasDynamicShared = Site.DynamicShared != 0u;
  std::optional<TextRange> Range = Text.editable(E->getSourceRange());
  // In a macro's body, the parentheses around a parameter stay.
  if (const Expr *Inner = E->IgnoreParenImpCasts(); !Range && Inner != E)
    if (Range = Text.editable(Inner->getSourceRange()); Range)
      E = Inner;
  Site.Through = parameterUses(E, Context);
  Site.Bytes = Range.value_or(Text.covering(E->getSourceRange()));
  Site.BytesText = Text.text(Site.Bytes).str();
  if (!Range)
    Site.Obstacle = "gives its shared bytes in a macro";
  else if (!E->isValueDependent() && E->HasSideEffects(Context))
    Site.Obstacle = "computes its shared bytes with a side effect";
}

const VarDecl *variableOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E))
    if (Address->getOpcode() == UO_AddrOf)
      E = Address->getSubExpr()->IgnoreParenImpCasts();
  const auto *Ref = dyn_cast<DeclRefExpr>(E);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

/// Counts how a function mentions one variable.
class VariableMentions : public RecursiveASTVisitor<VariableMentions> {
public:
  explicit VariableMentions(const VarDecl *Var) : Var(Var) {}
  unsigned All = 0, Reads = 0;

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    All += Ref->getDecl() == Var;
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) {
    if (Cast->getCastKind() != CK_LValueToRValue)
      return true;
    const Expr *E = Cast->getSubExpr()->IgnoreParens();
    while (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParens();
    Reads += isVariable(E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) {
    Reads += Construct->getConstructor()->isCopyOrMoveConstructor() &&
             Construct->getNumArgs() == 1 &&
             isVariable(Construct->getArg(0)->IgnoreParenImpCasts());
    return true;
  }

private:
  bool isVariable(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl() == Var;
  }
  const VarDecl *Var;
};

} // namespace

bool isOnlyRead(const VarDecl *Var, const Stmt *Body) {
  VariableMentions In(Var);
  In.TraverseStmt(const_cast<Stmt *>(Body));
  return In.All == In.Reads;
}

namespace {

/// Is \p Var what its initialiser says wherever it is used?
bool keepsInitialValue(const VarDecl *Var) {
  if (isa<ParmVarDecl>(Var) || !Var->getInit())
    return false;
  if (Var->getType().isConstQualified())
    return true;
  const auto *F = dyn_cast<FunctionDecl>(Var->getDeclContext());
  if (!F || !F->getBody() || !Var->hasLocalStorage())
    return false;
  return isOnlyRead(Var, F->getBody());
}

/// What a function does with one launch configuration.
class ConfigReader : public RecursiveASTVisitor<ConfigReader> {
public:
  explicit ConfigReader(const VarDecl *Config) : Config(Config) {}

  std::vector<const Expr *> Bytes;
  const Expr *Block = nullptr;
  std::set<const FunctionDecl *> Kernels;
  unsigned Mentions = 0, Understood = 0;
  unsigned BlockMentions = 0;
  bool ConditionalBytes = false; ///< assigned elsewhere than beside Config

  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    Mentions += Ref->getDecl() == Config;
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) {
    // Reading members and setting the others says nothing about the bytes.
    Understood += isConfig(Member->getBase());
    BlockMentions += isConfig(Member->getBase()) &&
                     Member->getMemberDecl()->getName() == "blockDim";
    return true;
  }
  bool VisitCompoundStmt(CompoundStmt *Braces) {
    auto Declares = [&](const Stmt *S) {
      const auto *Decls = dyn_cast<DeclStmt>(S);
      return Decls && llvm::is_contained(Decls->decls(), Config);
    };
    if (llvm::any_of(Braces->body(), Declares))
      Beside.insert(Braces->body_begin(), Braces->body_end());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (const auto *Member = member(U->getSubExpr()); Member && U->getOpcode() == UO_AddrOf)
      Understood -= Member->getMemberDecl()->getName() == "dynamicSmemBytes";
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    const MemberExpr *Member = B->isAssignmentOp() ? member(B->getLHS()) : nullptr;
    if (!Member || Member->getMemberDecl()->getName() != "dynamicSmemBytes")
      return true;
    Bytes.push_back(B->getRHS());
    ConditionalBytes |= !isBeside(B);
    if (B->isCompoundAssignmentOp())
      --Understood;
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) {
    if (Call->getOperator() == OO_Equal)
      if (const MemberExpr *Member = member(Call->getArg(0)))
        if (Member->getMemberDecl()->getName() == "blockDim" && isBeside(Call))
          Block = Call->getArg(1);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    if (!calleeName(Call).starts_with("cudaLaunchKernelEx") ||
        Call->getNumArgs() < 2 || variableOf(Call->getArg(0)) != Config)
      return true;
    ++Understood;
    const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Call->getArg(1)));
    Kernels.insert(Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr);
    return true;
  }

private:
  /// Statements next to the declaration come to pass whenever the launch does.
  bool isBeside(const Expr *E) const {
    return llvm::any_of(Beside, [&](const Stmt *S) {
      const auto *Whole = dyn_cast<Expr>(S);
      return Whole && Whole->IgnoreImplicit() == E;
    });
  }
  bool isConfig(const Expr *E) const { return variableOf(E) == Config; }
  const MemberExpr *member(const Expr *E) const {
    const auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts());
    return Member && isConfig(Member->getBase()) ? Member : nullptr;
  }
  const VarDecl *Config;
  std::set<const Stmt *> Beside;
};

/// The written initialiser of \p Name in \p Init, or none.
const Expr *initialiserOf(llvm::StringRef Name, const Expr *Init) {
  const auto *List = dyn_cast_or_null<InitListExpr>(Init);
  if (!List)
    return nullptr;
  if (const InitListExpr *Semantic = List->getSemanticForm())
    List = Semantic;
  const auto *Record = List->getType()->getAsRecordDecl();
  unsigned Index = 0;
  if (Record)
    for (const FieldDecl *Field : Record->fields()) {
      if (Index < List->getNumInits() && Field->getName() == Name &&
          !isa<ImplicitValueInitExpr>(List->getInit(Index)) &&
          List->getInit(Index)->getBeginLoc().isValid() &&
          // What the author left out is placed at the closing brace.
          List->getInit(Index)->getBeginLoc() != List->getEndLoc())
        return List->getInit(Index);
      ++Index;
    }
  return nullptr;
}

} // namespace

std::optional<bool> setsDynamicShared(const CallExpr *Call) {
  const auto *Ref = Call->getNumArgs() > 2
                        ? dyn_cast<DeclRefExpr>(Call->getArg(1)->IgnoreParenImpCasts())
                        : nullptr;
  if (!Ref || !isa<EnumConstantDecl>(Ref->getDecl()))
    return std::nullopt;
  return Ref->getDecl()->getName() == "cudaFuncAttributeMaxDynamicSharedMemorySize";
}

std::optional<KernelCall> lookUpKernelCall(llvm::StringRef Name) {
  using D = KernelCall::Does;
  return llvm::StringSwitch<std::optional<KernelCall>>(Name)
      .Cases("cudaLaunchKernel", "cudaLaunchCooperativeKernel",
             KernelCall{D::Launch, 0, 2, 4})
      .Cases("cudaLaunchKernelEx", "cudaLaunchKernelExC",
             KernelCall{D::LaunchByConfig, 1, 0, 0})
      .Case("cudaFuncSetAttribute", KernelCall{D::SetAttribute, 0, 0, 2})
      .Cases("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
             "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
             KernelCall{D::Query, 1, 0, 3})
      .Cases("cudaOccupancyMaxPotentialBlockSize",
             "cudaOccupancyMaxPotentialBlockSizeWithFlags",
             KernelCall{D::Query, 2, 0, 3})
      .Case("cudaFuncGetAttributes", KernelCall{D::Nothing, 1, 0, 0})
      .Cases("cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig",
             KernelCall{D::Nothing, 0, 0, 0})
      .Default(std::nullopt);
}

void readDimensions(LaunchSite &Site, const Expr *E, const ASTContext &Context) {
  std::optional<unsigned> *Axes[] = {&Site.BlockX, &Site.BlockY, &Site.BlockZ};
  E = stripCasts(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->getType()->isRecordType() && keepsInitialValue(Var))
      E = stripCasts(Var->getInit());
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    for (unsigned I = 0; I < Construct->getNumArgs() && I < 3; ++I) {
      const Expr *Argument = Construct->getArg(I);
      if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Argument))
        Argument = Default->getExpr();
      if (std::optional<uint64_t> Value = evaluate(Argument, Context))
        *Axes[I] = *Value;
    }
    return;
  }
  if (std::optional<uint64_t> Value = evaluate(E, Context)) {
    Site.BlockX = *Value;
    Site.BlockY = Site.BlockZ = 1;
  }
}

void readBytes(LaunchSite &Site, llvm::ArrayRef<const Expr *> Arguments,
               unsigned Index, const ASTContext &Context) {
  if (Index < Arguments.size() && !isa<CXXDefaultArgExpr>(Arguments[Index]))
    return setBytes(Site, Arguments[Index], Context);
  const Expr *Last = Arguments[std::min<size_t>(Index, Arguments.size()) - 1];
  Site.DynamicShared = 0;
  Site.Lead = ", ";
  SourceText Text = textAt(Last->getBeginLoc(), Context);
  std::optional<TextRange> Range = Text.editable(Last->getSourceRange());
  if (!Range || isa<CXXDefaultArgExpr>(Last)) {
    Site.Obstacle = "is written in a macro";
    Range = Text.covering(Last->getSourceRange());
  }
  Site.Bytes = {Range->End, Range->End};
}

void readLaunchConfig(LaunchSite &Site, const Expr *Pointer, const Stmt *Body,
                      const ASTContext &Context) {
  const VarDecl *Config = variableOf(Pointer);
  // An edit of its own for each launch, until the member's place is known.
  Site.Bytes = {Site.Statement.Begin, Site.Statement.Begin};
  if (!Config || !Body || !Config->hasLocalStorage() ||
      Config->getType()->isPointerType()) {
    Site.Obstacle = "gets its bytes by a configuration that is not local";
    return;
  }
  ConfigReader Reader(Config);
  Reader.TraverseStmt(const_cast<Stmt *>(Body));
  const Expr *Init = Config->getInit();
  const Expr *FirstBlock = initialiserOf("blockDim", Init);
  const Expr *Block = Reader.Block ? Reader.Block : FirstBlock;
  bool Once = Reader.Block ? Reader.BlockMentions == 1 && !FirstBlock
                           : Reader.BlockMentions == 0;
  if (Block && Once)
    readDimensions(Site, Block, Context);
  if (const Expr *First = initialiserOf("dynamicSmemBytes", Init))
    Reader.Bytes.insert(Reader.Bytes.begin(), First);
  if (Reader.Mentions != Reader.Understood)
    Site.Obstacle = "gets its bytes by a configuration that is passed on";
  else if (Reader.Kernels.size() > 1)
    Site.Obstacle = "shares its configuration with another kernel";
  else if (Reader.Bytes.size() > 1)
    Site.Obstacle = "gets its bytes by a configuration that is set twice";
  else if (Reader.ConditionalBytes)
    Site.Obstacle = "gets its bytes by a configuration that is set on some ways only";
  if (!Site.Obstacle.empty())
    return;
  if (!Reader.Bytes.empty())
    return setBytes(Site, Reader.Bytes.front(), Context);
  if (!Init || Config->getType().isConstQualified()) {
    Site.Obstacle = "gets its bytes by a configuration that leaves them open";
    return;
  }
  Site.DynamicShared = 0;
  Site.Lead = Config->getNameAsString() + ".dynamicSmemBytes = ";
  Site.LeadsStatement = true;
}

} // namespace pipeline_rewrite
