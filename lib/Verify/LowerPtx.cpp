#include "Verify/DeviceModule.h"
#include "Verify/Ptx.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

#include <map>

using namespace llvm;

namespace pipeline_rewrite {

namespace {

/// One asm statement while it is turned into calls.
class PtxLowering {
public:
  PtxLowering(CallInst &Call, const InlineAsm &Asm)
      : M(*Call.getModule()), Call(Call), B(&Call),
        Program(parsePtx(Asm.getAsmString())) {
    bindOperands(Asm);
  }

  void run() {
    for (const PtxInstruction &I : Program)
      if (!lower(I)) {
        unsupported(I.Text);
        return;
      }
    finish();
  }

private:
  /// Numbers the operands as the text does: outputs, then inputs. An output
  /// that is also read starts with the value of the input tied to it.
  void bindOperands(const InlineAsm &Asm) {
    std::vector<unsigned> Tied;
    unsigned Argument = 0, Number = 0;
    for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
      if (C.Type == InlineAsm::isOutput && !C.isIndirect) {
        Outputs.push_back(Number);
        Values["$" + std::to_string(Number++)] = nullptr;
      } else if (C.Type == InlineAsm::isInput) {
        Value *V = Call.getArgOperand(Argument++);
        Values["$" + std::to_string(Number++)] = V;
        if (!C.Codes.empty() && isdigit(C.Codes[0][0]))
          Values["$" + C.Codes[0]] = V;
      }
    }
  }

  Value *value(StringRef Operand) {
    Operand.consume_front("[");
    Operand.consume_back("]");
    uint64_t N;
    if (!Operand.getAsInteger(0, N))
      return B.getInt64(N);
    if (Operand == "%laneid")
      return B.CreateCall(M.getOrInsertFunction("pr_lane", B.getInt32Ty()));
    auto It = Values.find(Operand.str());
    return It == Values.end() ? nullptr : It->second;
  }
  Value *as(StringRef Operand, Type *T) {
    Value *V = value(Operand);
    if (!V)
      return nullptr;
    if (V->getType()->isPointerTy())
      V = B.CreatePtrToInt(V, B.getInt64Ty());
    if (V->getType()->isFloatTy())
      V = B.CreateBitCast(V, B.getInt32Ty());
    if (V->getType()->isDoubleTy())
      V = B.CreateBitCast(V, B.getInt64Ty());
    if (!V->getType()->isIntegerTy())
      return nullptr;
    if (T->isPointerTy())
      return B.CreateIntToPtr(B.CreateZExtOrTrunc(V, B.getInt64Ty()), T);
    return B.CreateZExtOrTrunc(V, T);
  }
  void call(StringRef Name, std::vector<Value *> Arguments) {
    Arguments.push_back(
        B.CreateCall(M.getOrInsertFunction("pr_site", B.getInt32Ty())));
    std::vector<Type *> Types;
    for (Value *V : Arguments)
      Types.push_back(V->getType());
    B.CreateCall(M.getOrInsertFunction(
                     Name, FunctionType::get(B.getVoidTy(), Types, false)),
                 Arguments);
  }

  bool lower(const PtxInstruction &I);
  bool lowerCopy(const PtxInstruction &I);
  bool lowerLoadMatrix(const PtxInstruction &I);
  bool lowerMma(const PtxInstruction &I);
  bool lowerMove(const PtxInstruction &I);
  Value *registers(const PtxInstruction &I, unsigned First, unsigned Count,
                   bool Fill);
  void takeBack(const PtxInstruction &I, Value *Array, unsigned Count);

  void unsupported(StringRef Text) {
    call("pr_unsupported",
         {B.CreateGlobalString(("inline PTX '" + Text + "'").str())});
    for (unsigned Number : Outputs)
      Values["$" + std::to_string(Number)] = nullptr;
    finish();
  }

  /// Hands the results to whoever used the statement's.
  void finish() {
    Type *T = Call.getType();
    auto Result = [&](unsigned K, Type *Wanted) -> Value * {
      std::string Name = "$" + std::to_string(Outputs[K]);
      if (!Values[Name])
        return Constant::getNullValue(Wanted);
      if (Values[Name]->getType() == Wanted)
        return Values[Name];
      if (Wanted->isFloatTy() || Wanted->isDoubleTy())
        return B.CreateBitCast(
            as(Name, B.getIntNTy(Wanted->getScalarSizeInBits())), Wanted);
      return as(Name, Wanted);
    };
    if (auto *S = dyn_cast<StructType>(T)) {
      Value *All = PoisonValue::get(S);
      for (unsigned K = 0; K < S->getNumElements(); ++K)
        All = B.CreateInsertValue(All, Result(K, S->getElementType(K)), K);
      Call.replaceAllUsesWith(All);
    } else if (!T->isVoidTy()) {
      Call.replaceAllUsesWith(Result(0, T));
    }
    Call.eraseFromParent();
  }

  Module &M;
  CallInst &Call;
  IRBuilder<> B;
  std::vector<PtxInstruction> Program;
  std::vector<unsigned> Outputs;
  std::map<std::string, Value *> Values;
};

/// cp.async.{ca,cg}.shared.global[.hint] [to], [from], bytes[, source bytes]
bool PtxLowering::lowerCopy(const PtxInstruction &I) {
  if (I.has("commit_group")) {
    call("pr_cp_async_commit", {});
    return true;
  }
  if (I.has("wait_all")) {
    call("pr_cp_async_commit", {});
    call("pr_cp_async_wait", {B.getInt32(0)});
    return true;
  }
  if (I.has("wait_group")) {
    Value *N =
        I.Operands.size() == 1 ? as(I.Operands[0], B.getInt32Ty()) : nullptr;
    if (N)
      call("pr_cp_async_wait", {N});
    return N != nullptr;
  }
  if (!I.has("shared") || !I.has("global") || I.Operands.size() < 3)
    return false;
  Value *To = as(I.Operands[0], B.getInt64Ty());
  Value *From = as(I.Operands[1], B.getPtrTy());
  Value *Bytes = as(I.Operands[2], B.getInt64Ty());
  if (!To || !From || !Bytes)
    return false;
  Value *Zero = B.getInt64(0);
  if (I.Operands.size() > 3 && !I.has("L2::cache_hint")) {
    Value *Source = as(I.Operands[3], B.getInt64Ty());
    if (!Source)
      return false;
    Zero = B.CreateSub(Bytes, Source);
  }
  if (!I.Predicate.empty()) {
    Value *P = as(I.Predicate, B.getInt1Ty());
    if (!P)
      return false;
    if (I.PredicateNegated)
      P = B.CreateNot(P);
    Bytes = B.CreateSelect(P, Bytes, B.getInt64(0));
  }
  FunctionCallee Pointer =
      M.getOrInsertFunction("pr_shared_pointer", B.getPtrTy(), B.getInt64Ty());
  call("pr_cp_async", {B.CreateCall(Pointer, {To}), From, Bytes, Zero});
  return true;
}

/// The registers named by operands First .. First+Count-1, as an array in
/// memory.
Value *PtxLowering::registers(const PtxInstruction &I, unsigned First,
                              unsigned Count, bool Fill) {
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
  Value *Array =
      AtEntry.CreateAlloca(ArrayType::get(B.getInt32Ty(), std::max(Count, 1u)));
  for (unsigned K = 0; Fill && K < Count; ++K) {
    Value *V = as(I.Operands[First + K], B.getInt32Ty());
    if (!V)
      return nullptr;
    B.CreateStore(V, B.CreateConstGEP1_32(B.getInt32Ty(), Array, K));
  }
  return Array;
}

void PtxLowering::takeBack(const PtxInstruction &I, Value *Array,
                           unsigned Count) {
  for (unsigned K = 0; K < Count; ++K)
    Values[I.Operands[K]] = B.CreateLoad(
        B.getInt32Ty(), B.CreateConstGEP1_32(B.getInt32Ty(), Array, K));
}

/// ldmatrix.sync.aligned.[m8n8.]xN[.trans].shared.b16 {registers}, [row]
bool PtxLowering::lowerLoadMatrix(const PtxInstruction &I) {
  unsigned Count = I.has("x4") ? 4 : I.has("x2") ? 2 : 1;
  if (I.Operands.size() != Count + 1 || !I.has("shared") || !I.has("b16"))
    return false;
  Value *Row = as(I.Operands[Count], B.getInt64Ty());
  if (!Row)
    return false;
  Value *Array = registers(I, 0, Count, false);
  call("pr_ldmatrix",
       {Array, Row, B.getInt32(Count), B.getInt32(I.has("trans"))});
  takeBack(I, Array, Count);
  return true;
}

bool PtxLowering::lowerMma(const PtxInstruction &I) {
  std::optional<MmaShape> S = mmaShape(I);
  if (!S || I.Operands.size() != 2 * S->Results + S->A + S->B)
    return false;
  Value *D = registers(I, 0, S->Results, false);
  Value *A = registers(I, S->Results, S->A, true);
  Value *Bs = registers(I, S->Results + S->A, S->B, true);
  Value *C = registers(I, S->Results + S->A + S->B, S->Results, true);
  if (!A || !Bs || !C)
    return false;
  call("pr_mma", {D, A, Bs, C, B.getInt32(S->Type), B.getInt32(S->K)});
  takeBack(I, D, S->Results);
  return true;
}

/// Address conversions, moves and comparisons with zero.
bool PtxLowering::lowerMove(const PtxInstruction &I) {
  if (I.Operands.size() < 2)
    return false;
  std::string To = I.Operands[0];
  Value *V = value(I.Operands[1]);
  if (!V)
    return false;
  if (I.Name == "cvta" && I.has("to") && I.has("shared")) {
    Value *P = as(I.Operands[1], B.getPtrTy());
    Values[To] = B.CreateCall(
        M.getOrInsertFunction("pr_shared_offset", B.getInt64Ty(), B.getPtrTy()),
        {P});
    return true;
  }
  if (I.Name == "setp" && I.Operands.size() == 3 && I.has("ne")) {
    Value *L = as(I.Operands[1], B.getInt32Ty());
    Value *R = as(I.Operands[2], B.getInt32Ty());
    if (L && R)
      Values[To] = B.CreateICmpNE(L, R);
    return L && R;
  }
  bool Plain = I.Name == "mov" ||
               (I.Name == "cvta" && I.has("to") && I.has("global")) ||
               (I.Name == "cvt" && (I.has("u64") || I.has("u32")) &&
                !I.has("f32") && !I.has("f16") && !I.has("s32"));
  if (Plain)
    Values[To] = V;
  return Plain;
}

bool PtxLowering::lower(const PtxInstruction &I) {
  if (I.Name == ".reg")
    return true;
  if (I.Name == "cp" && I.has("async") && !I.has("bulk") && !I.has("mbarrier"))
    return lowerCopy(I);
  if (!I.Predicate.empty())
    return false;
  if (I.Name == "ldmatrix")
    return lowerLoadMatrix(I);
  if (I.Name == "mma")
    return lowerMma(I);
  if (I.Name == "membar" || I.Name == "fence" || I.Name == "prefetch")
    return true;
  if ((I.Name == "bar" || I.Name == "barrier") && I.has("sync") &&
      !I.has("warp") && !I.Operands.empty()) {
    Value *Name = as(I.Operands[0], B.getInt32Ty());
    Value *Threads = I.Operands.size() > 1 ? as(I.Operands[1], B.getInt32Ty())
                                           : B.getInt32(0);
    if (Name && Threads)
      call("pr_named_barrier", {Name, Threads});
    return Name && Threads;
  }
  if (I.Name == "bar" && I.has("warp") && I.has("sync") &&
      I.Operands.size() == 1) {
    Value *Mask = as(I.Operands[0], B.getInt32Ty());
    if (Mask)
      call("pr_syncwarp", {Mask});
    return Mask != nullptr;
  }
  return lowerMove(I);
}

} // namespace

void lowerPtx(Module &M) {
  for (Function &F : M) {
    std::vector<CallInst *> Work;
    for (Instruction &I : instructions(F))
      if (auto *C = dyn_cast<CallInst>(&I); C && C->isInlineAsm())
        Work.push_back(C);
    for (CallInst *C : Work)
      PtxLowering(*C, *cast<InlineAsm>(C->getCalledOperand())).run();
  }
}

} // namespace pipeline_rewrite
