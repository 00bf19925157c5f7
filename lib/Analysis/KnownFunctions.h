/// \file
/// What CUDA's own functions and PTX instructions do to memory.
#pragma once

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace pipeline_rewrite {

enum class KnownBehaviour {
  Pure,           ///< values in, value out; may talk to the own warp
  ThreadValue,    ///< pure, but the value differs between threads
  Barrier,        ///< waits for all threads of the block
  AsyncCopy,      ///< part of an asynchronous copy pipeline
  LoadPointer,    ///< reads *arg0, returns it
  LoadReadOnly,   ///< likewise, and nothing writes it during the kernel
  StorePointer,   ///< writes *arg0
  AtomicPointer,  ///< reads and writes *arg0
  SharedAddress,  ///< the shared-memory address of *arg0, as an integer
  MatrixLoad,     ///< writes arg0, reads *arg1
  MatrixStore,    ///< writes *arg0
  MatrixMultiply, ///< writes arg0
  Opaque          ///< nothing may move past it
};

struct KnownFunction {
  KnownBehaviour Behaviour;
  std::string What; ///< for Opaque and AsyncCopy
};

/// The behaviour of a function named \p QualifiedName, or none if this table
/// does not know it. \p Call gives the argument types for overloads that
/// differ (`cooperative_groups::sync`).
std::optional<KnownFunction> lookUpFunction(llvm::StringRef QualifiedName,
                                            const clang::CallExpr *Call);

/// The behaviour of inline PTX with template \p Text. Register-only arithmetic,
/// matrix instructions and shared-memory matrix loads are Pure (what they read
/// is given by address operands, which the caller tracks).
KnownFunction classifyAssembly(llvm::StringRef Text, bool ClobbersMemory);

} // namespace pipeline_rewrite
