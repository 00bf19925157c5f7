#include "Analysis/OutsideUses.h"
#include "Analysis/Captures.h"
#include "Analysis/StorePlaces.h"
#include "Analysis/ThreadExits.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

/// The statements of a function that are not in a given K loop.
class Surroundings {
public:
  Surroundings(const BarrierLoop &Loop, llvm::ArrayRef<const Stmt *> Others,
               const TreeContext &Tree)
      : Loop(Loop), Others(Others), Tree(Tree),
        Ancestors(Loop.Ancestors.begin(), Loop.Ancestors.end()),
        InOrder(!mayJump(Loop.Function->getBody())) {
    visit(Loop.Function->getBody(), 0);
  }

  struct OtherLoop {
    unsigned Begin;
    bool Before;
    std::vector<Node> Body;
  };
  std::vector<Node> Before, After;
  std::vector<OtherLoop> OtherBodies;
  /// What runs before the loop with no barrier in between, as far as is known.
  std::vector<Node> Unordered;

private:
  /// \param Depth loops around \p S that the K loop is in, too.
  void visit(const Stmt *S, unsigned Depth) {
    if (!S)
      return;
    if (S == Loop.Loop) {
      Reached = true;
      return;
    }
    if (llvm::is_contained(Others, S)) {
      OtherBodies.push_back(
          {Tree.Text.offset(S->getBeginLoc()), !Reached || Depth > 0,
           buildStatements(S, Tree)});
      // Private variables do not care which loop reads them.
      return addTo(S, Depth, OtherBodies.back().Body);
    }
    if (!Ancestors.count(S))
      return addTo(S, Depth, buildStatements(S, Tree));
    for (const Stmt *Child : S->children()) {
      size_t Known = Unordered.size();
      visit(Child, Depth + isLoop(S));
      if (!Reached && InOrder && isa<CompoundStmt>(S) && Unordered.size() > Known &&
          endsInBarrier())
        noteBarrier(Depth);
    }
  }

  /// Every thread waits here on its way to the K loop.
  void noteBarrier(unsigned Depth) {
    Unordered.clear();
    BarrierDepth = Depth;
  }

  bool endsInBarrier() const {
    return Unordered.back().Kind == NodeKind::Barrier && !Unordered.back().DivergentBarrier;
  }

  /// Can control pass by a statement in front of the loop?
  static bool mayJump(const Stmt *S) {
    return S && (isa<SwitchStmt, LabelStmt>(S) || llvm::any_of(S->children(), mayJump));
  }

  void addTo(const Stmt *S, unsigned Depth, const std::vector<Node> &Nodes) {
    const bool Repeats = Depth > 0;
    // What follows the loop in a loop around both comes before it, too.
    if (!Reached || Depth > BarrierDepth)
      Unordered.insert(Unordered.end(), Nodes.begin(), Nodes.end());
    if (llvm::is_contained(Others, S)) {
      for (const Node &N : Nodes)
        forEachNode(N, [&](const Node &Each) {
          PrivateOnly.Refs.insert(PrivateOnly.Refs.end(), Each.Refs.begin(),
                                  Each.Refs.end());
        });
      if (Reached || Repeats)
        After.push_back(PrivateOnly);
      PrivateOnly = Node();
      return;
    }
    if (!Reached || Repeats)
      Before.insert(Before.end(), Nodes.begin(), Nodes.end());
    if (Reached || Repeats)
      After.insert(After.end(), Nodes.begin(), Nodes.end());
  }

  const BarrierLoop &Loop;
  llvm::ArrayRef<const Stmt *> Others;
  const TreeContext &Tree;
  std::set<const Stmt *> Ancestors;
  Node PrivateOnly;
  const bool InOrder;
  unsigned BarrierDepth = 0;
  bool Reached = false;
};

/// The statements of a loop's body, given the loop.
std::vector<Node> bodyOf(const std::vector<Node> &Loop) {
  if (Loop.empty() || Loop.front().Children.empty())
    return {};
  const Node &Body = Loop.front().Children.front();
  return Body.Kind == NodeKind::Block ? Body.Children
                                      : std::vector<Node>{Body};
}

/// Do the places mean the same wherever they are spelled?
bool isStable(const StorePlaces &Stores, const TreeContext &Tree) {
  return Stores.known() && llvm::none_of(Stores.uses(), [&](VarId Var) {
    return Tree.Model.isModified(Tree.Tables.declarations()[Var]);
  });
}

void noteUse(SharedVariable &S, const Effect &E, bool Before) {
  (Before ? S.MentionedBefore : S.MentionedAfter) = true;
  if (E.What == "address") {
    // Whoever holds the address may do either.
    (Before ? S.ReadBefore : S.ReadAfter) = true;
    (Before ? S.WrittenBefore : S.WrittenAfter) = true;
  } else if (E.Kind == EffectKind::Read) {
    (Before ? S.ReadBefore : S.ReadAfter) = true;
  } else {
    (Before ? S.WrittenBefore : S.WrittenAfter) = true;
  }
  S.UseLine = E.Line;
  S.UseColumn = E.Column;
}

/// Uses outside the loop, and other loops, have the same slots. Of dynamic memory
/// they have the first.
void noteAlignment(SharedVariable &S, const Effect &E) {
  if (S.IsStaticArray)
    S.AccessAlignment = std::max(S.AccessAlignment, E.Alignment);
}

void collectSharedUses(LoopFacts &Facts, const Surroundings &Around,
                       const ThreadExits &Exits, const TreeContext &Tree) {
  for (SharedVariable &S : Facts.Shared) {
    bool WriterLeaves = false;
    auto NoteWriter = [&](const Node &At) {
      for (const TileStore &Store : At.Stores)
        WriterLeaves |= Store.Tile == S.Object && Exits.mayFollow(At.Range.Begin);
    };
    auto Each = [&](const std::vector<Node> &Nodes, bool Before) {
      for (const Node &N : Nodes)
        forEachNode(N, [&](const Node &At) {
          for (const Effect &E : At.Effects)
            if (E.Object == S.Object) {
              noteUse(S, E, Before);
              noteAlignment(S, E);
              S.AfterUsesInScope &= Before || Facts.ScopeRange.contains(E.Range);
            }
        });
    };
    Each(Around.Before, true);
    for (const Node &N : Around.Before)
      forEachNode(N, NoteWriter);
    Each(Around.After, false);
    StorePlaces Own(S.Object), Outer(S.Object, true);
    for (StorePlaces *Stores : {&Own, &Outer}) {
      for (const Node &N : Around.Before)
        Stores->learn(N);
      for (const Node &N : Facts.Body)
        Stores->learn(N);
      for (const Surroundings::OtherLoop &Other : Around.OtherBodies)
        for (const Node &N : Other.Body)
          Stores->learn(N);
    }
    for (const Node &N : Around.Before) {
      Own.declareFrom(N);
      Outer.add(N);
    }
    for (const Node &N : Facts.Body)
      Own.add(N);
    for (const Surroundings::OtherLoop &Other : Around.OtherBodies) {
      bool Uses = false;
      for (const Node &N : Other.Body)
        forEachNode(N, [&](const Node &At) {
          for (const Effect &E : At.Effects)
            if (E.Object == S.Object) {
              Uses = true;
              noteAlignment(S, E);
            }
        });
      if (!Uses)
        continue;
      S.OtherLoops.push_back(Other.Begin);
      if (!S.UseLine && !Other.Body.empty())
        S.UseLine = Other.Body.front().Line;
      if (Other.Before)
        for (const Node &N : Other.Body)
          forEachNode(N, NoteWriter);
      if (Other.Before)
        llvm::for_each(bodyOf(Other.Body), [&](const Node &N) { Outer.add(N); });
    }
    S.WritesBeforeCovered =
        Outer.places().empty()
            ? !S.WrittenBefore
            : !WriterLeaves && isStable(Own, Tree) && isStable(Outer, Tree) &&
                  llvm::all_of(Outer.places(), [&](const std::string &Place) {
                    return Own.places().count(Place) != 0;
                  });
  }
}

/// True if \p D is a lambda whose body names \p Tile.
bool lambdaUses(const ValueDecl *D, const Root &Tile, const TreeContext &Tree) {
  const auto *Class = D->getType()->getAsCXXRecordDecl();
  if (!Class || !Class->isLambda() || !Class->getLambdaCallOperator())
    return false;
  const FunctionSummary &Body =
      Tree.Summaries.of(Class->getLambdaCallOperator(), Tree.Context);
  return llvm::any_of(Body.Effects, [&](const SummaryEffect &E) {
    return E.Object.Decl == Tile.Decl;
  });
}

/// Adds the variables that the value of a pointer or an object is made of.
class ValueNames : public RecursiveASTVisitor<ValueNames> {
public:
  explicit ValueNames(std::vector<const ValueDecl *> &Found) : Found(Found) {}
  bool VisitDeclRefExpr(DeclRefExpr *Ref) { return add(Ref->getDecl()); }
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Capture.capturesVariable())
        add(Capture.getCapturedVar());
    return true;
  }

private:
  bool add(const ValueDecl *D) {
    if (holdsAddresses(D->getType()) && !D->hasAttr<CUDASharedAttr>() && !llvm::is_contained(Found, D))
      Found.push_back(D);
    return true;
  }
  std::vector<const ValueDecl *> &Found;
};

/// Does \p D hold the address of \p Tile itself?
bool holdsAddress(const ValueDecl *D, const Root &Tile, const TreeContext &Tree) {
  if (lambdaUses(D, Tile, Tree))
    return true;
  std::vector<const Expr *> Values;
  for (const Expr *Source : Tree.Model.sources(D)) {
    const Expr *Value = stripCasts(Source);
    Values.push_back(Value);
    // A struct's members, one by one.
    if (const auto *List = dyn_cast<InitListExpr>(Value))
      for (const Expr *Init : List->inits())
        Values.push_back(stripCasts(Init));
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(Value))
      for (const Expr *Argument : Construct->arguments())
        Values.push_back(stripCasts(Argument));
  }
  for (const Expr *Value : Values) {
    bool Address = Value->getType()->isPointerType() ||
                   Value->getType()->isArrayType() ||
                   D->getType()->isReferenceType();
    if (const auto *Call = dyn_cast<CallExpr>(Value);
        Call && Call->getNumArgs() == 1 && !Address) {
      Value = stripCasts(Call->getArg(0));
      Address = Value->getType()->isPointerType();
    }
    if (!Address)
      continue;
    RootSet Roots = D->getType()->isReferenceType() ? Tree.Model.lvalueRoots(Value)
                                                    : Tree.Model.pointerRoots(Value);
    if (llvm::is_contained(Roots, Tile))
      return true;
  }
  return false;
}

/// A variable declared before the loop that holds the address of \p Tile, or is
/// made of one that does.
const ValueDecl *findAlias(const LoopFacts &Facts, const Root &Tile,
                           const TreeContext &Tree) {
  std::set<VarId> Used;
  for (const Node &N : Facts.Body)
    forEachNode(N, [&](const Node &At) {
      for (const VarRef &R : At.Refs)
        Used.insert(R.Var);
    });
  for (VarId V : Used) {
    if (Facts.Variables[V].Scope != VarScope::Outside)
      continue;
    const ValueDecl *D = Tree.Tables.declarations()[V];
    bool Holds = holdsAddresses(D->getType());
    std::vector<const ValueDecl *> Chain{D};
    for (size_t I = 0; I < Chain.size(); ++I) {
      if (holdsAddress(Chain[I], Tile, Tree))
        return D;
      for (const Expr *Source : Tree.Model.sources(Chain[I]))
        if (Holds)
          ValueNames(Chain).TraverseStmt(const_cast<Expr *>(Source));
    }
  }
  return nullptr;
}

/// Statements of the loop that store a tile's address where others find it.
void noteKeptAddresses(LoopFacts &Facts) {
  for (const Node &N : Facts.Body)
    forEachNode(N, [&](const Node &At) {
      for (const Effect &E : At.Effects)
        for (SharedVariable &S : Facts.Shared)
          if (E.What == "kept" && E.Object == S.Object) {
            S.Escapes = true;
            S.EscapeWhat = "its address is stored and outlives the iteration";
            S.EscapeLine = E.Line;
            S.EscapeColumn = E.Column;
          }
    });
}

/// What happens around the loop, against what its iterations do to memory. Of
/// what follows only the last compute phase matters, for barriers inside the loop
/// stand between the rest and the end; of what comes before, only the copies.
/// Taking all of the loop errs on the safe side.
class Conflicts {
public:
  explicit Conflicts(const LoopFacts &Facts) : Facts(Facts) {
    auto Note = [&](const Node &N) {
      forEachNode(N, [&](const Node &At) {
        for (const Effect &E : At.Effects)
          InLoop.push_back(&E);
      });
    };
    llvm::for_each(Facts.Body, Note);
    llvm::for_each(Facts.Increments, Note);
    Note(Facts.ConditionNode);
  }

  /// Whether threads have to wait for each other behind the loop.
  bool among(const std::vector<Node> &Later) const {
    bool Found = false;
    for (const Node &N : Later)
      forEachNode(N, [&](const Node &At) {
        Found |= At.Kind == NodeKind::Barrier;
        for (const Effect &E : At.Effects)
          Found |= conflicts(E);
      });
    return Found;
  }

  /// Whether threads have to wait for each other before the loop reads \p Earlier.
  bool wrote(const std::vector<Node> &Earlier) const {
    bool Found = false;
    for (const Node &N : Earlier)
      forEachNode(N, [&](const Node &At) {
        for (const Effect &E : At.Effects)
          Found |= E.Kind != EffectKind::Read && E.Kind != EffectKind::Barrier &&
                   conflicts(E);
      });
    return Found;
  }

private:
  static bool plain(const Effect &E) {
    return E.Object &&
           (E.Kind == EffectKind::Read || E.Kind == EffectKind::Write);
  }

  bool conflicts(const Effect &Later) const {
    // An atomic may tell others that the work is done.
    if (!plain(Later) || Facts.Objects[*Later.Object].Where == Space::Shared)
      return true;
    return llvm::any_of(InLoop, [&](const Effect *E) {
      if (E->Kind == EffectKind::Barrier || E->Kind == EffectKind::AsyncCopy)
        return false;
      if (!E->Object || E->Kind == EffectKind::Opaque)
        return true;
      if (Later.Kind == EffectKind::Read && E->Kind == EffectKind::Read)
        return false;
      // Memory that is read so is not written while the kernel runs.
      if (Later.NonCoherent || E->NonCoherent)
        return false;
      return mayAlias(Facts, *Later.Object, *E->Object);
    });
  }

  const LoopFacts &Facts;
  std::vector<const Effect *> InLoop;
};

/// Destructors run at the end of a block, where no statement shows them.
bool runsDestructors(const Stmt *S, const ASTContext &Context) {
  if (!S)
    return false;
  if (const auto *Decls = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Decls->decls())
      if (const auto *Var = dyn_cast<VarDecl>(D); Var && Var->needsDestruction(Context))
        return true;
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return runsDestructors(Child, Context);
  });
}

} // namespace

void collectOutsideUses(LoopFacts &Facts, const BarrierLoop &Loop,
                        llvm::ArrayRef<const Stmt *> OtherKLoops,
                        const TreeContext &Tree) {
  Surroundings Around(Loop, OtherKLoops, Tree);
  for (const Node &N : Around.After)
    forEachNode(N, [&](const Node &At) {
      for (const VarRef &R : At.Refs)
        if (R.Read)
          Facts.Variables[R.Var].ReadAfterLoop = true;
    });
  collectSharedUses(Facts, Around, ThreadExits(Loop, Tree), Tree);
  noteKeptAddresses(Facts);
  for (SharedVariable &S : Facts.Shared) {
    const Root &Tile = Tree.Tables.roots()[S.Object];
    if (const ValueDecl *Alias = findAlias(Facts, Tile, Tree)) {
      S.Escapes = true;
      S.EscapeWhat = "its address is kept in '" +
                     Facts.Variables[Tree.Tables.variable(Alias)].Name +
                     "', declared outside the loop";
      std::tie(S.EscapeLine, S.EscapeColumn) =
          Tree.Text.lineColumn(Alias->getLocation());
    }
  }
  const Conflicts Memory(Facts);
  const bool Destructors = runsDestructors(Loop.Function->getBody(), Tree.Context);
  Facts.MemoryWrittenBefore =
      !Facts.IsKernel || Destructors || Memory.wrote(Around.Unordered);
  // In an outer loop this loop itself comes again.
  Facts.MemoryTouchedAfter = !Facts.IsKernel || Facts.InsideLoop ||
                             Memory.among(Around.After) ||
                             !Around.OtherBodies.empty() ||
                             Destructors;
}

} // namespace pipeline_rewrite
