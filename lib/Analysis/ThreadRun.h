/// \file
/// Interprets one thread of a kernel as far as addresses of the dynamic shared
/// memory go. Integers that follow from the thread index, the block size and
/// constants are known; everything else is not, and what is not known is taken
/// both ways. A value that may be an address of the block stays one, if need be
/// with an unknown offset; where that cannot be kept up, the log loses the block.
#pragma once

#include "Analysis/BlockLog.h"
#include "Analysis/Effects.h"

namespace pipeline_rewrite {

/// Threads of a block in x, y and z.
struct BlockShape {
  unsigned X = 1, Y = 1, Z = 1;
  uint64_t threads() const { return uint64_t(X) * Y * Z; }
};

class ThreadRun {
public:
  /// \p Target is interpreted as one arbitrary iteration, or each for itself.
  enum class Iterations { Any, Each };
  ThreadRun(const clang::ASTContext &Context, const clang::FunctionDecl *F,
            const clang::Stmt *Target, MemoryModel &Model,
            const Uniformity &Uniform, SummaryCache &Summaries,
            BlockShape Shape, Iterations How, BlockLog &Log);

  /// Interprets the thread with the given index and enters its accesses.
  void run(unsigned X, unsigned Y, unsigned Z);

private:
  /// What an lvalue names.
  struct Lvalue {
    const clang::ValueDecl *Local = nullptr; ///< a private scalar or pointer
    ThreadValue Memory;                      ///< else an address, or Unknown
  };
  enum class Flow { Next, Break, Continue, Return };
  using Locals = llvm::DenseMap<const clang::ValueDecl *, ThreadValue>;

  // Statements (ThreadRun.cpp).
  Flow execute(const clang::Stmt *S);
  Flow executeIf(const clang::IfStmt *If);
  Flow executeLoop(const clang::Stmt *Loop);
  void executeAnyIteration(const clang::Stmt *Loop);
  void executeEachIteration(const clang::ForStmt *For);
  void executeDeclaration(const clang::VarDecl *D);
  bool isRelevant(const clang::Stmt *S);
  bool holdsTarget(const clang::Stmt *S);
  void forget(const clang::Stmt *S);
  void release(const clang::ValueDecl *D);
  void join(const Locals &Other);
  static ThreadValue either(const ThreadValue &A, const ThreadValue &B);

  // Expressions (ThreadExpressions.cpp).
  ThreadValue evaluate(const clang::Expr *E);
  ThreadValue evaluateCast(const clang::CastExpr *Cast);
  ThreadValue evaluateUnary(const clang::UnaryOperator *Op);
  ThreadValue evaluateBinary(const clang::BinaryOperator *Op);
  ThreadValue evaluateChoice(const clang::ConditionalOperator *Choice);
  ThreadValue evaluateChildren(const clang::Stmt *S);
  ThreadValue combine(clang::BinaryOperatorKind Op, ThreadValue L, ThreadValue R,
                      clang::QualType Left, clang::QualType Right,
                      clang::QualType Result, const clang::Expr *Site);
  ThreadValue fit(int64_t Number, clang::QualType Type) const;
  std::optional<int64_t> constant(const clang::Expr *E);
  std::optional<int64_t> builtinIndex(const clang::Expr *E) const;
  Lvalue lvalue(const clang::Expr *E);
  Lvalue assigned(const clang::Expr *Whole, const clang::Expr *Target);
  ThreadValue assign(const Lvalue &To, const clang::Expr *Target,
                     ThreadValue Value, bool Reads);
  ThreadValue load(const Lvalue &From, const clang::Expr *E);
  ThreadValue loadFrom(const clang::Expr *E);
  void touch(const ThreadValue &Address, uint64_t Bytes, bool Write,
             const clang::Expr *E);
  void escape(const ThreadValue &Value, const clang::Expr *E, llvm::StringRef How);
  std::optional<uint64_t> bytesOf(clang::QualType Type) const;
  ThreadValue read(const clang::ValueDecl *D);

  // Calls (ThreadCalls.cpp).
  ThreadValue evaluateCall(const clang::CallExpr *Call);
  ThreadValue evaluateOperator(const clang::CXXOperatorCallExpr *Call);
  ThreadValue evaluateKnown(const clang::CallExpr *Call, const KnownFunction &Known);
  ThreadValue evaluateAtomic(const clang::CallExpr *Call);
  void matrixAccess(const clang::CallExpr *Call, bool Write);
  ThreadValue evaluateConstruction(const clang::CXXConstructExpr *Construct);
  ThreadValue pass(const clang::Expr *Argument, clang::QualType Type);
  void keep(const clang::Expr *Init);
  const clang::FunctionDecl *ownBody(const clang::FunctionDecl *Callee) const;
  ThreadValue enter(llvm::ArrayRef<const clang::Expr *> Passed,
                    const clang::FunctionDecl *Callee, const clang::Expr *Site);
  void escapeArguments(const clang::CallExpr *Call);

  bool certain() const { return Doubts == 0; }
  bool overBudget(const clang::Stmt *S);

  const clang::ASTContext &Context;
  const clang::FunctionDecl *F;
  const clang::Stmt *Target;
  MemoryModel &Model;
  const Uniformity &Uniform;
  SummaryCache &Summaries;
  BlockShape Shape;
  const Iterations How;
  BlockLog &Log;

  unsigned Index[3] = {0, 0, 0};
  Locals Values;
  /// Locals whose address is known to others: their values are not.
  llvm::DenseSet<const clang::ValueDecl *> Released;
  llvm::DenseSet<const clang::ValueDecl *> DeclaredInTarget;
  llvm::SmallVector<const clang::FunctionDecl *, 8> Calls;
  std::optional<ThreadValue> Returned; ///< by the call that we are in
  unsigned Doubts = 0; ///< conditions around us that may or may not hold
  uint64_t Steps = 0;
  llvm::DenseMap<const clang::Expr *, std::optional<int64_t>> Constants;
  llvm::DenseMap<const clang::Stmt *, bool> Relevance, AroundTarget;
  llvm::DenseMap<const clang::Stmt *, std::vector<const clang::ValueDecl *>>
      Assigned;
};

} // namespace pipeline_rewrite
