#include "Analysis/ThreadRun.h"
#include "Analysis/LoopFinder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// Expressions evaluated for one block before the analysis gives up: about a
/// second of work.
constexpr uint64_t MostSteps = 20'000'000;

bool isTracked(QualType Type) {
  return Type->isPointerType() || Type->isIntegralOrEnumerationType();
}

const ValueDecl *assignedLocal(const Expr *Target) {
  const auto *Ref = dyn_cast<DeclRefExpr>(stripCasts(Target));
  return Ref ? Ref->getDecl() : nullptr;
}

/// Calls \p Visit for every statement and expression below \p S, initialisers
/// included.
void everyPart(const Stmt *S, llvm::function_ref<void(const Stmt *)> Visit) {
  if (!S)
    return;
  Visit(S);
  for (const Stmt *Child : S->children())
    everyPart(Child, Visit);
}

bool holdsReturn(const Stmt *S) {
  bool Returns = false;
  everyPart(S, [&](const Stmt *Part) { Returns |= isa<ReturnStmt>(Part); });
  return Returns;
}

/// A break or continue of a loop around \p S.
bool holdsJump(const Stmt *S) {
  if (!S || isLoop(S))
    return false;
  return isa<BreakStmt, ContinueStmt>(S) || llvm::any_of(S->children(), holdsJump);
}

} // namespace

ThreadRun::ThreadRun(const ASTContext &Context, const FunctionDecl *F,
                     const Stmt *Target, MemoryModel &Model,
                     const Uniformity &Uniform, SummaryCache &Summaries,
                     BlockShape Shape, Iterations How, BlockLog &Log)
    : Context(Context), F(F), Target(Target), Model(Model), Uniform(Uniform),
      Summaries(Summaries), Shape(Shape), How(How), Log(Log) {
  everyPart(Target, [&](const Stmt *Part) {
    if (const auto *Decls = dyn_cast<DeclStmt>(Part))
      for (const Decl *D : Decls->decls())
        if (const auto *Value = dyn_cast<ValueDecl>(D))
          DeclaredInTarget.insert(Value);
  });
}

void ThreadRun::run(unsigned X, unsigned Y, unsigned Z) {
  Index[0] = X, Index[1] = Y, Index[2] = Z;
  Values.clear();
  Doubts = 0;
  Log.beginThread();
  execute(F->getBody());
}

bool ThreadRun::overBudget(const Stmt *S) {
  if (++Steps <= MostSteps)
    return false;
  Log.lose(S->getBeginLoc(), "following every thread's addresses takes too long");
  return true;
}

bool ThreadRun::holdsTarget(const Stmt *S) {
  auto [It, New] = AroundTarget.try_emplace(S, false);
  if (New)
    everyPart(S, [&](const Stmt *Part) { It->second |= Part == Target; });
  return It->second;
}

/// Arithmetic on private arrays and floating-point values can be left out.
bool ThreadRun::isRelevant(const Stmt *S) {
  auto [It, New] = Relevance.try_emplace(S, true);
  if (!New)
    return It->second;
  llvm::DenseSet<const ValueDecl *> Inner;
  bool Matters = false;
  everyPart(S, [&](const Stmt *Part) {
    if (const auto *Decls = dyn_cast<DeclStmt>(Part))
      for (const Decl *D : Decls->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Inner.insert(Var);
  });
  everyPart(S, [&](const Stmt *Part) {
    Matters |= isa<BreakStmt, ContinueStmt, ReturnStmt, LambdaExpr, AsmStmt,
                   SwitchStmt, GotoStmt, LabelStmt>(Part) ||
               Part == Target;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Part))
      Matters |= ownBody(Construct->getConstructor()) != nullptr;
    if (const auto *Call = dyn_cast<CallExpr>(Part)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      auto Known = Callee ? lookUpFunction(Callee->getQualifiedNameAsString(), Call)
                          : std::nullopt;
      Matters |= !Known || Known->Behaviour != KnownBehaviour::Pure;
    }
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Part)) {
      const ValueDecl *D = Ref->getDecl();
      Matters |= D->getType()->isPointerType() || D->getType()->isReferenceType() ||
                 D->hasAttr<CUDASharedAttr>();
    }
    const ValueDecl *Changed = nullptr;
    if (const auto *Op = dyn_cast<BinaryOperator>(Part); Op && Op->isAssignmentOp())
      Changed = assignedLocal(Op->getLHS());
    if (const auto *Op = dyn_cast<UnaryOperator>(Part)) {
      if (Op->isIncrementDecrementOp())
        Changed = assignedLocal(Op->getSubExpr());
      Matters |= Op->getOpcode() == UO_AddrOf;
    }
    Matters |= Changed && isTracked(Changed->getType()) && !Inner.contains(Changed);
  });
  if (isa<DeclStmt>(S))
    Matters = true;
  return Relevance[S] = Matters;
}

/// What \p S may assign is unknown from here on.
void ThreadRun::forget(const Stmt *S) {
  auto [It, New] = Assigned.try_emplace(S);
  if (New)
    everyPart(S, [&](const Stmt *Part) {
      const ValueDecl *D = nullptr;
      if (const auto *Op = dyn_cast<BinaryOperator>(Part); Op && Op->isAssignmentOp())
        D = assignedLocal(Op->getLHS());
      else if (const auto *Op = dyn_cast<UnaryOperator>(Part);
               Op && Op->isIncrementDecrementOp())
        D = assignedLocal(Op->getSubExpr());
      if (D)
        It->second.push_back(D);
      const auto *Call = dyn_cast<CallExpr>(Part);
      if (!Call)
        return;
      for (const Expr *Argument : Call->arguments())
        if (const ValueDecl *Handed =
                Argument->isLValue() ? assignedLocal(Argument) : nullptr)
          It->second.push_back(Handed);
    });
  for (const ValueDecl *D : It->second) {
    ThreadValue &Value = Values[D];
    // A pointer that is assigned in a loop may name the block afterwards.
    bool Names = D->getType()->isPointerType() && !Calls.empty();
    if (D->getType()->isPointerType() && Calls.empty())
      for (const Root &R : Model.variablePointees(D))
        Names |= R.Where == Root::Kind::Unknown ||
                 (R.Where == Root::Kind::Shared &&
                  cast<VarDecl>(R.Decl)->hasExternalStorage());
    Value = ThreadValue();
    if (Names)
      Value.Is = ThreadValue::Kind::Address;
  }
}

/// The address of \p D is handed out: its value may change unseen.
void ThreadRun::release(const ValueDecl *D) {
  if (Values.lookup(D).isAddress())
    Log.lose(D->getLocation(), "the address of '" + D->getNameAsString() +
                                   "', which points into it, is taken");
  Released.insert(D);
  Values.erase(D);
}

/// One of two values, nobody knows which.
ThreadValue ThreadRun::either(const ThreadValue &A, const ThreadValue &B) {
  if (A == B)
    return A;
  ThreadValue Value;
  if (A.isAddress() || B.isAddress())
    Value.Is = ThreadValue::Kind::Address;
  return Value;
}

void ThreadRun::join(const Locals &Other) {
  for (auto &[D, Value] : Values)
    Value = either(Value, Other.lookup(D));
  for (const auto &[D, Theirs] : Other)
    if (Theirs.isAddress() && !Values.count(D))
      Values[D].Is = ThreadValue::Kind::Address;
}

void ThreadRun::executeDeclaration(const VarDecl *D) {
  const Expr *Init = D->getInit();
  if (D->hasAttr<CUDASharedAttr>())
    return;
  Values.erase(D);
  if (!Init)
    return;
  if (D->getType()->isReferenceType()) {
    Lvalue Referred = lvalue(Init);
    if (Referred.Local)
      return release(Referred.Local);
    Values[D] = Referred.Memory;
    return;
  }
  ThreadValue Value = evaluate(Init);
  if (isTracked(D->getType())) {
    if (!Released.contains(D))
      Values[D] = Value;
    return;
  }
  escape(Value, Init, "is kept in an object");
}

ThreadRun::Flow ThreadRun::executeIf(const IfStmt *If) {
  if (If->getInit())
    execute(If->getInit());
  ThreadValue Condition = evaluate(If->getCond());
  if (Condition.isInteger()) {
    const Stmt *Arm = Condition.Number ? If->getThen() : If->getElse();
    return Arm ? execute(Arm) : Flow::Next;
  }
  if (holdsJump(If)) {
    Log.lose(If->getBeginLoc(), "a jump here is under a condition that is not known");
    return Flow::Next;
  }
  Locals Before = Values;
  auto Try = [&](const Stmt *Arm) {
    // That the loop in question is reached tells which way it went.
    bool OnTheWay = Calls.empty() && holdsTarget(Arm);
    Doubts += !OnTheWay;
    execute(Arm);
    Doubts -= !OnTheWay;
  };
  llvm::BitVector StoredBefore = Log.stored();
  Try(If->getThen());
  llvm::BitVector StoredThen = Log.stored();
  Log.setStored(std::move(StoredBefore));
  Locals AfterThen = std::move(Values);
  Values = std::move(Before);
  if (If->getElse())
    Try(If->getElse());
  join(AfterThen);
  Log.addStored(StoredThen);
  // Who is still here? Only a condition that the whole block shares leaves all
  // threads or none.
  if (holdsReturn(If) && (!Calls.empty() || Uniform.isThreadDependent(If->getCond()) ||
                        !isa<ReturnStmt>(If->getThen()->IgnoreContainers())))
    ++Doubts;
  return Flow::Next;
}

/// One iteration, as if it were any.
void ThreadRun::executeAnyIteration(const Stmt *Loop) {
  bool OnTheWay = Calls.empty() && holdsTarget(Loop);
  forget(Loop);
  Doubts += !OnTheWay;
  if (Loop == Target)
    Log.enter(Place::Loop);
  else if (!holdsTarget(Loop) || !Calls.empty())
    Log.repeat(true);
  Flow Way = Flow::Next;
  if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    if (For->getCond())
      evaluate(For->getCond());
    Way = execute(For->getBody());
    if (For->getInc())
      evaluate(For->getInc());
  } else if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    evaluate(While->getCond());
    Way = execute(While->getBody());
  } else if (const auto *Do = dyn_cast<DoStmt>(Loop)) {
    Way = execute(Do->getBody());
    evaluate(Do->getCond());
  } else {
    evaluateChildren(Loop);
    Log.lose(Loop->getBeginLoc(), "a range-based loop is not followed");
  }
  forget(Loop);
  Doubts -= !OnTheWay;
  // Whoever returned in there is not here any more.
  Doubts += Way == Flow::Return;
  if (Loop == Target)
    Log.enter(Place::After);
  else if (!holdsTarget(Loop) || !Calls.empty())
    Log.repeat(false);
}

/// The target, whose counter is known in each of its iterations.
void ThreadRun::executeEachIteration(const ForStmt *For) {
  Log.enter(Place::Loop);
  for (;;) {
    ThreadValue Condition = evaluate(For->getCond());
    if (Log.lost() || (Condition.isInteger() && !Condition.Number))
      break;
    if (!Condition.isInteger())
      return Log.lose(For->getBeginLoc(), "how often this loop runs is not known");
    Log.beginIteration();
    if (execute(For->getBody()) != Flow::Next)
      return Log.lose(For->getBeginLoc(), "an iteration of this loop ends early");
    if (For->getInc())
      evaluate(For->getInc());
  }
  Log.enter(Place::After);
}

ThreadRun::Flow ThreadRun::executeLoop(const Stmt *Loop) {
  const auto *For = dyn_cast<ForStmt>(Loop);
  const auto *While = dyn_cast<WhileStmt>(Loop);
  if (For && For->getInit())
    execute(For->getInit());
  if (Loop == Target && How == Iterations::Each && For && For->getCond()) {
    executeEachIteration(For);
    return Flow::Next;
  }
  if ((!For && !While) || (For && !For->getCond()) || holdsTarget(Loop)) {
    executeAnyIteration(Loop);
    return Flow::Next;
  }
  while (!Log.lost()) {
    ThreadValue Condition = evaluate(For ? For->getCond() : While->getCond());
    if (!Condition.isInteger()) {
      executeAnyIteration(Loop);
      break;
    }
    if (!Condition.Number)
      break;
    Flow Way = execute(For ? For->getBody() : While->getBody());
    if (Way == Flow::Return)
      return Way;
    if (Way == Flow::Break)
      break;
    if (For && For->getInc())
      evaluate(For->getInc());
  }
  return Flow::Next;
}

ThreadRun::Flow ThreadRun::execute(const Stmt *S) {
  if (!S || Log.lost() || overBudget(S) || !isRelevant(S))
    return Flow::Next;
  if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
    return execute(Attributed->getSubStmt());
  if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : Block->body())
      if (Flow Way = execute(Child); Way != Flow::Next)
        return Way;
    return Flow::Next;
  }
  if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D))
        executeDeclaration(Var);
    return Flow::Next;
  }
  if (const auto *If = dyn_cast<IfStmt>(S))
    return executeIf(If);
  if (isLoop(S))
    return executeLoop(S);
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    ThreadValue Value;
    if (Return->getRetValue())
      Value = evaluate(Return->getRetValue());
    Returned = Returned ? either(*Returned, Value) : Value;
    return Flow::Return;
  }
  if (isa<BreakStmt>(S))
    return Flow::Break;
  if (isa<ContinueStmt>(S))
    return Flow::Continue;
  if (isa<NullStmt>(S))
    return Flow::Next;
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
    return Flow::Next;
  }
  if (const auto *Assembly = dyn_cast<GCCAsmStmt>(S)) {
    for (unsigned I = 0; I < Assembly->getNumInputs(); ++I)
      escape(evaluate(Assembly->getInputExpr(I)), Assembly->getInputExpr(I),
             "is used in inline assembly");
    forget(S);
    for (unsigned I = 0; I < Assembly->getNumOutputs(); ++I)
      if (const ValueDecl *D = assignedLocal(Assembly->getOutputExpr(I)))
        Values.erase(D);
    return Flow::Next;
  }
  Log.lose(S->getBeginLoc(), "a statement here is not followed");
  return Flow::Next;
}

} // namespace pipeline_rewrite
