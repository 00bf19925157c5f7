#include "Verify/DeviceModule.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// The lines that the machine may have to name, numbered.
class SiteTable {
public:
  SiteTable(Module &M, StringRef HeaderDir) : M(M), HeaderDir(HeaderDir) {}

  ConstantInt *siteOf(const Instruction &I) {
    std::string File;
    unsigned Line = 0, Column = 0;
    const DILocation *L = I.getDebugLoc().get();
    // The innermost place that is the user's own text.
    while (L && L->getInlinedAt() && L->getFilename().starts_with(HeaderDir))
      L = L->getInlinedAt();
    if (L && L->getLine() != 0) {
      File = L->getFilename().str();
      Line = L->getLine();
      Column = L->getColumn();
    } else if (const DISubprogram *P = I.getFunction()->getSubprogram()) {
      File = P->getFilename().str();
      Line = P->getLine();
    }
    auto [It, New] = Numbers.try_emplace({File, Line, Column}, Sites.size());
    if (New)
      Sites.push_back(It->first);
    return ConstantInt::get(Type::getInt32Ty(M.getContext()), It->second);
  }

  /// Fills the module's table: struct { const char *File; u32 Line, Column; }.
  void emit() {
    LLVMContext &C = M.getContext();
    Type *I32 = Type::getInt32Ty(C);
    StructType *Row = StructType::get(PointerType::get(C, 0), I32, I32);
    std::map<std::string, Constant *> Files;
    std::vector<Constant *> Rows;
    for (const auto &[File, Line, Column] : Sites) {
      Constant *&Text = Files[File];
      if (!Text)
        Text = addText(M, File);
      Rows.push_back(
          ConstantStruct::get(Row, {Text, ConstantInt::get(I32, Line),
                                    ConstantInt::get(I32, Column)}));
    }
    Constant *Init = ConstantArray::get(ArrayType::get(Row, Rows.size()), Rows);
    addGlobal(M, Init, true, GlobalValue::ExternalLinkage, "pr_sites");
    addGlobal(M, ConstantInt::get(I32, Rows.size()), true,
              GlobalValue::ExternalLinkage, "pr_site_count");
  }

private:
  using Place = std::tuple<std::string, unsigned, unsigned>;

  Module &M;
  StringRef HeaderDir;
  std::map<Place, unsigned> Numbers;
  std::vector<Place> Sites;
};

enum class AccessKind { Load, Store, Atomic };

class Instrumenter {
public:
  Instrumenter(Module &M, SiteTable &Sites)
      : M(M), DL(M.getDataLayout()), Sites(Sites) {
    Type *I32 = Type::getInt32Ty(M.getContext());
    Type *Ptr = PointerType::get(M.getContext(), 0);
    Type *Void = Type::getVoidTy(M.getContext());
    Load = M.getOrInsertFunction("pr_load", Void, Ptr, I32, I32, I32);
    Store = M.getOrInsertFunction("pr_store", Void, Ptr, I32, I32, I32);
    Atomic = M.getOrInsertFunction("pr_atomic", Void, Ptr, I32, I32, I32);
    Range = M.getOrInsertFunction("pr_range", Void, Ptr,
                                  Type::getInt64Ty(M.getContext()), I32, I32);
  }

  void visit(Instruction &I) {
    if (auto *L = dyn_cast<LoadInst>(&I))
      // The headers read before they exchange: an atomic of several steps.
      access(I, L->getPointerOperand(), L->getType(), L->getAlign(),
             L->isAtomic() ? AccessKind::Atomic : AccessKind::Load);
    else if (auto *S = dyn_cast<StoreInst>(&I))
      access(I, S->getPointerOperand(), S->getValueOperand()->getType(),
             S->getAlign(), AccessKind::Store);
    else if (auto *A = dyn_cast<AtomicRMWInst>(&I))
      access(I, A->getPointerOperand(), A->getType(), A->getAlign(),
             AccessKind::Atomic);
    else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
      access(I, X->getPointerOperand(), X->getNewValOperand()->getType(),
             X->getAlign(), AccessKind::Atomic);
    else if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
      memory(*Mem);
    else if (auto *Call = dyn_cast<CallInst>(&I))
      site(*Call);
    else if (isa<UnreachableInst>(&I))
      unreachable(I);
  }

private:
  /// Memory that no other thread can reach, or nobody can write.
  bool isPrivate(const Value *Object) const {
    if (isa<AllocaInst>(Object))
      return true;
    if (auto *G = dyn_cast<GlobalVariable>(Object))
      return G->isConstant();
    if (auto *A = dyn_cast<Argument>(Object))
      return A->hasByValAttr();
    if (auto *C = dyn_cast<CallInst>(Object))
      return C->getCalledFunction() &&
             isMachineVariable(C->getCalledFunction()->getName());
    return false;
  }

  /// The alignment in the low byte; the number of the shared array plus one
  /// above it where the pointer plainly comes from one array.
  ConstantInt *info(const Value *Object, Align Alignment) const {
    uint64_t Info = std::min<uint64_t>(Alignment.value(), 128);
    if (auto *C = dyn_cast<CallInst>(Object))
      if (C->getCalledFunction() &&
          C->getCalledFunction()->getName() == SharedObjectFunction)
        Info |= (cast<ConstantInt>(C->getArgOperand(0))->getZExtValue() + 1)
                << 8;
    return ConstantInt::get(Type::getInt32Ty(M.getContext()), Info);
  }

  void access(Instruction &I, Value *Pointer, Type *T, Align Alignment,
              AccessKind Kind) {
    const Value *Object = getUnderlyingObject(Pointer, 12);
    if (isPrivate(Object))
      return;
    IRBuilder<> B(&I);
    FunctionCallee Callee = Kind == AccessKind::Load    ? Load
                            : Kind == AccessKind::Store ? Store
                                                        : Atomic;
    B.CreateCall(Callee, {Pointer, B.getInt32(DL.getTypeStoreSize(T)),
                          Sites.siteOf(I), info(Object, Alignment)});
  }

  void range(MemIntrinsic &I, Value *Pointer, Align Alignment, bool IsStore) {
    const Value *Object = getUnderlyingObject(Pointer, 12);
    if (isPrivate(Object))
      return;
    IRBuilder<> B(&I);
    Value *Length = B.CreateZExtOrTrunc(I.getLength(), B.getInt64Ty());
    // The top bit of the info word says "store".
    uint64_t Info =
        info(Object, Alignment)->getZExtValue() | (IsStore ? 0x80000000u : 0u);
    B.CreateCall(Range, {Pointer, Length, Sites.siteOf(I), B.getInt32(Info)});
  }

  void memory(MemIntrinsic &I) {
    if (auto *T = dyn_cast<MemTransferInst>(&I))
      range(I, T->getRawSource(), T->getSourceAlign().valueOrOne(), false);
    range(I, I.getRawDest(), I.getDestAlign().valueOrOne(), true);
  }

  /// The optimiser ends a block so where the kernel's behaviour is undefined.
  /// What would run there is arbitrary, and no verdict may come of it.
  void unreachable(Instruction &I) {
    IRBuilder<> B(&I);
    FunctionCallee Unsupported = M.getOrInsertFunction(
        "pr_unsupported", B.getVoidTy(), PointerType::get(M.getContext(), 0),
        B.getInt32Ty());
    B.CreateCall(Unsupported,
                 {addText(M, "undefined behaviour"), Sites.siteOf(I)});
  }

  void site(CallInst &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->getName() != "pr_site")
      return;
    Call.replaceAllUsesWith(Sites.siteOf(Call));
    Dead.push_back(&Call);
  }

public:
  void finish() {
    for (Instruction *I : Dead)
      I->eraseFromParent();
  }

private:
  Module &M;
  const DataLayout &DL;
  SiteTable &Sites;
  FunctionCallee Load, Store, Atomic, Range;
  std::vector<Instruction *> Dead;
};

} // namespace

void instrument(Module &M, StringRef HeaderDir) {
  SiteTable Sites(M, HeaderDir);
  Instrumenter Visitor(M, Sites);
  for (Function &F : M) {
    if (F.hasFnAttribute("pr.unwatched"))
      continue;
    std::vector<Instruction *> Work;
    for (Instruction &I : instructions(F))
      Work.push_back(&I);
    for (Instruction *I : Work)
      Visitor.visit(*I);
  }
  Visitor.finish();
  Sites.emit();
}

} // namespace pipeline_rewrite
