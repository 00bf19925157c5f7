#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pipeline_rewrite {

/// How device code reaches the CPU.
///
/// The front end compiles the user's file for an NVIDIA GPU, so that the
/// language, the overloads and inline PTX are exactly CUDA's. What it leaves is
/// LLVM IR without any optimisation. This module turns that IR into code for
/// the machine of runtime/src, which is linked with it:
///  - address spaces become one; each shared array becomes an object that the
///    machine hands out for each block; built-in variables become calls;
///  - barriers, printf and the inline PTX that is known become calls;
///  - after optimisation each memory access that another thread could see is
///    announced to the machine, with the line of the kernel it came from;
///  - each kernel gets an entry that takes its arguments as an array.
struct DeviceModuleOptions {
  /// Locations in this folder are ours, not the user's: a check names the
  /// caller instead.
  std::string HeaderDir;
};

/// Lowers the bitcode file \p In and writes the result to \p Out.
/// \returns an error where the file is no bitcode or the result is not valid.
llvm::Error lowerDeviceModule(llvm::StringRef In, llvm::StringRef Out,
                              const DeviceModuleOptions &Options);

/// The steps, in order; each works on the whole module. They are separate so
/// that each can be read, and tested, alone.
/// @{
/// What a shared array is called and how large it is; offsets are given by the
/// machine's arena.
struct SharedObject {
  std::string Name;
  uint64_t Bytes = 0; ///< 0: sized by the launch.
  uint64_t Alignment = 16;
};
std::vector<SharedObject> lowerGlobals(llvm::Module &M);
void lowerPtx(llvm::Module &M);
void lowerCalls(llvm::Module &M);
void optimizeForMachine(llvm::Module &M);
void instrument(llvm::Module &M, llvm::StringRef HeaderDir);
void emitModuleTable(llvm::Module &M, llvm::ArrayRef<SharedObject> Shared);
/// @}

/// Adds a global variable to \p M.
llvm::GlobalVariable *addGlobal(llvm::Module &M, llvm::Constant *Init,
                                bool IsConstant,
                                llvm::GlobalValue::LinkageTypes Linkage,
                                const llvm::Twine &Name = "");
/// A private, zero-terminated text in \p M.
llvm::Constant *addText(llvm::Module &M, llvm::StringRef Text);

/// The name of the function that hands out a shared array by number.
inline constexpr const char *SharedObjectFunction = "pr_shared_object";
/// Whether a call to \p Name returns memory that belongs to the machine itself.
bool isMachineVariable(llvm::StringRef Name);

} // namespace pipeline_rewrite
