#include "Analysis/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace pipeline_rewrite {

namespace {

using Behaviour = KnownBehaviour;

std::string typeName(const Expr *E) {
  return E->getType().getNonReferenceType().getUnqualifiedType().getAsString();
}

/// Which threads a cooperative-groups `sync` waits for.
KnownFunction classifyGroupSync(StringRef GroupType) {
  if (GroupType.contains("thread_block_tile") ||
      GroupType.contains("coalesced_group"))
    return {Behaviour::Pure, ""};
  if (GroupType.contains("thread_block"))
    return {Behaviour::Barrier, ""};
  return {Behaviour::Opaque, "a synchronisation of more than the block"};
}

std::optional<KnownFunction> lookUpCooperativeGroups(StringRef Name,
                                                     const CallExpr *Call) {
  StringRef Base = Name.rsplit("::").second;
  if (Name.contains("memcpy_async") || Base == "wait" || Base == "wait_prior")
    return KnownFunction{Behaviour::AsyncCopy, Base.str()};
  if (Base == "sync") {
    // A method, static or not, says by its class whom it waits for.
    StringRef Class = Name.rsplit("::").first;
    if (Class.ends_with("_group") || Class.contains("thread_block") ||
        Class.contains("thread_block_tile"))
      return classifyGroupSync(Class);
    if (!Call)
      return KnownFunction{Behaviour::Barrier, ""};
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call))
      return classifyGroupSync(
          typeName(Member->getImplicitObjectArgument()->IgnoreImpCasts()));
    if (Call->getNumArgs() >= 1)
      return classifyGroupSync(typeName(Call->getArg(0)->IgnoreImpCasts()));
    return classifyGroupSync(Name);
  }
  if (Base == "thread_rank" || Base == "thread_index" ||
      Base == "meta_group_rank")
    return KnownFunction{Behaviour::ThreadValue, ""};
  return KnownFunction{Behaviour::Pure, ""};
}

std::optional<Behaviour> lookUpPlainName(StringRef Name) {
  return llvm::StringSwitch<std::optional<Behaviour>>(Name)
      .Cases("__syncthreads", "__nvvm_bar0", "__builtin_nvvm_barrier0",
             "__nvvm_barrier0", Behaviour::Barrier)
      .Cases("__ldg", "__nvvm_ldg_f", Behaviour::LoadReadOnly)
      .Cases("__ldca", "__ldcs", "__ldcg", "__ldcv", "__ldlu",
             Behaviour::LoadPointer)
      .Cases("__stcs", "__stcg", "__stwb", "__stwt", Behaviour::StorePointer)
      .Case("load_matrix_sync", Behaviour::MatrixLoad)
      .Case("store_matrix_sync", Behaviour::MatrixStore)
      .Cases("mma_sync", "bmma_sync", "fill_fragment", Behaviour::MatrixMultiply)
      .Case("__cvta_generic_to_shared", Behaviour::SharedAddress)
      .Cases("__syncwarp", "__activemask", "__cvta_generic_to_global",
             Behaviour::Pure)
      .Default(std::nullopt);
}

std::optional<KnownFunction> lookUpOpaqueName(StringRef Name) {
  StringRef What =
      llvm::StringSwitch<StringRef>(Name)
          .Cases("printf", "vprintf", "puts", "a call to printf")
          .Cases("__assert_fail", "__assertfail", "_wassert", "an assertion")
          .Cases("__trap", "__brkpt", "__builtin_trap", "abort", "exit", "a trap")
          .Cases("__threadfence", "__threadfence_block", "__threadfence_system",
                 "__fence_async", "a memory fence")
          .Cases("__syncthreads_count", "__syncthreads_and", "__syncthreads_or",
                 "__barrier_sync", "__barrier_sync_count",
                 "a barrier that carries a value or a name")
          .Cases("__nanosleep", "clock", "clock64", "globaltimer",
                 "a clock or a sleep")
          .Cases("cudaGridDependencySynchronize",
                 "cudaTriggerProgrammaticLaunchCompletion", "cudaDeviceSynchronize",
                 "a synchronisation of more than the block")
          .Cases("malloc", "free", "memcpy", "memset", "a call on raw memory")
          .Default("");
  if (What.empty())
    return std::nullopt;
  return KnownFunction{Behaviour::Opaque, What.str()};
}

} // namespace

std::optional<KnownFunction> lookUpFunction(StringRef QualifiedName,
                                            const CallExpr *Call) {
  StringRef Base = QualifiedName.contains("::")
                       ? QualifiedName.rsplit("::").second
                       : QualifiedName;
  if (QualifiedName.contains("cooperative_groups"))
    return lookUpCooperativeGroups(QualifiedName, Call);
  if (Base.starts_with("__pipeline_") || Base.starts_with("memcpy_async") ||
      QualifiedName.contains("cuda::pipeline") ||
      QualifiedName.contains("cuda::barrier") ||
      Base.starts_with("cp_async") || Base == "producer_acquire" ||
      Base == "consumer_wait" || Base == "arrive_and_wait")
    return KnownFunction{Behaviour::AsyncCopy, Base.str()};
  if (Base.starts_with("atomic") && !QualifiedName.contains("::"))
    return KnownFunction{Behaviour::AtomicPointer, ""};
  if (Base.starts_with("__shfl") || Base.starts_with("__ballot") ||
      Base.starts_with("__any") || Base.starts_with("__all") ||
      Base.starts_with("__match") || Base.starts_with("__reduce_"))
    return KnownFunction{Behaviour::ThreadValue, ""};
  if (std::optional<Behaviour> Known = lookUpPlainName(Base))
    return KnownFunction{*Known, ""};
  return lookUpOpaqueName(Base);
}

namespace {

/// PTX mnemonics that touch nothing but registers and what their address
/// operands name in shared memory for reading.
bool isHarmlessInstruction(StringRef Instruction) {
  static constexpr StringRef Harmless[] = {
      "mma.sync", "ldmatrix", "cvta", "cvt.",  "mov.",   "add.", "sub.",
      "mul.",     "mad.",     "fma.", "lop3",  "prmt",   "and.", "or.",
      "xor.",     "not.",     "shl.", "shr.",  "bfe.",   "bfi.", "shf.",
      "dp4a",     "dp2a",     "abs.", "neg.",  "min.",   "max.", "setp.",
      "selp.",    "set.",     "ex2.", "lg2.",  "rcp.",   "rsqrt.", "sqrt.",
      "sin.",     "cos.",     "tanh.", ".reg", "popc.",  "clz.", "brev.",
      "ld.shared", "div.", "movmatrix", "vabsdiff"};
  for (StringRef Prefix : Harmless)
    if (Instruction.starts_with(Prefix))
      return true;
  return false;
}

} // namespace

KnownFunction classifyAssembly(StringRef Text, bool ClobbersMemory) {
  if (Text.contains("cp.async") || Text.contains("cp.reduce.async") ||
      Text.contains("mbarrier"))
    return {Behaviour::AsyncCopy, "cp.async"};
  llvm::SmallVector<StringRef, 8> Lines;
  Text.split(Lines, ';');
  for (StringRef Line : Lines) {
    Line = Line.trim(" \t\r\n{}");
    if (Line.starts_with("@"))
      Line = Line.drop_until([](char C) { return C == ' '; }).ltrim();
    if (!Line.empty() && !isHarmlessInstruction(Line))
      return {Behaviour::Opaque, "inline assembly"};
  }
  bool Empty = Text.trim().empty();
  if (ClobbersMemory && (Empty || !Text.contains("ldmatrix")))
    return {Behaviour::Opaque, "inline assembly that clobbers memory"};
  if (Empty)
    return {Behaviour::Opaque, "inline assembly"};
  return {Behaviour::Pure, ""};
}

} // namespace pipeline_rewrite
