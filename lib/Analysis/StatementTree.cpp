#include "Analysis/StatementTree.h"
#include "Analysis/CountedLoops.h"
#include "Analysis/LoopText.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Builds nodes; knows how deep in inner loops and divergent control it is.
class TreeBuilder {
public:
  TreeBuilder(const TreeContext &Tree, SourceRange Whole)
      : Tree(Tree), Body(Tree.Text.covering(Whole)) {}

  std::vector<Node> statements(const Stmt *Body);
  Node expression(const Expr *E);

private:
  Node statement(const Stmt *S);
  void fill(Node &N, const Stmt *S);
  void fillDeclaration(Node &N, const DeclStmt *S);
  void fillIf(Node &N, const IfStmt *S);
  void fillLoop(Node &N, const Stmt *S, const Stmt *Body,
                llvm::ArrayRef<const Stmt *> Header, const Expr *Condition);
  void fillWhole(Node &N, const Stmt *S);
  void noteJump(Node &N, const Stmt *S);
  void noteCall(Node &N, const Expr *E);
  EffectWalker walker(Node &N) {
    return EffectWalker(Tree.Context, Tree.Model, Tree.Text, Tree.Tables,
                        Tree.Summaries, N);
  }

  const TreeContext &Tree;
  const TextRange Body; ///< all that is built
  unsigned InnerLoops = 0; ///< depth of loops below the K loop
  unsigned InnerSwitches = 0;
  unsigned Divergence = 0;
};

bool isOnlyBarrier(const Node &N, const Expr *E) {
  const auto *Full = dyn_cast<FullExpr>(E);
  if (!isa<CallExpr>((Full ? Full->getSubExpr() : E)->IgnoreParens()))
    return false;
  return N.Effects.size() == 1 && N.Effects[0].Kind == EffectKind::Barrier &&
         N.Stores.empty() &&
         llvm::none_of(N.Refs, [](const VarRef &R) { return R.Write; });
}

void merge(Node &Into, Node &&From) {
  auto Append = [](auto &To, auto &Source) {
    To.insert(To.end(), std::make_move_iterator(Source.begin()),
              std::make_move_iterator(Source.end()));
  };
  Append(Into.Refs, From.Refs);
  Append(Into.Effects, From.Effects);
  Append(Into.Declares, From.Declares);
  Append(Into.Loads, From.Loads);
  Append(Into.Stores, From.Stores);
  Append(Into.Definitions, From.Definitions);
  Into.LeavesLoop |= From.LeavesLoop;
  if (Into.LeaveWord.empty())
    Into.LeaveWord = From.LeaveWord;
  Into.HasLabel |= From.HasLabel;
  Into.Jumps |= From.Jumps;
  Into.NestedBarrier |= From.NestedBarrier || From.Kind == NodeKind::Barrier;
  Into.DivergentBarrier |= From.DivergentBarrier;
  Into.WholeCall |= From.WholeCall;
  Into.ConditionalCall |= From.ConditionalCall;
  Append(Into.CallDecides, From.CallDecides);
  for (Node &Child : From.Children)
    merge(Into, std::move(Child));
}

Node TreeBuilder::expression(const Expr *E) {
  Node N;
  N.Kind = NodeKind::Expression;
  N.Range = N.Full = Tree.Text.covering(E->getSourceRange());
  std::tie(N.Line, N.Column) = Tree.Text.lineColumn(E->getBeginLoc());
  walker(N).walk(E);
  return N;
}

void TreeBuilder::fillDeclaration(Node &N, const DeclStmt *S) {
  N.Kind = NodeKind::Declaration;
  for (const Decl *D : S->decls()) {
    const auto *Var = dyn_cast<VarDecl>(D);
    if (!Var)
      continue;
    if (Var->hasAttr<CUDASharedAttr>()) {
      N.Kind = NodeKind::SharedDeclaration;
      N.NamesOwnBody = namesDeclarationsOf(S, Body, Tree.Text);
    } else if (Var->isStaticLocal() && !Var->getType().isConstQualified()) {
      walker(N).opaque(S, "a static local variable");
    } else if (!Var->isStaticLocal()) {
      walker(N).declare(Var);
    }
  }
  N.Spelled = withoutSpaces(Tree.Text.text(Tree.Text.covering(S->getSourceRange())));
}

void TreeBuilder::fillIf(Node &N, const IfStmt *S) {
  if (S->getInit() || S->getConditionVariable() || S->isConsteval())
    return fillWhole(N, S);
  N.Kind = NodeKind::If;
  N.IsConstexprIf = S->isConstexpr();
  N.Header = Tree.Text.covering(S->getCond()->getSourceRange());
  N.Spelled = withoutSpaces(Tree.Text.text(N.Header));
  walker(N).walk(S->getCond());
  N.HeaderPure = llvm::none_of(N.Refs, [](const VarRef &R) { return R.Write; });
  bool Divergent = Tree.Uniform.isThreadDependent(S->getCond());
  Divergence += Divergent;
  // A branch that an instantiation discards leaves nothing to look at.
  if (!S->getThen() || isa<NullStmt>(S->getThen()))
    N.MacroFused |= N.IsConstexprIf;
  if (S->getThen())
    N.Children.push_back(statement(S->getThen()));
  N.HasElse = S->getElse() != nullptr;
  if (N.HasElse)
    N.Children.push_back(statement(S->getElse()));
  Divergence -= Divergent;
}

void TreeBuilder::fillLoop(Node &N, const Stmt *S, const Stmt *Body,
                           llvm::ArrayRef<const Stmt *> Header,
                           const Expr *Condition) {
  N.Kind = NodeKind::Loop;
  for (const Stmt *Part : Header)
    walker(N).walkStatement(Part);
  N.HeaderPure = N.Loads.empty() && N.Stores.empty();
  N.Counted = recogniseCountedLoop(S, Tree);
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    unsigned Open = Tree.Text.offset(For->getLParenLoc()) + 1;
    N.Header = {Open, Tree.Text.offset(For->getRParenLoc())};
    N.Spelled = withoutSpaces(Tree.Text.text(N.Header));
  }
  bool Divergent = Condition && Tree.Uniform.isThreadDependent(Condition);
  Divergence += Divergent;
  ++InnerLoops;
  N.Children.push_back(statement(Body));
  --InnerLoops;
  Divergence -= Divergent;
}

/// A statement that is only ever moved in one piece.
void TreeBuilder::fillWhole(Node &N, const Stmt *S) {
  N.Kind = NodeKind::Other;
  bool Switch = isa<SwitchStmt>(S);
  InnerSwitches += Switch;
  if (const auto *Label = dyn_cast<LabelStmt>(S)) {
    N.HasLabel = true;
    merge(N, statement(Label->getSubStmt()));
  } else if (const auto *Asm = dyn_cast<AsmStmt>(S)) {
    walker(N).assembly(Asm);
  } else {
    for (const Stmt *Child : S->children()) {
      bool OfCase = isa<SwitchCase>(S) && Child == cast<SwitchCase>(S)->getSubStmt();
      if (const auto *E = dyn_cast_or_null<Expr>(Child); E && !OfCase)
        walker(N).walk(E);
      else if (Child)
        merge(N, statement(Child));
    }
  }
  InnerSwitches -= Switch;
}

void TreeBuilder::noteJump(Node &N, const Stmt *S) {
  N.Kind = NodeKind::Other;
  N.Jumps = true;
  if (isa<BreakStmt>(S)) {
    N.LeavesLoop = InnerLoops == 0 && InnerSwitches == 0;
    N.LeaveWord = "break";
  } else if (isa<ContinueStmt>(S)) {
    N.LeavesLoop = InnerLoops == 0;
    N.LeaveWord = "continue";
  } else {
    N.LeavesLoop = true;
    N.LeaveWord = isa<ReturnStmt>(S) ? "return" : "goto";
  }
}

/// What a call mentions outside the loads in its arguments.
std::vector<VarRef> argumentRefs(const Node &N) {
  std::vector<VarRef> Result;
  for (const VarRef &R : N.Refs)
    if (llvm::none_of(N.Loads, [&](const GlobalLoad &L) {
          return L.Range.contains(R.Range);
        }))
      Result.push_back(R);
  return Result;
}

/// A call statement that fills shared memory from global memory by itself.
void TreeBuilder::noteCall(Node &N, const Expr *E) {
  if (!isa<CallExpr>(stripCasts(E)) || !N.Stores.empty())
    return;
  std::optional<ObjectId> Tile;
  bool ReadsGlobal = false;
  for (const Effect &Happens : N.Effects) {
    if (!Happens.Object)
      continue;
    Root::Kind Where = Tree.Tables.roots()[*Happens.Object].Where;
    if (Happens.Kind == EffectKind::Write && Where == Root::Kind::Shared)
      Tile = Happens.Object;
    // What the arguments load is not the callee's own reading.
    bool InArgument = llvm::any_of(N.Loads, [&](const GlobalLoad &L) {
      return L.Range.contains(Happens.Range);
    });
    ReadsGlobal |= Happens.Kind == EffectKind::Read &&
                   Where != Root::Kind::Shared && Happens.What.empty() &&
                   !InArgument;
  }
  if (!Tile)
    return;
  N.WholeCall = ReadsGlobal || N.Loads.empty();
  if (N.WholeCall)
    return;
  // `store(&tile[...], load(...))`: a store whose callee does the writing.
  TileStore S;
  S.Tile = *Tile;
  S.Destination = S.Value = N.Range;
  S.DestinationRefs = argumentRefs(N);
  S.Place = Tree.Text.text(N.Range).str();
  S.Line = N.Line;
  S.Column = N.Column;
  S.EditableDestination = false;
  N.Stores.push_back(std::move(S));
}

void TreeBuilder::fill(Node &N, const Stmt *S) {
  if (const auto *Decls = dyn_cast<DeclStmt>(S))
    return fillDeclaration(N, Decls);
  if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
    N.Kind = NodeKind::Block;
    N.Children = statements(Compound);
    return;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return fillIf(N, If);
  if (const auto *For = dyn_cast<ForStmt>(S))
    return fillLoop(N, S, For->getBody(),
                    {For->getInit(), For->getConditionVariableDeclStmt(),
                     For->getCond(), For->getInc()},
                    For->getCond());
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return fillLoop(N, S, While->getBody(),
                    {While->getConditionVariableDeclStmt(), While->getCond()},
                    While->getCond());
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return fillLoop(N, S, Do->getBody(), {Do->getCond()}, Do->getCond());
  if (isa<NullStmt>(S)) {
    N.Kind = NodeKind::Empty;
    return;
  }
  if (isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S))
    return noteJump(N, S);
  if (const auto *E = dyn_cast<Expr>(S)) {
    N.Kind = NodeKind::Expression;
    walker(N).walk(E);
    noteCall(N, E);
    if (isOnlyBarrier(N, E))
      N.Kind = NodeKind::Barrier;
    return;
  }
  fillWhole(N, S);
}

Node TreeBuilder::statement(const Stmt *S) {
  Node N;
  bool Unrolled = false;
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    for (const Attr *A : Attributed->getAttrs())
      Unrolled |= isa<LoopHintAttr>(A);
    if (Unrolled)
      S = Attributed->getSubStmt();
  }
  N.Range = N.Full = Tree.Text.statement(S);
  std::tie(N.Line, N.Column) = Tree.Text.lineColumn(S->getBeginLoc());
  fill(N, S);
  if (N.Counted)
    N.Counted->HasUnrollPragma = Unrolled;
  for (const Effect &E : N.Effects) {
    if (E.Kind != EffectKind::Barrier)
      continue;
    N.NestedBarrier |= N.Kind != NodeKind::Barrier;
    // Inside ?:, && or a callee's control nobody has looked at the condition.
    N.DivergentBarrier |= N.Kind == NodeKind::Expression || !E.What.empty();
  }
  bool Own = N.Kind == NodeKind::Barrier || N.NestedBarrier;
  N.DivergentBarrier |= Own && Divergence > 0;
  for (const Node &Child : N.Children) {
    N.NestedBarrier |= Child.NestedBarrier || Child.Kind == NodeKind::Barrier;
    N.DivergentBarrier |= Child.DivergentBarrier;
    N.LeavesLoop |= Child.LeavesLoop;
    if (Child.LeavesLoop)
      N.LeaveWord = Child.LeaveWord;
    N.HasLabel |= Child.HasLabel;
    N.Jumps |= Child.Jumps;
  }
  return N;
}

std::vector<Node> TreeBuilder::statements(const Stmt *Body) {
  std::vector<Node> Nodes;
  const auto *Compound = dyn_cast<CompoundStmt>(Body);
  if (!Compound) {
    Nodes.push_back(statement(Body));
    return Nodes;
  }
  std::optional<TextRange> Brace = Tree.Text.token(Compound->getLBracLoc());
  unsigned Previous = Brace ? Brace->End // `{` or `<%`
                            : Tree.Text.offset(Compound->getLBracLoc()) + 1;
  for (const Stmt *S : Compound->body()) {
    Node N = statement(S);
    if (!Nodes.empty() && N.Range.Begin < Nodes.back().Range.End) {
      Node &Last = Nodes.back();
      if (N.Kind == NodeKind::Empty) // the ';' after a macro or a block
        continue;
      Last.Range.End = std::max(Last.Range.End, N.Range.End);
      merge(Last, std::move(N));
      Last.Kind = NodeKind::Other;
      Last.MacroFused = true;
    } else {
      N.Full.Begin = Previous;
      Nodes.push_back(std::move(N));
    }
    Nodes.back().Full.End = Nodes.back().Range.End;
    Previous = Nodes.back().Range.End;
  }
  return Nodes;
}

} // namespace

std::vector<Node> buildStatements(const Stmt *Body, const TreeContext &Tree) {
  return TreeBuilder(Tree, Body->getSourceRange()).statements(Body);
}

Node buildExpression(const Expr *E, const TreeContext &Tree) {
  return TreeBuilder(Tree, E->getSourceRange()).expression(E);
}

std::vector<Node> buildIncrements(const Expr *E, const TreeContext &Tree) {
  if (!E)
    return {};
  if (const auto *Op = dyn_cast<BinaryOperator>(E->IgnoreParens());
      Op && Op->getOpcode() == BO_Comma) {
    std::vector<Node> Left = buildIncrements(Op->getLHS(), Tree);
    std::vector<Node> Right = buildIncrements(Op->getRHS(), Tree);
    Left.insert(Left.end(), std::make_move_iterator(Right.begin()),
                std::make_move_iterator(Right.end()));
    return Left;
  }
  std::vector<Node> One;
  One.push_back(buildExpression(E, Tree));
  return One;
}

} // namespace pipeline_rewrite
