#include "Analysis/BlockParts.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::BitVector;

namespace pipeline_rewrite {

namespace {

/// Joins the uses through different variables that overlap.
std::string dividePaths(const BlockLog &Log, const MemoryModel &Model,
                        std::vector<BlockFacts::Part> &Parts) {
  for (const auto &[Base, Bytes] : Log.loopBytes()) {
    const auto *Name = dyn_cast_or_null<VarDecl>(Base);
    bool Plain = Name && (Name->hasAttr<CUDASharedAttr>() ||
                          (Name->getType()->isPointerType() &&
                           !Model.isModified(Name) && !Model.isAddressTaken(Name)));
    if (!Plain)
      return Name ? "'" + Name->getNameAsString() +
                        "', which points into it, is no plain pointer that keeps "
                        "its value"
                  : "some of it is reached through more than one variable";
    BlockFacts::Part Joined{{Name}, Bytes};
    std::vector<BlockFacts::Part> Apart;
    for (BlockFacts::Part &P : Parts) {
      if (!P.Bytes.anyCommon(Joined.Bytes)) {
        Apart.push_back(std::move(P));
        continue;
      }
      Joined.Bytes |= P.Bytes;
      Joined.Names.insert(Joined.Names.end(), P.Names.begin(), P.Names.end());
    }
    Parts = std::move(Apart);
    Parts.push_back(std::move(Joined));
  }
  for (BlockFacts::Part &P : Parts)
    llvm::sort(P.Names, [](const VarDecl *A, const VarDecl *B) {
      return A->getLocation() < B->getLocation();
    });
  llvm::sort(Parts, [](const BlockFacts::Part &A, const BlockFacts::Part &B) {
    return A.Bytes.find_first() < B.Bytes.find_first();
  });
  return "";
}

/// Gaps narrower than this are not worth a slot of their own, bytes.
constexpr unsigned NarrowGap = 1024;

std::vector<ByteRange> rangesOf(const BitVector &Bytes) {
  std::vector<ByteRange> Ranges;
  for (unsigned Byte : Bytes.set_bits()) {
    if (Ranges.empty() || Byte - Ranges.back().End >= NarrowGap)
      Ranges.push_back({Byte, Byte});
    Ranges.back().End = Byte + 1;
  }
  return Ranges;
}

uint64_t endOf(const BitVector &Bytes) { return Bytes.find_last() + 1; }

/// Elements are what a step of the pointer, or of the decayed array, passes.
QualType elementOf(const VarDecl *Name, const ASTContext &Context) {
  QualType Type = Name->getType();
  if (const ArrayType *Array = Context.getAsArrayType(Type))
    return Array->getElementType();
  return Type->getPointeeType();
}

/// The type that elements of \p Name are made of, as its declaration spells it.
std::string spelledType(const VarDecl *Name, const ASTContext &Context) {
  TypeLoc Loc = Name->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  if (auto Array = Loc.getAs<ArrayTypeLoc>())
    Loc = Array.getElementLoc();
  else if (auto Pointer = Loc.getAs<PointerTypeLoc>())
    Loc = Pointer.getPointeeLoc();
  else
    return "";
  while (auto Row = Loc.getUnqualifiedLoc().IgnoreParens().getAs<ArrayTypeLoc>())
    Loc = Row.getElementLoc();
  Loc = Loc.getUnqualifiedLoc();
  if (Loc.getType()->isPointerType() || Loc.getAs<AutoTypeLoc>())
    return "";
  return textAt(Name->getLocation(), Context).spelled(Loc.getSourceRange());
}

class DynamicVariables : public RecursiveASTVisitor<DynamicVariables> {
public:
  std::vector<const ValueDecl *> All;
  bool VisitDeclRefExpr(DeclRefExpr *Ref) {
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (Var && Var->hasAttr<CUDASharedAttr>() && Var->hasExternalStorage() &&
        !llvm::is_contained(All, Var))
      All.push_back(Var);
    return true;
  }
};

void describePart(SharedVariable &S, const BlockFacts::Part &P,
                  const TreeContext &Tree) {
  BlockPart Part;
  Part.Bytes = {uint64_t(P.Bytes.find_first()), endOf(P.Bytes)};
  auto SizeOf = [&](QualType T) {
    return uint64_t(Tree.Context.getTypeSizeInChars(T).getQuantity());
  };
  for (const VarDecl *Name : P.Names) {
    QualType Step = elementOf(Name, Tree.Context);
    Part.Names.push_back({Name->getNameAsString(), SizeOf(Step),
                          spelledType(Name, Tree.Context),
                          SizeOf(Tree.Context.getBaseElementType(Step))});
  }
  QualType Element =
      Tree.Context.getBaseElementType(elementOf(P.Names.front(), Tree.Context));
  S.Name = P.Names.front()->getNameAsString();
  S.ElementType = Tree.Tables.spell(Element);
  S.ElementBytes = Tree.Context.getTypeSizeInChars(Element).getQuantity();
  S.Bytes = Part.Bytes.End - Part.Bytes.Begin;
  S.SymbolicBytes = std::to_string(S.Bytes);
  S.IsExtern = true;
  S.IsStaticArray = false;
  S.Part = std::move(Part);
}

} // namespace

static BlockFacts followBlock(const ASTContext &Context, const FunctionDecl *F,
                              const Stmt *Loop, MemoryModel &Model,
                              const Uniformity &Uniform, SummaryCache &Summaries,
                              BlockShape Shape, ThreadRun::Iterations How) {
  BlockLog Log;
  ThreadRun Run(Context, F, Loop, Model, Uniform, Summaries, Shape, How, Log);
  for (unsigned Z = 0; Z < Shape.Z && !Log.lost(); ++Z)
    for (unsigned Y = 0; Y < Shape.Y && !Log.lost(); ++Y)
      for (unsigned X = 0; X < Shape.X && !Log.lost(); ++X)
        Run.run(X, Y, Z);
  BlockFacts Block;
  if (Log.lost()) {
    Block.LossAt = Log.lossLocation();
    Block.Loss = Log.lossReason();
    return Block;
  }
  Block.Loss = dividePaths(Log, Model, Block.Parts);
  Block.LossAt = Loop->getBeginLoc();
  Block.Before = Log.touched(Place::Before);
  Block.BeforeWritten = Log.written(Place::Before);
  Block.After = Log.touched(Place::After);
  Block.Twice = Log.storedTwice();
  Block.OpenBefore = Log.uncovered(Place::Before);
  Block.OpenInLoop = Log.uncovered(Place::Loop);
  Block.OpenAfter = Log.uncovered(Place::After);
  return Block;
}

BlockFacts divideBlock(const ASTContext &Context, const FunctionDecl *F,
                       const Stmt *Loop, MemoryModel &Model,
                       const Uniformity &Uniform, SummaryCache &Summaries,
                       BlockShape Shape) {
  BlockFacts Block = followBlock(Context, F, Loop, Model, Uniform, Summaries, Shape,
                                 ThreadRun::Iterations::Any);
  if (Block.Loss.empty())
    return Block;
  // The loop's counter may decide where it reads.
  BlockFacts Each = followBlock(Context, F, Loop, Model, Uniform, Summaries, Shape,
                                ThreadRun::Iterations::Each);
  return Each.Loss.empty() ? Each : Block;
}

llvm::DenseMap<const ValueDecl *, Root> partObjects(const BlockFacts &Block,
                                                    const FunctionDecl *F) {
  llvm::DenseMap<const ValueDecl *, Root> Objects;
  DynamicVariables Dynamic;
  Dynamic.TraverseStmt(F->getBody());
  for (const ValueDecl *D : Dynamic.All)
    Objects[D] = {Root::Kind::Shared, Dynamic.All.front(), "", false};
  if (!Block.Loss.empty())
    return Objects;
  for (const BlockFacts::Part &P : Block.Parts) {
    const VarDecl *First = P.Names.front();
    for (const VarDecl *Name : P.Names)
      Objects[Name] = {Root::Kind::Shared, First, "",
                       !First->hasAttr<CUDASharedAttr>()};
  }
  return Objects;
}

void describeBlock(LoopFacts &Facts, const BlockFacts &Block,
                   const TreeContext &Tree) {
  Facts.BlockLoss = Block.Loss;
  if (!Block.Loss.empty()) {
    std::tie(Facts.BlockLossLine, Facts.BlockLossColumn) =
        Tree.Text.lineColumn(Block.LossAt);
    return;
  }
  // In an outer loop, after this loop is before it.
  BitVector Before = Block.Before, Open = Block.OpenAfter;
  if (Facts.InsideLoop) {
    Before |= Block.After;
    Open |= Block.OpenBefore;
  }
  BitVector Kept = Before, All = Before;
  Kept |= Open;
  All |= Block.After;
  for (const BlockFacts::Part &P : Block.Parts)
    All |= P.Bytes;
  Facts.BlockKept = rangesOf(Kept);
  Facts.BlockBytes = endOf(All);
  Facts.BlockUsedAgain = Block.After.any() || Facts.InsideLoop;
  BitVector Written = Block.BeforeWritten;
  if (Facts.InsideLoop)
    Written |= Block.After;
  for (SharedVariable &S : Facts.Shared) {
    const Root &Object = Tree.Tables.roots()[S.Object];
    auto P = llvm::find_if(Block.Parts, [&](const BlockFacts::Part &Part) {
      return Part.Names.front() == Object.Decl;
    });
    if (P == Block.Parts.end())
      continue;
    describePart(S, *P, Tree);
    S.StoredOnce = !P->Bytes.anyCommon(Block.Twice);
    S.ReadBefore = S.WrittenBefore = S.WrittenAfter = S.Escapes = false;
    S.MentionedBefore = S.MentionedAfter = false;
    S.OtherLoops.clear();
    S.ReadAfter = P->Bytes.anyCommon(Open);
    // What the loop reads without having written it must not come from before.
    BitVector Inherited = P->Bytes;
    Inherited &= Block.OpenInLoop;
    S.WritesBeforeCovered = !Inherited.anyCommon(Written);
    S.UseLine = Facts.Line;
    S.UseColumn = Facts.Column;
  }
}

} // namespace pipeline_rewrite
