/// \file
/// What must change around a kernel whose dynamic shared memory grows: a
/// constexpr function beside it that gives the bytes, every launch, and the
/// attribute that lets a launch pass 48 KB.
#pragma once

#include "Rewrite/Edits.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pipeline_rewrite {

/// A kernel and what its dynamic block must hold.
struct KernelGrowth {
  const LoopFacts *Facts = nullptr; ///< of any loop of the kernel
  DynamicNeed Need;                 ///< of all its loops; Bytes: the largest
                                    ///< over the instantiations
  uint64_t StaticBytes = 0; ///< what stays in static arrays, for the 48 KB
  std::string Function;     ///< the function's name, see sharedBytesName()
};

/// An edit of a file that need not be the kernel's.
struct FileEdit {
  std::string File;
  SourceEdit Edit;
  bool operator==(const FileEdit &O) const {
    return File == O.File && Edit == O.Edit;
  }
};

/// The text of a file of the translation unit.
using BufferOf = llvm::function_ref<llvm::StringRef(llvm::StringRef Path)>;

/// `<kernel>_shared_bytes`, or a name like it that neither \p Taken nor any file
/// that would be edited has.
std::string sharedBytesName(const LoopFacts &Facts,
                            const std::set<std::string> &Taken, BufferOf Buffers);

/// `sgemm_shared_bytes<BM, BK>()`, as the kernel itself would call it.
std::string sharedBytesCall(const KernelGrowth &Kernel);

/// The function itself, as it is put beside the kernel. Errors as emitLaunchEdits.
llvm::Expected<std::string> sharedBytesFunction(const KernelGrowth &Kernel,
                                                BufferOf Buffers);

/// All edits, at most one at each place. An error (what stands in the way) where
/// the bytes cannot be spelled beside the kernel; checkLaunches() has to have
/// found nothing.
llvm::Expected<std::vector<FileEdit>> emitLaunchEdits(const KernelGrowth &Kernel,
                                                      BufferOf Buffers);

} // namespace pipeline_rewrite
