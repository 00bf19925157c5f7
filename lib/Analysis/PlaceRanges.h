/// \file
/// What is known of an index without running anything.
#pragma once

#include "Analysis/MemoryModel.h"
#include <optional>
#include <string>

namespace pipeline_rewrite {

/// A block has no more threads along an axis (CUDA C++ Programming Guide).
inline constexpr int64_t MaxThreadIndex = 1023;

struct IndexRange {
  int64_t Least, Most;
};

/// The value of \p E, where it is one constant of a size that indices have.
std::optional<int64_t> constantIndex(const clang::Expr *E,
                                     const clang::ASTContext &Context);

/// Between which constants \p E lies.
std::optional<IndexRange> indexRange(const clang::Expr *E,
                                     const clang::ASTContext &Context,
                                     const MemoryModel &Model);

/// `threadIdx.x` and its like, in both of the forms that headers give them.
std::optional<std::string> builtinIndexName(const clang::Expr *E);

/// The size of \p Type, where it has one.
std::optional<int64_t> knownBytes(clang::QualType Type, const clang::ASTContext &Context);

} // namespace pipeline_rewrite
