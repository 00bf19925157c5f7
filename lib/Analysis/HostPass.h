/// \file
/// Whether the host's compilation of a file may see other declarations.
#pragma once

#include "clang/AST/ASTContext.h"
#include <optional>

namespace pipeline_rewrite {

/// nvcc compiles a file for the host without `__CUDA_ARCH__`, so a constant that a
/// size is spelled with may have another value there. Only the device's pass is
/// parsed here.
class HostPass {
public:
  explicit HostPass(const clang::ASTContext &Context) : Context(Context) {}

  /// Does a file of the translation unit's own ask for it outside of functions?
  bool mayDiffer() const;

private:
  const clang::ASTContext &Context;
  mutable std::optional<bool> Differs; ///< once somebody asked
};

} // namespace pipeline_rewrite
