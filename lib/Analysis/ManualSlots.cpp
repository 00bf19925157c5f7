#include "Analysis/ManualSlots.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <set>

using namespace clang;

namespace pipeline_rewrite {

namespace {

bool mentions(const Expr *E, const ValueDecl *D) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && Ref->getDecl() == D)
    return true;
  return llvm::any_of(E->children(), [&](const Stmt *Child) {
    return isa_and_nonnull<Expr>(Child) && mentions(cast<Expr>(Child), D);
  });
}

bool isSmallConstant(const Expr *E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E->isValueDependent())
    return false;
  return E->EvaluateAsInt(Result, Context) && Result.Val.getInt().isNonNegative() &&
         Result.Val.getInt().getLimitedValue() <= 16;
}

/// `x ^ c`, `c - x`, `x % c`, `x & 1`, `!x` with a small c.
bool alternates(const Expr *E, const ASTContext &Context) {
  E = stripCasts(E);
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return Op->getOpcode() == UO_LNot;
  const auto *Op = dyn_cast<BinaryOperator>(E);
  if (!Op)
    return false;
  switch (Op->getOpcode()) {
  case BO_Xor:
  case BO_XorAssign:
  case BO_Rem:
  case BO_RemAssign:
  case BO_And:
    return isSmallConstant(Op->getRHS(), Context) ||
           isSmallConstant(Op->getLHS(), Context);
  case BO_Sub:
    return isSmallConstant(Op->getLHS(), Context);
  default:
    return false;
  }
}

class SlotDetector {
public:
  SlotDetector(LoopFacts &Facts, const TreeContext &Tree)
      : Facts(Facts), Tree(Tree) {
    for (const Node &N : Facts.Increments)
      collectWrites(N);
    for (const Node &N : Facts.Body)
      forEachNode(N, [&](const Node &At) { collectWrites(At); });
  }

  bool isSlotIndex(VarId V, unsigned Depth = 0) const {
    const ValueDecl *D = Tree.Tables.declarations()[V];
    if (Depth > 3 || !Written.count(V))
      return false;
    for (const Expr *Source : Tree.Model.sources(D)) {
      const Expr *Value = stripCasts(Source);
      // A reference bound to a slot: the index is in what it is bound to.
      if (D->getType()->isReferenceType()) {
        for (VarId Index = 0; Index < Facts.Variables.size(); ++Index)
          if (Index != V &&
              mentions(Value, Tree.Tables.declarations()[Index]) &&
              isSlotIndex(Index, Depth + 1))
            return true;
        continue;
      }
      if (alternates(Value, Tree.Context) &&
          (mentions(Value, D) || mentionsWritten(Value, D)))
        return true;
    }
    return togglesInPlace(V);
  }

private:
  void collectWrites(const Node &N) {
    for (const VarRef &R : N.Refs)
      if (R.Write)
        Written.insert(R.Var);
    Written.insert(N.Declares.begin(), N.Declares.end());
  }
  bool mentionsWritten(const Expr *E, const ValueDecl *Except) const {
    for (VarId V : Written) {
      const ValueDecl *D = Tree.Tables.declarations()[V];
      bool Carried = Facts.Variables[V].Scope != VarScope::Body;
      if (D != Except && Carried && mentions(E, D))
        return true;
    }
    return false;
  }
  /// `slot ^= 1`: the right-hand side alone does not show the toggling.
  bool togglesInPlace(VarId V) const {
    bool Found = false;
    for (const Node &N : Facts.Body)
      forEachNode(N, [&](const Node &At) {
        if (At.Kind != NodeKind::Expression)
          return;
        llvm::StringRef Code = Tree.Text.text(At.Range);
        bool Writes = llvm::any_of(At.Refs, [&](const VarRef &R) {
          return R.Var == V && R.Write;
        });
        Found |= Writes && (Code.contains("^=") || Code.contains("%="));
      });
    return Found;
  }

  LoopFacts &Facts;
  const TreeContext &Tree;
  std::set<VarId> Written;
};

} // namespace

void detectManualSlots(LoopFacts &Facts, const TreeContext &Tree) {
  SlotDetector Detector(Facts, Tree);
  std::set<ObjectId> WrittenBySlot, ReadBySlot;
  auto Visit = [&](const Node &N) {
    for (const Effect &E : N.Effects) {
      if (!E.Object || Facts.Objects[*E.Object].Where != Space::Shared)
        continue;
      if (!llvm::any_of(E.IndexVars, [&](VarId V) { return Detector.isSlotIndex(V); }))
        continue;
      (E.Kind == EffectKind::Read ? ReadBySlot : WrittenBySlot).insert(*E.Object);
      Facts.SlotLine = E.Line;
      Facts.SlotColumn = E.Column;
    }
  };
  // A reference bound to a slot carries the index in its declaration.
  for (const Node &N : Facts.Body)
    forEachNode(N, Visit);
  for (ObjectId Object : WrittenBySlot)
    Facts.UsesManualSlots |= ReadBySlot.count(Object) != 0;
}

std::string parameterTile(const LoopFacts &Facts) {
  if (Facts.IsKernel)
    return "";
  std::set<ObjectId> Written, Read;
  for (const Node &Top : Facts.Body)
    forEachNode(Top, [&](const Node &N) {
      bool Loads = !N.Loads.empty();
      for (const Effect &E : N.Effects) {
        if (!E.Object || !Facts.Objects[*E.Object].IsParameter)
          continue;
        if (E.Kind == EffectKind::Write && Loads)
          Written.insert(*E.Object);
        if (E.Kind == EffectKind::Read)
          Read.insert(*E.Object);
      }
    });
  for (ObjectId Id : Written)
    if (Read.count(Id))
      return Facts.Objects[Id].Name;
  return "";
}

bool streamsGlobalToShared(const LoopFacts &Facts) {
  // Private variables that hold something loaded from global memory.
  std::set<VarId> Loaded;
  bool Grew = true;
  auto CarriesLoad = [&](const Node &N) {
    // Who knows what a call without a body returns.
    bool Unknown = llvm::any_of(N.Effects, [](const Effect &E) {
      return E.Kind == EffectKind::Opaque;
    });
    bool Reads = llvm::any_of(N.Effects, [&](const Effect &E) {
      return E.Kind == EffectKind::Read && E.What.empty() && E.Object &&
             Facts.Objects[*E.Object].Where != Space::Shared;
    });
    return Unknown || Reads || llvm::any_of(N.Refs, [&](const VarRef &R) {
      return R.Read && Loaded.count(R.Var);
    });
  };
  auto Spread = [&](const Node &N) {
    if (N.Kind == NodeKind::Loop || N.Kind == NodeKind::If || !CarriesLoad(N))
      return;
    for (const VarRef &R : N.Refs)
      if (R.Write)
        Grew |= Loaded.insert(R.Var).second;
  };
  while (Grew) {
    Grew = false;
    for (const Node &N : Facts.Body)
      forEachNode(N, Spread);
  }
  // What a loop further in with barriers of its own copies is that loop's.
  std::function<bool(const Node &)> Streams = [&](const Node &N) {
    if (N.Kind == NodeKind::Loop && N.NestedBarrier)
      return false;
    return N.WholeCall || (!N.Stores.empty() && CarriesLoad(N)) ||
           llvm::any_of(N.Children, Streams);
  };
  return llvm::any_of(Facts.Body, Streams) || !parameterTile(Facts).empty();
}

} // namespace pipeline_rewrite
