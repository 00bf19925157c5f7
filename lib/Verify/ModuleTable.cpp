#include "Verify/DeviceModule.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// Builds the tables that the machine finds a module's contents by. Their
/// layouts are those of the structs in runtime/src/Module.h.
class TableWriter {
public:
  explicit TableWriter(Module &M)
      : M(M), C(M.getContext()), Ptr(PointerType::get(C, 0)),
        I64(Type::getInt64Ty(C)) {}

  Constant *text(StringRef Text) { return addText(M, Text); }
  Constant *number(uint64_t N) { return ConstantInt::get(I64, N); }

  void emit(StringRef Name, StructType *Row, ArrayRef<Constant *> Rows) {
    Constant *Init = ConstantArray::get(ArrayType::get(Row, Rows.size()), Rows);
    addGlobal(M, Init, true, GlobalValue::ExternalLinkage, Name);
    addGlobal(M, number(Rows.size()), true, GlobalValue::ExternalLinkage,
              Name + "_count");
  }

  Module &M;
  LLVMContext &C;
  PointerType *Ptr;
  Type *I64;
};

/// A function that takes a kernel's arguments as CUDA's launch call hands them
/// over: an array of addresses.
Function *makeEntry(Module &M, Function &Kernel, unsigned Number) {
  LLVMContext &C = M.getContext();
  PointerType *Ptr = PointerType::get(C, 0);
  Function *Entry = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
      GlobalValue::InternalLinkage, "pr_entry_" + Twine(Number), M);
  IRBuilder<> B(BasicBlock::Create(C, "", Entry));
  std::vector<Value *> Arguments;
  for (Argument &A : Kernel.args()) {
    Value *Slot = B.CreateConstGEP1_64(Ptr, Entry->getArg(0), Arguments.size());
    Value *Address = B.CreateLoad(Ptr, Slot);
    if (A.hasByValAttr())
      Arguments.push_back(Address);
    else if (A.getType()->isIntegerTy(1))
      Arguments.push_back(B.CreateTrunc(
          B.CreateAlignedLoad(B.getInt8Ty(), Address, Align(1)), A.getType()));
    else
      Arguments.push_back(B.CreateAlignedLoad(A.getType(), Address, Align(1)));
  }
  CallInst *Call = B.CreateCall(&Kernel, Arguments);
  Call->setAttributes(Kernel.getAttributes());
  Call->setCallingConv(Kernel.getCallingConv());
  B.CreateRetVoid();
  // The argument array is the launcher's memory; only the kernel is watched.
  Entry->addFnAttr("pr.unwatched");
  Kernel.addFnAttr(Attribute::NoInline);
  return Entry;
}

std::vector<Function *> kernelsOf(Module &M) {
  std::vector<Function *> Kernels;
  NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations");
  if (!Annotations)
    return Kernels;
  for (MDNode *Node : Annotations->operands()) {
    auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(1));
    auto *F = mdconst::dyn_extract_or_null<Function>(Node->getOperand(0));
    if (Name && F && Name->getString() == "kernel" && !F->isDeclaration())
      Kernels.push_back(F);
  }
  return Kernels;
}

/// The shared arrays that \p F or what it calls asks the machine for.
std::set<uint64_t> sharedObjectsOf(Function &F) {
  std::set<uint64_t> Objects;
  std::set<Function *> Seen{&F};
  std::vector<Function *> Open{&F};
  while (!Open.empty()) {
    Function *Each = Open.back();
    Open.pop_back();
    for (BasicBlock &BB : *Each)
      for (Instruction &I : BB) {
        for (Use &Operand : I.operands())
          if (auto *Called = dyn_cast<Function>(Operand); Called && Seen.insert(Called).second)
            Open.push_back(Called);
        auto *Call = dyn_cast<CallInst>(&I);
        Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          auto *Number = Callee && Callee->getName() == SharedObjectFunction
                           ? dyn_cast<ConstantInt>(Call->getArgOperand(0))
                           : nullptr;
        if (Number)
          Objects.insert(Number->getZExtValue());
      }
  }
  return Objects;
}

/// What the static arrays of \p Kernel take of a block's shared memory at least.
uint64_t staticSharedBytes(Function &Kernel, ArrayRef<SharedObject> Shared) {
  std::vector<SharedObject> Own;
  for (uint64_t Number : sharedObjectsOf(Kernel))
    Own.push_back(Shared[Number]);
  // The strictest first leaves no gaps.
  llvm::stable_sort(Own, [](const SharedObject &A, const SharedObject &B) {
    return A.Alignment > B.Alignment;
  });
  uint64_t Bytes = 0;
  for (const SharedObject &O : Own)
    Bytes = alignTo(Bytes, std::max<uint64_t>(O.Alignment, 1)) + O.Bytes;
  return Bytes;
}

/// Flags of struct Module in runtime/src: bit 0 "has atomics".
uint64_t moduleFlags(Module &M) {
  for (Function &F : M)
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
          return 1;
  return 0;
}

} // namespace

void emitModuleTable(Module &M, ArrayRef<SharedObject> Shared) {
  TableWriter W(M);
  StructType *KernelRow = StructType::get(W.Ptr, W.Ptr, W.I64);
  std::vector<Constant *> Kernels;
  for (Function *F : kernelsOf(M)) {
    Constant *Static = W.number(staticSharedBytes(*F, Shared));
    Constant *Name = W.text(F->getName());
    F->setLinkage(GlobalValue::InternalLinkage);
    F->setComdat(nullptr);
    Kernels.push_back(ConstantStruct::get(
        KernelRow, {Name, makeEntry(M, *F, Kernels.size()), Static}));
  }
  StructType *SharedRow = StructType::get(W.Ptr, W.I64, W.I64);
  std::vector<Constant *> Objects;
  for (const SharedObject &O : Shared)
    Objects.push_back(ConstantStruct::get(
        SharedRow, {W.text(O.Name), W.number(O.Bytes), W.number(O.Alignment)}));
  StructType *VariableRow = StructType::get(W.Ptr, W.Ptr, W.I64);
  std::vector<Constant *> Variables;
  std::vector<GlobalVariable *> Globals;
  for (GlobalVariable &G : M.globals())
    if (!G.isConstant() && !G.isDeclaration() && !G.getName().empty())
      Globals.push_back(&G);
  for (GlobalVariable *G : Globals)
    Variables.push_back(ConstantStruct::get(
        VariableRow,
        {W.text(G->getName()), G,
         W.number(M.getDataLayout().getTypeAllocSize(G->getValueType()))}));
  W.emit("pr_kernels", KernelRow, Kernels);
  W.emit("pr_shared_objects", SharedRow, Objects);
  W.emit("pr_variables", VariableRow, Variables);
  addGlobal(M, W.number(moduleFlags(M)), true, GlobalValue::ExternalLinkage,
            "pr_module_flags");
  if (NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations"))
    Annotations->eraseFromParent();
  for (Function &F : M)
    if (!F.isDeclaration()) {
      F.setLinkage(GlobalValue::InternalLinkage);
      F.setComdat(nullptr);
    }
}

} // namespace pipeline_rewrite
