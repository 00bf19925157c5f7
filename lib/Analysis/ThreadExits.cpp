#include "Analysis/ThreadExits.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pipeline_rewrite {

static const Expr *conditionOf(const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(S))
    return If->getCond();
  if (const auto *For = dyn_cast<ForStmt>(S))
    return For->getCond();
  if (const auto *While = dyn_cast<WhileStmt>(S))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return Do->getCond();
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return Switch->getCond();
  return nullptr;
}

/// `@p exit;`: PTX asks the condition itself.
static bool exitsInAsm(const Stmt *S) {
  const auto *Asm = dyn_cast<GCCAsmStmt>(S);
  return Asm && Asm->getAsmString()->getString().contains("exit");
}

ThreadExits::ThreadExits(const BarrierLoop &Loop, const TreeContext &Tree)
    : Loop(Loop), Tree(Tree) {
  visit(Loop.Function->getBody(), false, false);
}

void ThreadExits::visit(const Stmt *S, bool Divergent, bool Repeats) {
  if (!S || S == Loop.Loop || isa<LambdaExpr>(S))
    return;
  const Expr *Condition = conditionOf(S);
  bool Differs = Condition && Tree.Uniform.isThreadDependent(Condition);
  bool Around = llvm::is_contained(Loop.Ancestors, S);
  bool Leaves = (Differs && Around) ||
                exitsInAsm(S) ||
                (Divergent && isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt>(S));
  unsigned At = Tree.Text.offset(S->getBeginLoc());
  if (Leaves && At < Tree.Text.offset(Loop.Loop->getBeginLoc()))
    Before.push_back(At);
  InOuterLoop |= Leaves && Repeats;
  Repeats |= Around && isLoop(S);
  for (const Stmt *Child : S->children())
    visit(Child, Divergent || Differs, Repeats);
}

bool ThreadExits::mayFollow(unsigned Offset) const {
  return InOuterLoop || llvm::any_of(Before, [&](unsigned At) { return Offset < At; });
}

} // namespace pipeline_rewrite
