#include "Analysis/Analysis.h"
#include "Analysis/Arithmetic.h"
#include "Analysis/BlockParts.h"
#include "Analysis/CallExpansion.h"
#include "Analysis/CountedLoops.h"
#include "Analysis/Launches.h"
#include "Analysis/LoopFinder.h"
#include "Analysis/LoopText.h"
#include "Analysis/ManualSlots.h"
#include "Analysis/NamedSizes.h"
#include "Analysis/OutsideUses.h"
#include "Analysis/SharedVariables.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <memory>
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Analyses the loops of one function.
class FunctionAnalysis {
public:
  FunctionAnalysis(ASTContext &Context, const FunctionDecl *F,
                   SummaryCache &Summaries, LaunchTable &Launches,
                   const KnownValues &Values, const MacroTable &Macros)
      : Context(Context), F(F), Summaries(Summaries), Launches(Launches),
        Values(Values), Macros(Macros),
        SM(Context.getSourceManager()),
        Text(SM, Context.getLangOpts(),
             SM.getFileID(SM.getExpansionLoc(F->getBody()->getBeginLoc()))) {}

  std::vector<LoopFacts> run();

private:
  struct Candidate {
    LoopFacts Facts;
    std::unique_ptr<FactTables> Tables;
    BarrierLoop Loop;
    std::optional<BlockFacts> Block; ///< where dynamic memory is used
  };
  std::unique_ptr<Candidate> readLoop(const BarrierLoop &Loop);
  std::optional<BlockFacts> followBlock(const Candidate &C);
  std::optional<BlockShape> blockShape(const LoopFacts &Facts, std::string &Why) const;
  bool isOnlyWayToBarriers(const IfStmt *If, const BarrierLoop &Loop);
  bool isSpelledOut(const Stmt *Loop) const;
  bool separated(const Stmt *A, const Stmt *B) const;
  void describeFunction(LoopFacts &Facts);
  void describeLoop(LoopFacts &Facts, const BarrierLoop &Loop,
                    const TreeContext &Tree);
  void describeHeader(LoopFacts &Facts, const Stmt *Loop, const TreeContext &Tree);
  void describePragma(LoopFacts &Facts);
  void describeControl(LoopFacts &Facts, const BarrierLoop &Loop,
                       const TreeContext &Tree);
  void describePreprocessor(LoopFacts &Facts);
  void describeVariables(LoopFacts &Facts, const BarrierLoop &Loop,
                         const TreeContext &Tree);
  bool insideOuterLoop(const ValueDecl *D, const BarrierLoop &Loop) const;
  void describeScope(LoopFacts &Facts, const BarrierLoop &Loop,
                     const TreeContext &Tree);
  TreeContext tree(FactTables &Tables) {
    return {Context, *Model, *Uniform, Text, Tables, Summaries, &Values};
  }

  ASTContext &Context;
  const FunctionDecl *F;
  SummaryCache &Summaries;
  LaunchTable &Launches;
  const KnownValues &Values;
  const MacroTable &Macros;
  const SourceManager &SM;
  SourceText Text;
  std::unique_ptr<MemoryModel> Model;
  std::unique_ptr<Uniformity> Uniform;
};

const Stmt *loopBody(const Stmt *Loop) {
  if (const auto *For = dyn_cast<ForStmt>(Loop))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(Loop))
    return While->getBody();
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(Loop))
    return Range->getBody();
  return cast<DoStmt>(Loop)->getBody();
}

void FunctionAnalysis::describeFunction(LoopFacts &Facts) {
  Facts.File = SM.getFilename(SM.getExpansionLoc(F->getLocation())).str();
  Facts.Function = F->getNameAsString();
  Facts.FunctionRange = Text.covering(F->getSourceRange());
  Facts.Instantiation = Facts.Function;
  if (const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs()) {
    PrintingPolicy Policy(Context.getLangOpts());
    Policy.SuppressTagKeyword = true;
    std::string Spelled;
    llvm::raw_string_ostream OS(Spelled);
    printTemplateArgumentList(OS, Arguments->asArray(), Policy);
    Facts.Instantiation += OS.str();
  }
  Facts.IsKernel = F->hasAttr<CUDAGlobalAttr>();
  Facts.IsDependent = F->isDependentContext();
  if (Facts.IsKernel && !Facts.IsDependent)
    Facts.Symbol = ASTNameGenerator(Context).getName(F);
  Facts.IsTemplate =
      Facts.IsDependent || F->getTemplateInstantiationPattern() != nullptr;
  if (const auto *Bounds = F->getAttr<CUDALaunchBoundsAttr>())
    if (const Expr *Max = Bounds->getMaxThreads(); Max && !Max->isValueDependent()) {
      Expr::EvalResult Value;
      if (Max->EvaluateAsInt(Value, Context))
        Facts.MaxThreads = Value.Val.getInt().getLimitedValue();
    }
  Launches.describe(F, Facts);
}

void FunctionAnalysis::describeHeader(LoopFacts &Facts, const Stmt *Loop,
                                      const TreeContext &Tree) {
  const Expr *Condition = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    Facts.Kind = LoopKind::For;
    Tree.Tables.setCounter(loopCounter(For, Context));
    if (const Stmt *Init = For->getInit()) {
      Facts.Init = Text.covering(Init->getSourceRange());
      Facts.InitIsDeclaration = isa<DeclStmt>(Init);
      if (const auto *Decls = dyn_cast<DeclStmt>(Init))
        for (const Decl *D : Decls->decls())
          if (const auto *Var = dyn_cast<VarDecl>(D)) {
            VarId Id = Tree.Tables.variable(Var);
            Facts.HeaderVars.push_back(Id);
            if (Var->getInit())
              Facts.Variables[Id].InitText =
                  Text.text(Text.covering(Var->getInit()->getSourceRange())).str();
          }
    }
    Condition = For->getConditionVariable() ? nullptr : For->getCond();
    Facts.Increments = buildIncrements(For->getInc(), Tree);
  } else if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    Facts.Kind = LoopKind::While;
    Condition = While->getConditionVariable() ? nullptr : While->getCond();
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    Facts.Kind = LoopKind::Do;
    Condition = Do->getCond();
  }
  if (!Condition)
    return;
  Facts.Condition = Text.covering(Condition->getSourceRange());
  Facts.ConditionNode = buildExpression(Condition, Tree);
  const auto *For = dyn_cast<ForStmt>(Loop);
  Facts.ConditionThreadDependent = Uniform->isThreadDependent(Condition) &&
                                   !(For && Uniform->hasUniformTrips(For));
}

void FunctionAnalysis::describePragma(LoopFacts &Facts) {
  Facts.Range = Facts.LoopText;
  Facts.Pragmas = pragmasBefore(Text, Facts.FunctionRange.Begin, Facts.LoopText.Begin,
                                Context.getLangOpts(), Macros);
  if (!Facts.Pragmas.empty())
    Facts.Range.Begin = Facts.Pragmas.Begin;
}

/// Threads that do not enter the branch meet no barrier anywhere, as if they
/// had returned before the loop.
bool FunctionAnalysis::isOnlyWayToBarriers(const IfStmt *If,
                                           const BarrierLoop &Loop) {
  const Stmt *Own = llvm::is_contained(Loop.Ancestors, If->getThen())
                        ? If->getThen()
                        : If->getElse();
  std::function<bool(const Stmt *)> BarrierOutside = [&](const Stmt *S) -> bool {
    if (!S || S == Own)
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      if (isBarrierCall(Call, Summaries, Context))
        return true;
    return llvm::any_of(S->children(), BarrierOutside);
  };
  // Only a bounds check is such a return; a choice among the threads of the
  // block gives them different work.
  std::function<bool(const Stmt *)> NamesParameter = [&](const Stmt *S) {
    if (const auto *Ref = dyn_cast_or_null<DeclRefExpr>(S))
      return isa<ParmVarDecl>(Ref->getDecl());
    return S && llvm::any_of(S->children(), NamesParameter);
  };
  return F->hasAttr<CUDAGlobalAttr>() && NamesParameter(If->getCond()) &&
         !BarrierOutside(F->getBody());
}

void FunctionAnalysis::describeControl(LoopFacts &Facts, const BarrierLoop &Loop,
                                       const TreeContext &Tree) {
  auto Note = [&](const Expr *Condition, llvm::StringRef What) {
    if (!Condition || !Uniform->isThreadDependent(Condition))
      return;
    Facts.DivergentControl = true;
    Facts.DivergentWhat = What.str();
    std::tie(Facts.DivergentLine, Facts.DivergentColumn) =
        Text.lineColumn(Condition->getBeginLoc());
  };
  for (const Stmt *S : Loop.Ancestors) {
    if (S == Loop.Loop)
      continue;
    if (const auto *If = dyn_cast<IfStmt>(S);
        If && !isOnlyWayToBarriers(If, Loop))
      Note(If->getCond(), "the loop stands under a condition that differs "
                          "between threads of the block");
    else if (const auto *For = dyn_cast<ForStmt>(S))
      Note(For->getCond(), "the loop stands in a loop whose trip count differs "
                           "between threads of the block");
    else if (const auto *While = dyn_cast<WhileStmt>(S))
      Note(While->getCond(), "the loop stands in a loop whose trip count "
                             "differs between threads of the block");
    else if (const auto *Do = dyn_cast<DoStmt>(S))
      Note(Do->getCond(), "the loop stands in a loop whose trip count differs "
                          "between threads of the block");
    else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      Note(Switch->getCond(), "the loop stands in a switch on what differs "
                              "between threads of the block");
    Facts.InsideLoop |= isLoop(S);
  }
  // A goto may come back.
  std::function<bool(const Stmt *)> Jumps = [&](const Stmt *S) {
    return S && (isa<GotoStmt, IndirectGotoStmt>(S) ||
                 llvm::any_of(S->children(), Jumps));
  };
  bool Goto = Jumps(F->getBody());
  Facts.InsideLoop |= Goto;
  Facts.NeedsOwnScope |= Goto;
}

/// A directive inside the loop other than a pragma: branches that were not
/// parsed cannot be rewritten, and no definition survives being moved.
void FunctionAnalysis::describePreprocessor(LoopFacts &Facts) {
  unsigned Offset = Facts.LoopText.Begin;
  llvm::StringRef Rest = Text.text(Facts.LoopText);
  while (!Rest.empty()) {
    auto [Line, Tail] = Rest.split('\n');
    llvm::StringRef Trimmed = Line.ltrim();
    if (Trimmed.consume_front("#")) {
      Trimmed = Trimmed.ltrim();
      if (!Trimmed.starts_with("pragma")) {
        Facts.InactivePreprocessor = true;
        Facts.PreprocessorLine =
            Text.buffer().take_front(Offset).count('\n') + 1;
        return;
      }
    }
    Offset += Line.size() + 1;
    Rest = Tail;
  }
}

/// Is \p D declared in a loop around \p Loop?
bool FunctionAnalysis::insideOuterLoop(const ValueDecl *D,
                                       const BarrierLoop &Loop) const {
  return llvm::any_of(Loop.Ancestors, [&](const Stmt *S) {
    unsigned At = Text.offset(D->getLocation());
    return S != Loop.Loop && isLoop(S) &&
           Text.inFile(D->getLocation()) &&
           Text.covering(S->getSourceRange()).contains({At, At});
  });
}

void FunctionAnalysis::describeVariables(LoopFacts &Facts, const BarrierLoop &Loop,
                                         const TreeContext &Tree) {
  const auto &Declarations = Tree.Tables.declarations();
  for (VarId Id = 0; Id < Declarations.size(); ++Id) {
    Variable &V = Facts.Variables[Id];
    const ValueDecl *D = Declarations[Id];
    unsigned At = Text.offset(D->getLocation());
    bool InLoop = Text.inFile(D->getLocation()) &&
                  Facts.LoopText.contains({At, At});
    V.OuterVariant = Facts.InsideLoop && !InLoop &&
                     (Model->isModified(D) || insideOuterLoop(D, Loop));
    if (llvm::is_contained(Facts.HeaderVars, Id))
      V.Scope = VarScope::Header;
    else
      V.Scope = InLoop ? VarScope::Body : VarScope::Outside;
    V.ThreadDependent = Uniform->isThreadDependent(D);
    V.AddressKept = Model->isAddressTaken(D);
  }
}

void FunctionAnalysis::describeScope(LoopFacts &Facts, const BarrierLoop &Loop,
                                     const TreeContext &Tree) {
  for (VarId Header : Facts.HeaderVars)
    for (VarId Id = 0; Id < Facts.Variables.size(); ++Id)
      Facts.NeedsOwnScope |=
          Id != Header && Facts.Variables[Id].Name == Facts.Variables[Header].Name;
  for (const ValueDecl *D : Tree.Tables.declarations())
    if (const auto *Parts = dyn_cast<DecompositionDecl>(D))
      for (const BindingDecl *Binding : Parts->bindings())
        Facts.NeedsOwnScope |= llvm::any_of(Facts.HeaderVars, [&](VarId Header) {
          return Facts.Variables[Header].Name == Binding->getName();
        });
  for (const Stmt *S : Loop.Ancestors)
    Facts.NeedsOwnScope |= isa<SwitchStmt, LabelStmt>(S);
}

/// Are the loop's header and the braces of its body spelled in the file?
bool FunctionAnalysis::isSpelledOut(const Stmt *Loop) const {
  auto Editable = [&](const Stmt *Part) {
    return !Part || Text.editable(Part->getSourceRange()).has_value();
  };
  bool Fine = !Loop->getBeginLoc().isMacroID();
  if (const auto *For = dyn_cast<ForStmt>(Loop))
    Fine &= Editable(For->getInit()) && Editable(For->getCond()) &&
            Editable(For->getInc()) && !For->getRParenLoc().isMacroID() &&
            separated(For->getInit(), For->getCond());
  else if (const auto *While = dyn_cast<WhileStmt>(Loop))
    Fine &= Editable(While->getCond());
  else if (const auto *Do = dyn_cast<DoStmt>(Loop))
    Fine &= Editable(Do->getCond());
  if (const auto *Body = dyn_cast<CompoundStmt>(loopBody(Loop)))
    Fine &= !Body->getLBracLoc().isMacroID() && !Body->getRBracLoc().isMacroID();
  return Fine;
}

/// One macro may hold both parts of the header.
bool FunctionAnalysis::separated(const Stmt *A, const Stmt *B) const {
  if (!A || !B)
    return true;
  TextRange First = Text.covering(A->getSourceRange());
  TextRange Second = Text.covering(B->getSourceRange());
  return First.End <= Second.Begin;
}

void FunctionAnalysis::describeLoop(LoopFacts &Facts, const BarrierLoop &Loop,
                                    const TreeContext &Tree) {
  std::tie(Facts.Line, Facts.Column) = Text.lineColumn(Loop.Loop->getBeginLoc());
  Facts.EndLine = Text.lineColumn(Loop.Loop->getEndLoc()).first;
  Facts.HeaderInMacro = !isSpelledOut(Loop.Loop);
  Facts.LoopText = Text.statement(Loop.Loop);
  // A comment behind the closing brace stays where it is.
  TextRange Tokens = Text.covering(Loop.Loop->getSourceRange());
  if (!isa<DoStmt>(Loop.Loop))
    Facts.LoopText = Tokens;
  Facts.BodyRange = Text.covering(loopBody(Loop.Loop)->getSourceRange());
  describePragma(Facts);
  Tree.Tables.setLoop(Loop.Loop->getSourceRange());
  describeHeader(Facts, Loop.Loop, Tree);
  if (const auto *For = dyn_cast<ForStmt>(Loop.Loop)) {
    Facts.TripCount = Values.tripsOf(For, [&](const VarDecl *Var) {
      return !Model->isModified(Var) && !Model->isAddressTaken(Var);
    });
    Facts.Left = tilesLeft(For, Tree);
  }
  Facts.Body = buildStatements(loopBody(Loop.Loop), Tree);
  Facts.Expansions =
      expandCalls(loopBody(Loop.Loop), Facts.Body, F, *Model, Context, Text, Macros);
  describeControl(Facts, Loop, Tree);
  describePreprocessor(Facts);
  describePlaceWords(Facts, Loop.Loop, Text, Context.getLangOpts(), Macros);
  size_t Index = Loop.Ancestors.size() - 1;
  const Stmt *Parent = Index > 0 ? Loop.Ancestors[Index - 1] : nullptr;
  if (isa_and_nonnull<AttributedStmt>(Parent) && Index > 1)
    Parent = Loop.Ancestors[Index - 2];
  Facts.ParentIsCompound = isa_and_nonnull<CompoundStmt>(Parent);
  if (Parent)
    Facts.ScopeRange = Text.covering(Parent->getSourceRange());
}

std::unique_ptr<FunctionAnalysis::Candidate>
FunctionAnalysis::readLoop(const BarrierLoop &Loop) {
  auto C = std::make_unique<Candidate>();
  C->Loop = Loop;
  C->Tables = std::make_unique<FactTables>(C->Facts, Context, F);
  TreeContext Tree = tree(*C->Tables);
  describeFunction(C->Facts);
  describeLoop(C->Facts, Loop, Tree);
  return C;
}

/// The block that every visible launch asks for.
std::optional<BlockShape>
FunctionAnalysis::blockShape(const LoopFacts &Facts, std::string &Why) const {
  std::optional<BlockShape> Shape;
  for (const LaunchSite &L : Facts.Launches) {
    if (!L.BlockX || !L.BlockY || !L.BlockZ) {
      Why = "the block size of the launch at line " + std::to_string(L.Line) +
            " is not a constant";
      return std::nullopt;
    }
    BlockShape This{*L.BlockX, *L.BlockY, *L.BlockZ};
    if (Shape && (Shape->X != This.X || Shape->Y != This.Y || Shape->Z != This.Z)) {
      Why = "its launches ask for blocks of different sizes";
      return std::nullopt;
    }
    Shape = This;
  }
  if (!Shape)
    Why = "no launch is visible, so the block size is not known";
  return Shape;
}

/// Who uses which part of dynamic memory in this loop?
std::optional<BlockFacts> FunctionAnalysis::followBlock(const Candidate &C) {
  bool Dynamic = llvm::any_of(C.Tables->roots(), [](const Root &R) {
    const auto *Var = dyn_cast_or_null<VarDecl>(R.Decl);
    return R.Where == Root::Kind::Shared && Var && Var->hasExternalStorage();
  });
  if (!Dynamic)
    return std::nullopt;
  std::string Why;
  std::optional<BlockShape> Shape = blockShape(C.Facts, Why);
  // What the threads of another instantiation, or of a block of another size, touch
  // is not known, however the stride is spelled.
  if (F->isTemplateInstantiation() && !SM.isInMainFile(SM.getExpansionLoc(F->getLocation()))) {
    Shape = std::nullopt;
    Why = "the kernel is a template in a header, which other files may instantiate, or "
          "launch with blocks of another size";
  }
  // CUDA has no block of more threads.
  if (Shape && Shape->threads() <= 1024 && !F->isDependentContext())
    return divideBlock(Context, F, C.Loop.Loop, *Model, *Uniform, Summaries, *Shape);
  BlockFacts Unknown;
  Unknown.LossAt = C.Loop.Loop->getBeginLoc();
  Unknown.Loss = Why.empty() ? "the block size is not known" : Why;
  return Unknown;
}

std::vector<LoopFacts> FunctionAnalysis::run() {
  std::vector<BarrierLoop> Loops = findBarrierLoops(F, Summaries, Context);
  if (Loops.empty())
    return {};
  Model = std::make_unique<MemoryModel>(Context, F);
  Uniform = std::make_unique<Uniformity>(*Model, F);
  std::vector<std::unique_ptr<Candidate>> Candidates;
  for (BarrierLoop &Loop : Loops) {
    Model->setParts(llvm::DenseMap<const ValueDecl *, Root>());
    std::unique_ptr<Candidate> C = readLoop(Loop);
    if (std::optional<BlockFacts> Block = followBlock(*C)) {
      // What was one object are several, if their bytes are apart.
      Model->setParts(partObjects(*Block, F));
      C = readLoop(Loop);
      C->Block = std::move(Block);
    }
    bool Asynchronous = false;
    for (const Node &N : C->Facts.Body)
      forEachNode(N, [&](const Node &At) {
        for (const Effect &E : At.Effects)
          Asynchronous |= E.Kind == EffectKind::AsyncCopy;
      });
    if (Asynchronous || streamsGlobalToShared(C->Facts))
      Candidates.push_back(std::move(C));
  }
  std::vector<LoopFacts> Result;
  for (auto &C : Candidates) {
    std::vector<const Stmt *> Others;
    for (auto &Other : Candidates)
      if (Other != C)
        Others.push_back(Other->Loop.Loop);
    TreeContext Tree = tree(*C->Tables);
    Model->setParts(C->Block ? partObjects(*C->Block, F)
                             : llvm::DenseMap<const ValueDecl *, Root>());
    describeSharedVariables(C->Facts, F, C->Facts.LoopText, Tree);
    describeVariables(C->Facts, C->Loop, Tree);
    detectManualSlots(C->Facts, Tree);
    C->Facts.ParameterTile = parameterTile(C->Facts);
    collectOutsideUses(C->Facts, C->Loop, Others, Tree);
    if (C->Block) {
      describeBlock(C->Facts, *C->Block, Tree);
      describeConstants(C->Facts, F, C->Loop.Loop, Context, Launches.host());
    }
    describeVariables(C->Facts, C->Loop, Tree);
    describeUnevaluated(C->Facts, C->Loop, Others, Tree);
    describeScope(C->Facts, C->Loop, Tree);
    countArithmetic(C->Facts, loopBody(C->Loop.Loop), Tree);
    C->Facts.NamesInFunction = namesToAvoid(F, Text.buffer(), Macros);
    Result.push_back(std::move(C->Facts));
  }
  return Result;
}

} // namespace

std::vector<LoopFacts> findKLoops(ASTContext &Context, const Preprocessor &PP,
                                  const AnalysisOptions &Options) {
  MacroTable Macros(PP);
  SummaryCache Summaries;
  LaunchTable Launches(Context);
  KnownValues Values(Context, Options.Assumed);
  llvm::Regex Wanted(Options.KernelRegex.empty() ? ".*" : Options.KernelRegex);
  std::vector<LoopFacts> All;
  for (const FunctionDecl *F : findFunctions(Context)) {
    if (!Wanted.match(F->getNameAsString()))
      continue;
    std::vector<LoopFacts> Loops =
        FunctionAnalysis(Context, F, Summaries, Launches, Values, Macros).run();
    std::move(Loops.begin(), Loops.end(), std::back_inserter(All));
  }
  llvm::stable_sort(All, [](const LoopFacts &A, const LoopFacts &B) {
    return std::tie(A.File, A.LoopText.Begin) < std::tie(B.File, B.LoopText.Begin);
  });
  return All;
}

} // namespace pipeline_rewrite
