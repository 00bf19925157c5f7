#include "Verify/DeviceModule.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

constexpr unsigned SharedSpace = 3; // NVPTX's number for shared memory.

/// The machine's function that returns the address of a built-in variable of
/// the thread that runs.
const char *builtinVariable(StringRef Name) {
  return StringSwitch<const char *>(Name)
      .Case("threadIdx", "pr_thread_index")
      .Case("blockIdx", "pr_block_index")
      .Case("blockDim", "pr_block_dim")
      .Case("gridDim", "pr_grid_dim")
      .Default(nullptr);
}

/// A function whose result is the same in all of one thread's life, so that the
/// optimiser may call it once.
FunctionCallee constantGetter(Module &M, StringRef Name,
                              ArrayRef<Type *> Parameters) {
  LLVMContext &C = M.getContext();
  AttrBuilder B(C);
  B.addAttribute(Attribute::NoUnwind)
      .addAttribute(Attribute::WillReturn)
      .addMemoryAttr(MemoryEffects::none());
  AttributeList Attributes =
      AttributeList::get(C, AttributeList::FunctionIndex, B);
  return M.getOrInsertFunction(
      Name, FunctionType::get(PointerType::get(C, 0), Parameters, false),
      Attributes);
}

/// Replaces every use of \p G inside functions by what \p Make builds at the
/// start of the function, once for each function.
void replaceInFunctions(GlobalVariable &G,
                        function_ref<Value *(IRBuilder<> &)> Make) {
  convertUsersOfConstantsToInstructions({&G});
  std::map<Function *, Value *> Made;
  for (Use &U : make_early_inc_range(G.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue;
    Function *F = I->getFunction();
    Value *&V = Made[F];
    if (!V) {
      IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
      V = Make(B);
    }
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(I)) {
      Cast->replaceAllUsesWith(V);
      Cast->eraseFromParent();
      continue;
    }
    IRBuilder<> B(I);
    if (auto *Phi = dyn_cast<PHINode>(I))
      B.SetInsertPoint(Phi->getIncomingBlock(U)->getTerminator());
    U.set(B.CreateAddrSpaceCast(V, G.getType()));
  }
}

/// The variable's name as written: the last part of the mangled name.
std::string writtenName(StringRef Mangled) {
  std::string Name = demangle(Mangled);
  size_t Colon = Name.rfind("::");
  return Colon == std::string::npos ? Name : Name.substr(Colon + 2);
}

SharedObject lowerShared(Module &M, GlobalVariable &G, unsigned Number) {
  SharedObject Object;
  Object.Name = writtenName(G.getName());
  Object.Bytes = G.isDeclaration()
                     ? 0
                     : M.getDataLayout().getTypeAllocSize(G.getValueType());
  Object.Alignment = G.getAlign().valueOrOne().value();
  FunctionCallee Getter = constantGetter(M, SharedObjectFunction,
                                         {Type::getInt32Ty(M.getContext())});
  replaceInFunctions(G, [&](IRBuilder<> &B) {
    return B.CreateCall(Getter, {B.getInt32(Number)});
  });
  return Object;
}

/// Device and constant variables: the same variable in the one address space.
void flatten(Module &M, GlobalVariable &G) {
  GlobalVariable *Flat =
      addGlobal(M,
                G.hasInitializer() ? G.getInitializer()
                                   : Constant::getNullValue(G.getValueType()),
                G.isConstant(), GlobalValue::InternalLinkage);
  Flat->setAlignment(G.getAlign());
  for (User *U : make_early_inc_range(G.users()))
    if (auto *CE = dyn_cast<ConstantExpr>(U);
        CE && CE->getOpcode() == Instruction::AddrSpaceCast &&
        CE->getType()->getPointerAddressSpace() == 0)
      CE->replaceAllUsesWith(Flat);
  G.removeDeadConstantUsers();
  if (!G.use_empty())
    G.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(Flat, G.getType()));
  Flat->takeName(&G);
}

} // namespace

bool isMachineVariable(StringRef Name) {
  return Name == "pr_thread_index" || Name == "pr_block_index" ||
         Name == "pr_block_dim" || Name == "pr_grid_dim";
}

std::vector<SharedObject> lowerGlobals(Module &M) {
  for (const char *List : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M.getGlobalVariable(List))
      Used->eraseFromParent();
  std::vector<SharedObject> Shared;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (G.getAddressSpace() == 0)
      continue;
    G.removeDeadConstantUsers();
    if (const char *Getter = builtinVariable(G.getName())) {
      FunctionCallee Callee = constantGetter(M, Getter, {});
      replaceInFunctions(G,
                         [&](IRBuilder<> &B) { return B.CreateCall(Callee); });
    } else if (G.getAddressSpace() == SharedSpace) {
      Shared.push_back(lowerShared(M, G, Shared.size()));
    } else {
      flatten(M, G);
    }
    if (G.use_empty())
      G.eraseFromParent();
  }
  return Shared;
}

} // namespace pipeline_rewrite
