#include "Plan/Placement.h"
#include "Plan/Transports.h"
#include "Legality/Phases.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

namespace pipeline_rewrite {

namespace {

class Placer {
public:
  Placer(const LoopFacts &Facts, const Verdict &V, llvm::StringRef Buffer,
         LoopPlan &Plan)
      : Facts(Facts), V(V), Plan(Plan), P(Plan.Places),
        Leaves(copyLeaves(Facts, V.Split)),
        Temporaries(asyncTemporaries(Facts, V, Plan.Tiles, Buffer)) {}

  void run() {
    for (const CopyLeaf &Leaf : Leaves)
      Roles.push_back(roleOf(Leaf, Plan.Slice, V.Tiles));
    placePoint();
    placeEarly();
    placeLate();
    placeWhole();
    collectAhead();
    placeCurrent();
    check();
  }

private:
  bool isOutside(VarId Var) const {
    return Facts.Variables[Var].Scope != VarScope::Body;
  }

  bool isAsyncStore(const Node &N) const {
    for (const TileStore &S : N.Stores) {
      const TilePlan *T = Plan.tile(S.Tile);
      if (T && T->How == Transport::CpAsync)
        return true;
    }
    return false;
  }

  bool isLdg(size_t I) const {
    const Node &N = *Leaves[I].Statement;
    return (Roles[I].Stores || Roles[I].Value) && !N.WholeCall &&
           !isAsyncStore(N) && !Temporaries.count(&N);
  }

  /// In what a kept address stands for?
  bool insideKept(TextRange Range) const {
    return llvm::any_of(Plan.Kept, [&](const KeptAddress &K) {
      return K.Range.contains(Range) && !Range.empty();
    });
  }

  static void addControl(const CopyLeaf &Leaf, std::set<VarId> &Need) {
    for (const Node *Control : Leaf.Control)
      for (const VarRef &R : Control->Refs)
        if (R.Read)
          Need.insert(R.Var);
  }

  /// Walks the leaves backwards: the roots, and whatever defines what they
  /// need. \p Needs adds the reads of a leaf; \p IsRoot picks the roots.
  void close(std::set<const Node *> &Into, std::set<VarId> Need,
             const std::function<bool(size_t)> &IsRoot,
             const std::function<void(size_t, std::set<VarId> &)> &Needs,
             bool OutsideToo) {
    // Copy loops carry values around: repeat until nothing is added.
    for (size_t Before = ~size_t(0); Before != Into.size();) {
      Before = Into.size();
      closeOnce(Into, Need, IsRoot, Needs, OutsideToo);
    }
  }

  void closeOnce(std::set<const Node *> &Into, std::set<VarId> &Need,
                 const std::function<bool(size_t)> &IsRoot,
                 const std::function<void(size_t, std::set<VarId> &)> &Needs,
                 bool OutsideToo) {
    for (size_t I = Leaves.size(); I-- > 0;) {
      const Node &N = *Leaves[I].Statement;
      bool Keep = IsRoot(I);
      if (!Keep && !isFetch(I) && !Temporaries.count(&N))
        for (const VarRef &R : N.Refs)
          Keep |= R.Write && Need.count(R.Var) &&
                  (OutsideToo || !isOutside(R.Var) || isFullWrite(N, R.Var));
      if (!isFetch(I) && !Temporaries.count(&N))
        Keep |= declaresNeeded(N, Need);
      if (!Keep)
        continue;
      Into.insert(&N);
      Needs(I, Need);
      addControl(Leaves[I], Need);
    }
  }

  /// A variable without an initialiser, a reference, or a type of one's own.
  static bool declaresNeeded(const Node &N, const std::set<VarId> &Need) {
    if (N.Kind != NodeKind::Declaration)
      return false;
    return N.Declares.empty() || llvm::any_of(N.Declares, [&](VarId Var) {
      return Need.count(Var) != 0;
    });
  }

  /// \p N sets the variable without looking at its old value.
  static bool isFullWrite(const Node &N, VarId Var) {
    return llvm::all_of(N.Refs, [&](const VarRef &R) {
      return R.Var != Var || (R.Write && !R.Read && !R.Partial);
    });
  }

  bool isFetch(size_t I) const {
    const Node &N = *Leaves[I].Statement;
    return isLdg(I) && !Roles[I].Address && !N.Loads.empty();
  }

  static void addReads(const Node &N, std::set<VarId> &Need) {
    for (const VarRef &R : N.Refs)
      if (R.Read)
        Need.insert(R.Var);
  }

  /// What \p N reads besides the addresses that are kept.
  void addReadsUnkept(const Node &N, std::set<VarId> &Need) const {
    for (const VarRef &R : N.Refs)
      if (R.Read && !insideKept(R.Range))
        Need.insert(R.Var);
  }

  void placePoint() {
    if (Plan.Kept.empty())
      return;
    auto IsRoot = [&](size_t I) {
      return llvm::any_of(Plan.Kept, [&](const KeptAddress &K) {
        return Leaves[I].Statement->Range.contains(K.Range);
      });
    };
    auto Needs = [&](size_t I, std::set<VarId> &Need) {
      for (const VarRef &R : Leaves[I].Statement->Refs)
        if (R.Read && (!IsRoot(I) || insideKept(R.Range)))
          Need.insert(R.Var);
    };
    close(P.Point, {}, IsRoot, Needs, false);
  }

  void placeEarly() {
    auto IsRoot = [&](size_t I) {
      const Node &N = *Leaves[I].Statement;
      return N.WholeCall || isAsyncStore(N) || isFetch(I);
    };
    auto Needs = [&](size_t I, std::set<VarId> &Need) {
      const Node &N = *Leaves[I].Statement;
      if (!isFetch(I))
        return addReadsUnkept(N, Need);
      for (const GlobalLoad &L : N.Loads) {
        for (const VarRef &R : N.Refs) {
          bool Inside = R.Range.empty() || L.Range.contains(R.Range);
          for (const TextRange &Condition : L.Conditions)
            Inside |= Condition.contains(R.Range);
          if (R.Read && Inside && !insideKept(R.Range))
            Need.insert(R.Var);
        }
      }
    };
    // Temporaries of asynchronous copies: their addresses are needed early.
    std::set<VarId> Need = Plan.Slice.Ahead;
    for (const Node *N : Temporaries)
      addReadsUnkept(*N, Need);
    close(P.Early, Need, IsRoot, Needs, true);
  }

  void placeLate() {
    auto IsRoot = [&](size_t I) { return isLdg(I); };
    auto Needs = [&](size_t I, std::set<VarId> &Need) {
      for (const VarRef &R : Leaves[I].Statement->Refs)
        if (R.Read && !(isFetch(I) && Plan.isStaged(R.Range)) && !insideKept(R.Range))
          Need.insert(R.Var);
    };
    close(P.Late, {}, IsRoot, Needs, false);
  }

  void placeWhole() {
    auto IsRoot = [&](size_t I) {
      return (Roles[I].Stores || Roles[I].Value) &&
             !Temporaries.count(Leaves[I].Statement);
    };
    auto Needs = [&](size_t I, std::set<VarId> &Need) {
      addReadsUnkept(*Leaves[I].Statement, Need);
    };
    std::set<VarId> Need = Plan.Slice.Ahead;
    for (const Node *N : Temporaries)
      addReadsUnkept(*N, Need);
    close(P.Whole, Need, IsRoot, Needs, true);
  }

  /// What the early part writes runs ahead, whether it is carried or not.
  void collectAhead() {
    for (size_t I = 0; I < Leaves.size(); ++I) {
      const Node &N = *Leaves[I].Statement;
      if (!P.Early.count(&N))
        continue;
      bool Fetch = isFetch(I);
      for (const VarRef &R : N.Refs)
        if (R.Write && isOutside(R.Var) && (!Fetch || Plan.isStaged(R.Range)))
          Plan.Slice.Ahead.insert(R.Var);
      for (const Node *Control : Leaves[I].Control)
        for (const VarRef &R : Control->Refs)
          if (R.Write && isOutside(R.Var))
            Plan.Slice.Ahead.insert(R.Var);
    }
  }

  bool writesOnlyMoved(const Node &N) const {
    bool Any = false, Only = true;
    visitNodes(N, [&](const Node &Each) {
      Only &= Each.Declares.empty();
      for (const VarRef &R : Each.Refs)
        if (R.Write) {
          Any = true;
          Only &= Plan.Slice.Ahead.count(R.Var) && !P.Cloned.count(R.Var);
        }
    });
    return Any && Only;
  }

  /// The compute phase keeps its own copy of what it reads.
  void placeCurrent() {
    std::set<VarId> Forced;
    if (Plan.Shape != Form::Peel) {
      for (const VarRef &R : Facts.ConditionNode.Refs)
        Forced.insert(R.Var);
      for (const Node &N : Facts.Increments)
        for (const VarRef &R : N.Refs)
          Forced.insert(R.Var);
      Forced.insert(Facts.HeaderVars.begin(), Facts.HeaderVars.end());
    }
    for (VarId Var : Forced)
      if (Plan.Slice.Ahead.count(Var))
        P.Cloned.insert(Var);
    size_t Before;
    do {
      Before = P.Cloned.size();
      P.Current.clear();
      P.MovedUpdates.clear();
      std::set<VarId> Need = computeNeeds();
      for (size_t Kept = ~size_t(0); Kept != P.Current.size();) {
        Kept = P.Current.size();
        closeCurrent(Need);
      }
      for (VarId Var : Need)
        if (Plan.Slice.Ahead.count(Var))
          P.Cloned.insert(Var);
    } while (P.Cloned.size() != Before);
  }

  std::set<VarId> computeNeeds() {
    std::set<VarId> Need;
    auto Add = [&](const Node &N) { addReads(N, Need); };
    std::vector<size_t> Rest = V.Split.Compute;
    Rest.insert(Rest.end(), V.Split.Tail.begin(), V.Split.Tail.end());
    for (size_t I : Rest) {
      bool Update = llvm::is_contained(Plan.Slice.Updates, I);
      if (Update && writesOnlyMoved(Facts.Body[I]))
        P.MovedUpdates.insert(I);
      else
        visitNodes(Facts.Body[I], Add);
    }
    for (const Node &N : Facts.Increments)
      if (!writesOnlyMoved(N))
        Add(N);
    return Need;
  }

  void closeCurrent(std::set<VarId> &Need) {
    for (size_t I = Leaves.size(); I-- > 0;) {
      const Node &N = *Leaves[I].Statement;
      if (Roles[I].Stores)
        continue;
      bool Keep = false;
      for (const VarRef &R : N.Refs) {
        if (!R.Write)
          continue;
        if (!isOutside(R.Var))
          Keep |= Need.count(R.Var) != 0;
        else if (Plan.Slice.Ahead.count(R.Var))
          Keep |= P.Cloned.count(R.Var) != 0;
        else
          Keep |= !P.Late.count(&N);
      }
      Keep |= declaresNeeded(N, Need);
      if (!Keep)
        continue;
      P.Current.insert(&N);
      addReads(N, Need);
      addControl(Leaves[I], Need);
    }
  }

  void check() {
    for (VarId Var : P.Cloned)
      if (!Facts.Variables[Var].IsScalar || Facts.Variables[Var].IsReference)
        fail(Facts.Line, Facts.Column,
             "'" + Facts.Variables[Var].Name +
                 "' is no scalar or pointer that could run ahead");
    checkLateUpdates();
    checkPredicated();
    checkCurrentUpdates();
    checkOrder();
    checkRepeatedLate();
    checkMacros();
    checkCaptured();
  }

  /// A lambda from outside the loop sees the variable itself, which belongs to
  /// the compute phase where the copy phase has a clone.
  void checkCaptured() {
    auto Check = [&](const Node &N) {
      for (const VarRef &R : N.Refs)
        if (R.Captured && P.Cloned.count(R.Var))
          fail(N.Line, N.Column,
               "'" + Facts.Variables[R.Var].Name +
                   "' has to run ahead, and a lambda captured it by reference");
    };
    for (const CopyLeaf &Leaf : Leaves) {
      Check(*Leaf.Statement);
      for (const Node *Control : Leaf.Control)
        Check(*Control);
    }
    Check(Facts.ConditionNode);
    llvm::for_each(Facts.Increments, Check);
    for (size_t I : Plan.Slice.Updates)
      visitNodes(Facts.Body[I], Check);
  }

  bool writes(const Node &N, VarId Var) const {
    return llvm::any_of(N.Refs, [&](const VarRef &R) {
      return R.Write && R.Var == Var;
    });
  }

  /// What the compute phase keeps of the copy phase runs behind the store half.
  /// Statements that the author wrote in the other order must not meet in a
  /// variable (a register queue that is shifted before its head is set, say).
  void checkOrder() {
    for (size_t I = 0; I < Leaves.size(); ++I) {
      const Node &First = *Leaves[I].Statement;
      if (!P.Current.count(&First))
        continue;
      for (size_t J = I + 1; J < Leaves.size(); ++J) {
        const Node &Then = *Leaves[J].Statement;
        if (!P.Late.count(&Then) && !P.Whole.count(&Then))
          continue;
        for (const VarRef &A : First.Refs)
          for (const VarRef &B : Then.Refs)
            if (A.Var == B.Var && isOutside(A.Var) && (A.Write || B.Write) &&
                !P.Cloned.count(A.Var) && !Plan.isStaged(B.Range))
              fail(First.Line, First.Column,
                   "'" + Facts.Variables[A.Var].Name +
                       "' is used here before the copy phase sets it, and the "
                       "copy phase would come first");
      }
    }
  }

  /// The store half sees the ahead state as the early half left it. Where the
  /// copy phase goes on to change a variable, the store half must set it anew.
  void checkRepeatedLate() {
    for (size_t I = 0; I < Leaves.size(); ++I) {
      const Node &N = *Leaves[I].Statement;
      if (!P.Late.count(&N))
        continue;
      for (const VarRef &R : N.Refs) {
        if (!R.Read || !isOutside(R.Var) || Plan.isStaged(R.Range))
          continue;
        bool Later = false, Again = false;
        for (size_t J = 0; J < Leaves.size(); ++J) {
          const Node &Other = *Leaves[J].Statement;
          Later |= J > I && P.Early.count(&Other) && writes(Other, R.Var) &&
                   Plan.Slice.Ahead.count(R.Var);
          Again |= J < I && P.Late.count(&Other) && writes(Other, R.Var) &&
                   isFullWrite(Other, R.Var);
        }
        if (Later && !Again)
          fail(N.Line, N.Column,
               "'" + Facts.Variables[R.Var].Name +
                   "' is needed where the tile is stored, and the copy phase "
                   "changes it after that");
      }
    }
  }

  /// `A[i++]` advances i where the load stands: the compute phase's own i would
  /// stay behind.
  void checkCurrentUpdates() {
    for (const CopyLeaf &Leaf : Leaves)
      for (const VarRef &W : Leaf.Statement->Refs)
        if (W.Write && isOutside(W.Var) && P.Cloned.count(W.Var) &&
            !P.Current.count(Leaf.Statement))
          fail(Leaf.Statement->Line, Leaf.Statement->Column,
               "'" + Facts.Variables[W.Var].Name +
                   "' advances inside the copy and is read by the compute phase");
  }

  /// Condition, steps and updates are printed for the ahead state, with names
  /// exchanged; a macro's body cannot be.
  void checkMacros() {
    auto Check = [&](const Node &N) {
      for (const VarRef &R : N.Refs)
        if (R.InMacro && P.Cloned.count(R.Var))
          P.Failures.push_back({ReasonId::Macro, N.Line, N.Column,
                                "'" + Facts.Variables[R.Var].Name +
                                    "' has to run ahead, but is spelled in a "
                                    "macro's body here"});
    };
    Check(Facts.ConditionNode);
    llvm::for_each(Facts.Increments, Check);
    for (size_t I : Plan.Slice.Updates)
      visitNodes(Facts.Body[I], Check);
  }

  /// The store half must not need a value that the early half has moved past.
  void checkLateUpdates() {
    for (size_t I = 0; I < Leaves.size(); ++I) {
      const Node &N = *Leaves[I].Statement;
      if (!P.Late.count(&N))
        continue;
      for (const VarRef &R : N.Refs) {
        if (!R.Read || Plan.isStaged(R.Range) || !isOutside(R.Var))
          continue;
        for (size_t J = 0; J < Leaves.size(); ++J) {
          const Node &Other = *Leaves[J].Statement;
          bool Early = P.Early.count(&Other) != 0;
          for (const VarRef &W : Other.Refs)
            if (Early && W.Var == R.Var && W.Write && !isFullWrite(Other, W.Var) &&
                (!isFetch(J) || Plan.isStaged(W.Range)))
              fail(N.Line, N.Column,
                   "'" + Facts.Variables[R.Var].Name +
                       "' decides where to load and where to store, and changes "
                       "in between");
        }
      }
      for (const VarRef &W : N.Refs)
        if (W.Write && isOutside(W.Var) && Plan.Slice.Ahead.count(W.Var) &&
            !Plan.isStaged(W.Range) && isLdg(I) && !isFullWrite(N, W.Var))
          fail(N.Line, N.Column,
               "'" + Facts.Variables[W.Var].Name +
                   "' advances in the statement that stores the tile");
    }
  }

  /// A private value that outlives the iteration must not be stored twice.
  void checkPredicated() {
    for (size_t I = 0; I < Leaves.size(); ++I) {
      const Node &N = *Leaves[I].Statement;
      if (!P.Late.count(&N) || !P.Current.count(&N))
        continue;
      for (const VarRef &W : N.Refs)
        if (W.Write && isOutside(W.Var))
          fail(N.Line, N.Column,
               "'" + Facts.Variables[W.Var].Name +
                   "' would have to be assigned twice in one iteration");
    }
  }

  void fail(unsigned Line, unsigned Column, std::string Message) {
    for (const Reason &R : P.Failures)
      if (R.Line == Line && R.Message == Message)
        return;
    P.Failures.push_back(
        {ReasonId::AddressDependsOnCompute, Line, Column, std::move(Message)});
  }

  const LoopFacts &Facts;
  const Verdict &V;
  LoopPlan &Plan;
  Placement &P;
  std::vector<CopyLeaf> Leaves;
  std::vector<LeafRole> Roles;
  std::set<const Node *> Temporaries;
};

} // namespace

void placeStatements(const LoopFacts &Facts, const Verdict &V,
                     llvm::StringRef Buffer, LoopPlan &Plan) {
  Placer(Facts, V, Buffer, Plan).run();
}

} // namespace pipeline_rewrite
