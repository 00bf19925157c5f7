#include "Verify/DeviceModule.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// A call to the machine that ends with the line it was made from; the line
/// itself is filled in when everything has been inlined.
Value *callWithSite(IRBuilder<> &B, StringRef Name, Type *Result,
                    std::vector<Value *> Arguments) {
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Site = M.getOrInsertFunction("pr_site", B.getInt32Ty());
  Arguments.push_back(B.CreateCall(Site));
  std::vector<Type *> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  return B.CreateCall(
      M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false)),
      Arguments);
}

void lowerIntrinsic(CallInst &Call, StringRef Name) {
  IRBuilder<> B(&Call);
  if (Name == "llvm.nvvm.barrier0") {
    callWithSite(B, "pr_barrier", B.getVoidTy(), {});
  } else if (!Name.starts_with("llvm.nvvm.membar")) {
    callWithSite(B, "pr_unsupported", B.getVoidTy(),
                 {B.CreateGlobalString(("the built-in " + Name).str())});
    if (!Call.getType()->isVoidTy())
      Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
  }
  Call.eraseFromParent();
}

} // namespace

void lowerCalls(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration())
      continue;
    StringRef Name = F.getName();
    // These names mean something else in the C library.
    if (Name == "vprintf" || Name == "malloc" || Name == "free" ||
        Name == "__assert_fail") {
      F.setName("pr_device_" + Name);
      continue;
    }
    if (!Name.starts_with("llvm.nvvm."))
      continue;
    std::string Owned = Name.str();
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U))
        lowerIntrinsic(*Call, Owned);
    if (F.use_empty())
      F.eraseFromParent();
  }
}

} // namespace pipeline_rewrite
