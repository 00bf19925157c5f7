#include "Verify/DeviceModule.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace pipeline_rewrite {

/// Gives the module the triple and the data layout of this machine, and takes
/// away what only the GPU's back end understands.
static Error retarget(Module &M) {
  InitializeNativeTarget();
  std::string Triple = sys::getDefaultTargetTriple();
  std::string Message;
  const Target *Native = TargetRegistry::lookupTarget(Triple, Message);
  if (!Native)
    return createStringError("cannot compile for this machine: " + Message);
  std::unique_ptr<TargetMachine> Machine(Native->createTargetMachine(
      Triple, "", "", TargetOptions(), Reloc::PIC_));
  M.setTargetTriple(Triple);
  M.setDataLayout(Machine->createDataLayout());
  AttributeMask GpuOnly;
  for (const char *Name : {"target-cpu", "target-features", "tune-cpu",
                           "uniform-work-group-size", "frame-pointer"})
    GpuOnly.addAttribute(Name);
  for (Function &F : M) {
    F.removeFnAttrs(GpuOnly);
    F.setDSOLocal(false);
  }
  return Error::success();
}

// GCC takes LLVM's own operator new and delete for a mismatch.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
GlobalVariable *addGlobal(Module &M, Constant *Init, bool IsConstant,
                          GlobalValue::LinkageTypes Linkage,
                          const Twine &Name) {
  return new GlobalVariable(M, Init->getType(), IsConstant, Linkage, Init,
                            Name);
}
#pragma GCC diagnostic pop

Constant *addText(Module &M, StringRef Text) {
  return addGlobal(M, ConstantDataArray::getString(M.getContext(), Text), true,
                   GlobalValue::PrivateLinkage);
}

void optimizeForMachine(Module &M) {
  // Vector code would turn several accesses into one, and one line into none.
  PipelineTuningOptions Tuning;
  Tuning.LoopVectorization = false;
  Tuning.SLPVectorization = false;
  Tuning.LoopInterleaving = false;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder Builder(nullptr, Tuning);
  Builder.registerModuleAnalyses(MAM);
  Builder.registerCGSCCAnalyses(CGAM);
  Builder.registerFunctionAnalyses(FAM);
  Builder.registerLoopAnalyses(LAM);
  Builder.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O1).run(M, MAM);
}

Error lowerDeviceModule(StringRef In, StringRef Out,
                        const DeviceModuleOptions &Options) {
  LLVMContext Context;
  // That a loop was not unrolled concerns nobody here.
  Context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {});
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> M = parseIRFile(In, Diagnostic, Context);
  if (!M)
    return createStringError("cannot read the compiled kernels: " +
                             Diagnostic.getMessage());
  if (Error E = retarget(*M))
    return E;
  std::vector<SharedObject> Shared = lowerGlobals(*M);
  lowerPtx(*M);
  lowerCalls(*M);
  emitModuleTable(*M, Shared);
  optimizeForMachine(*M);
  instrument(*M, Options.HeaderDir);
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(*M, &BrokenStream))
    return createStringError("the lowered kernels are not valid: " + Broken);
  std::error_code EC;
  raw_fd_ostream OS(Out, EC);
  if (EC)
    return createStringError("cannot write " + Out + ": " + EC.message());
  WriteBitcodeToFile(*M, OS);
  return Error::success();
}

} // namespace pipeline_rewrite
