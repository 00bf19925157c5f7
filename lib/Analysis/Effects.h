/// \file
/// What an expression reads, writes and calls, entered into a Node.
#pragma once

#include "Analysis/Facts.h"
#include "Analysis/KnownFunctions.h"
#include "Analysis/MemoryModel.h"
#include "Analysis/StoreShape.h"
#include "Analysis/SourceText.h"
#include "Analysis/Uniformity.h"
#include "clang/AST/ExprCXX.h"
#include <map>

namespace pipeline_rewrite {

/// An effect of a function, in terms of its own parameters.
struct SummaryEffect {
  EffectKind Kind;
  Root Object;      ///< Pointee of a parameter, or a variable of wider scope
  std::string What; ///< for Opaque; "kept": the address is stored
  unsigned Alignment = 0;
  bool NonCoherent = false;
};

struct FunctionSummary {
  std::vector<SummaryEffect> Effects;
  bool HasBarrier = false;
  StoreShape Shape; ///< what decides which elements it writes
  bool InProgress = false; ///< seen from within itself
  bool ConditionalBarrier = false; ///< not a statement of the body itself
};

/// Summaries of device functions, computed once per translation unit.
class SummaryCache {
public:
  const FunctionSummary &of(const clang::FunctionDecl *F,
                            const clang::ASTContext &Context);

private:
  std::map<const clang::FunctionDecl *, FunctionSummary> Done;
};

/// The variable that a for loop's third part adds to, and nothing else in it.
struct LoopCounter {
  const clang::VarDecl *Var = nullptr;
  const clang::Expr *Step = nullptr; ///< what is added; null for one
  bool OwnVariable = false; ///< declared by the loop: nothing before it is made of it
};

/// Names the variables and objects of one loop, in order of appearance.
class FactTables {
public:
  FactTables(LoopFacts &Facts, const clang::ASTContext &Context,
             const clang::FunctionDecl *F)
      : Facts(Facts), Context(Context), F(F) {}

  VarId variable(const clang::ValueDecl *D);
  ObjectId object(const Root &R);
  std::string spell(clang::QualType Type) const;
  /// True if \p Type is written as a type parameter of the function's template.
  bool isOwnParameter(clang::QualType Type) const;
  /// True if no name of \p Type reaches out of the loop that setLoop() told.
  bool isOfLoop(clang::QualType Type) const;
  void setLoop(clang::SourceRange Range) { LoopRange = Range; }
  /// Is \p Loc in the loop's body?
  bool isInBody(clang::SourceLocation Loc, const SourceText &Text) const {
    unsigned At = Text.offset(Loc);
    return Text.inFile(Loc) && Facts.BodyRange.contains({At, At});
  }
  const std::vector<const clang::ValueDecl *> &declarations() const {
    return Variables;
  }
  const std::vector<Root> &roots() const { return Objects; }
  /// The K loop's counter, if it has one.
  const std::optional<LoopCounter> &counter() const { return Counter; }
  void setCounter(std::optional<LoopCounter> Found) { Counter = Found; }

private:
  LoopFacts &Facts;
  const clang::ASTContext &Context;
  const clang::FunctionDecl *F;
  std::vector<const clang::ValueDecl *> Variables;
  std::vector<Root> Objects;
  std::optional<LoopCounter> Counter;
  clang::SourceRange LoopRange;
};

/// Walks expressions in evaluation-independent order and records, in one Node,
/// every private variable mentioned, every effect on shared objects, every
/// global load that is a value of its own, and every store to shared memory.
class EffectWalker {
public:
  enum class Use { Value, Write, ReadWrite, Address };

  EffectWalker(const clang::ASTContext &Context, MemoryModel &Model,
               const SourceText &Text, FactTables &Tables,
               SummaryCache &Summaries, Node &Out)
      : Context(Context), Model(Model), Text(Text), Tables(Tables),
        Summaries(Summaries), Out(Out) {}

  void walk(const clang::Expr *E, Use U = Use::Value);
  /// Every expression and declaration below \p S, flattened into the node.
  void walkStatement(const clang::Stmt *S);
  void declare(const clang::VarDecl *D);
  void assembly(const clang::AsmStmt *S);
  void opaque(const clang::Stmt *S, std::string What);

private:
  void walkChain(const clang::Expr *E, Use U, bool Partial);
  void walkPointer(const clang::Expr *E);
  void access(const clang::Expr *E, Use U);
  void addressUse(const clang::Expr *E, unsigned Alignment = 0);
  void mention(const clang::DeclRefExpr *Ref, Use U, bool Partial);
  void mentionBinding(const clang::Expr *Name, const clang::BindingDecl *Binding,
                      Use U);
  void mentionPrivate(const clang::ValueDecl *D, Use U);
  void assignment(const clang::Expr *Whole, const clang::Expr *Target,
                  const clang::Expr *Value, bool Compound);
  void keepAddress(const clang::Expr *Value, const RootSet &Target);
  void recordStore(const clang::Expr *Target, const clang::Expr *Value,
                   bool Compound, const RootSet &Roots, size_t FirstEffect,
                   std::vector<VarRef> TargetRefs);
  void recordLoad(const clang::Expr *E, const RootSet &Roots, bool Addressable,
                  size_t FirstRef);
  ValueKind classify(const clang::Expr *Value, clang::QualType Target,
                     TextRange &Guard, bool &Negated,
                     const clang::ValueDecl *&Source);
  void call(const clang::CallExpr *Call);
  void knownCall(const clang::CallExpr *Call, const KnownFunction &Known);
  void summarisedCall(const clang::CallExpr *Call,
                      const clang::FunctionDecl *Callee);
  void unresolvedCall(const clang::CallExpr *Call);
  void operatorCall(const clang::CXXOperatorCallExpr *Call);
  void reach(clang::QualType Type, const clang::Expr *Site);
  void lambda(const clang::LambdaExpr *E);
  void mentionCapture(const clang::VarDecl *Var, clang::SourceLocation At);
  void construction(const clang::CXXConstructExpr *Construct);
  void argument(const clang::Expr *Argument, clang::QualType Parameter);
  void pointerArgument(const clang::Expr *Pointer, EffectKind Kind,
                       const clang::Expr *Site, bool NonCoherent,
                       unsigned Alignment = 0);
  void effect(EffectKind Kind, const Root &R, const clang::Expr *Site,
              unsigned Alignment = 0, std::vector<VarId> IndexVars = {},
              bool NonCoherent = false);
  unsigned bytesOf(clang::QualType Type) const;
  unsigned alignmentOf(clang::QualType Type) const;
  bool isGlobalLike(const RootSet &Roots) const;

  const clang::ASTContext &Context;
  MemoryModel &Model;
  const SourceText &Text;
  FactTables &Tables;
  SummaryCache &Summaries;
  Node &Out;
  const clang::Expr *Enclosing = nullptr; ///< parentheses around the lvalue
  unsigned AddressDepth = 0; ///< inside a subscript or a condition
  std::vector<std::pair<TextRange, bool>> Conditions;
};

/// True for what names an object step by step: a variable, an element, a
/// member, a dereference.
bool isChainExpression(const clang::Expr *E);

/// Can a variable of \p Type be declared without a value and assigned to later?
/// What a template leaves open can.
bool isAssignable(clang::QualType Type);

/// Can it be declared as `T t = {};`?
bool hasEmptyInit(clang::QualType Type);

/// True if \p E is a constant whose object representation is all zero.
bool isZeroValue(const clang::Expr *E);

} // namespace pipeline_rewrite
