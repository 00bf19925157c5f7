/// \file
/// Whether the host's compilation of a file may see other declarations.
#pragma once

#include "clang/AST/ASTContext.h"

namespace pipeline_rewrite {

/// Does a file of the translation unit's own ask for `__CUDA_ARCH__` outside of
/// functions? nvcc compiles the file for the host without it, so a constant that a
/// size is spelled with may have another value there. Only the device's pass is
/// parsed here.
bool hostMayDiffer(const clang::ASTContext &Context);

} // namespace pipeline_rewrite
